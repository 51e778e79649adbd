internal import CProbePCRE2

/// A compiled regular expression in Perl's syntax (PCRE2), matched against bytes.
///
/// Patterns are Unicode text. A subject is treated as UTF-8; invalid bytes match nothing, and the text around
/// them is still searched. A line ends in LF, CR or CRLF, unless the pattern starts with a verb such as
/// `(*LF)`.
/// Many threads may use a pattern at the same time, without a lock.
@safe
package final class Pattern {
  /// The version of PCRE2 that is running.
  package static var libraryVersion: String {
    let length = Int(clamping: pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), nil))
    let text = unsafe [CChar](unsafeUninitializedCapacity: length) { buffer, count in
      count = unsafe Int(clamping: pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), buffer.baseAddress))
    }
    // The release date follows.
    let version = text.map(UInt8.init(bitPattern:)).prefix { $0 > UInt8(ascii: " ") }
    return String(decoding: version, as: UTF8.self)
  }

  /// The maximum length of a pattern in UTF-8 bytes.
  ///
  /// Patterns written by hand are shorter, and compiling takes time and memory in proportion.
  package static let maximumLength = 16 * 1024

  /// The compiled code, owned; immutable after init.
  let code: OpaquePointer
  /// Whether there is machine code; otherwise (no permission, unknown processor) the code is interpreted.
  let isTranslated: Bool
  /// Whether there is machine code for searching the beginning of a stream.
  let isTranslatedForStreams: Bool
  /// The same code for text that is known to be valid UTF-8, owned, for ``PatternOptions/allMatches``; nil if
  /// there is machine code.
  ///
  /// The interpreter checks the whole rest of a subject in each call, except with this code.
  let codeOfValidText: OpaquePointer?
  /// Whether a search from a later position could differ from one from the start.
  let dependsOnSearchStart: Bool
  /// Whether it has back references.
  let refersToGroups: Bool
  /// The largest minimum of its counted repeats; see ``CalloutPlacement``.
  let maximumRepeatMinimum: Int
  /// The number of characters of a literal text that is too long for callouts; 0 for any other pattern.
  let unreportedLength: Int
  /// Spare working memory of searches.
  let spare = SpareMemory()
  let groups: [NamedGroup]
  /// The approximate size in bytes, plus the cost of compiling it at some 10 ns per byte.
  package let compiledSize: Int

  /// Compiles a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The expression, or plain text with ``PatternOptions/literal``.
  ///   - options: The options for its interpretation and matching.
  /// - Throws: ``PatternError`` for a pattern that is invalid or too long.
  package convenience init(_ pattern: String, options: PatternOptions = []) throws(PatternError) {
    try self.init(pattern, options: options, translated: true)
  }

  /// Compiles a pattern; tests disable machine code to test the interpreter.
  init(_ pattern: String, options: PatternOptions, translated: Bool) throws(PatternError) {
    let bytes = Array(pattern.utf8)
    guard bytes.count <= Self.maximumLength else {
      throw PatternError(
        .tooLong, "\(bytes.count) bytes are too long, the limit is \(Self.maximumLength)",
        offset: Self.maximumLength)
    }
    let range = try Self.checkedRange(of: bytes, options)
    // As written first, because its errors have the offsets of what was written.
    let written = unsafe try Self.compile(bytes, options.compileOptions)
    let translation = translated ? Self.translation(of: bytes, options) : .none
    do {
      unsafe code = try Self.addingCallouts(
        to: written, bytes, options, needsCalloutAtStart: translation == .calloutAtStart)
    } catch {
      unsafe pcre2_code_free_8(written)
      throw error
    }
    // If machine code is not permitted this fails, and the interpreter is used.
    let modes = PCRE2_JIT_COMPLETE | (options.contains(.streaming) ? PCRE2_JIT_PARTIAL_HARD : 0)
    isTranslated = unsafe translation != .none && pcre2_jit_compile_8(code, modes) == 0
    isTranslatedForStreams = isTranslated && options.contains(.streaming)
    let isInterpretedForAll = options.contains(.allMatches) && !isTranslated
    unsafe codeOfValidText =
      isInterpretedForAll ? try? Self.compile(bytes, options.compileOptions, invalidText: 0) : nil
    unsafe dependsOnSearchStart = Self.isAnchored(code) || Self.mentionsSearchStart(bytes, options)
    unsafe refersToGroups = Self.refersToGroups(code)
    maximumRepeatMinimum = CalloutPlacement.maximumRepeatMinimum(in: bytes)
    let isReported = unsafe code != written || CalloutPlacement.callouts(of: bytes, options) == .unneeded
    unreportedLength = isReported ? 0 : bytes.count
    unsafe groups = NamedGroup.all(of: code)
    unsafe compiledSize = Self.compiledSize(of: code, length: bytes.count, range: range)
  }

  deinit {
    unsafe pcre2_code_free_8(code)
    unsafe pcre2_code_free_8(codeOfValidText)
  }

  private static func compile(
    _ bytes: [UInt8], _ options: UInt32, invalidText: UInt32 = PCRE2_MATCH_INVALID_UTF
  ) throws(PatternError) -> OpaquePointer {
    var errorCode: Int32 = 0
    var errorOffset = 0
    let context = unsafe pcre2_compile_context_create_8(nil)
    defer { unsafe pcre2_compile_context_free_8(context) }
    // Web pages use CRLF as often as LF.
    if let context = unsafe context { _ = unsafe pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANYCRLF)) }
    // \C would split characters; the offset limit ends a search before the end of the subject.
    let fixed = PCRE2_UTF | invalidText | PCRE2_USE_OFFSET_LIMIT
    let notLiteral = options & PCRE2_LITERAL == 0 ? PCRE2_NEVER_BACKSLASH_C : 0
    let code = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe pcre2_compile_8(
        buffer.baseAddress, buffer.count, options | fixed | notLiteral, &errorCode, &errorOffset, context)
    }
    guard let code = unsafe code else {
      throw PatternError(library: errorCode, offset: min(max(errorOffset, 0), bytes.count))
    }
    return unsafe code
  }

  /// Replaces the code of a pattern by the same with callouts, as far as it needs any.
  private static func addingCallouts(
    to code: OpaquePointer, _ bytes: [UInt8], _ options: PatternOptions, needsCalloutAtStart: Bool
  ) throws(PatternError) -> OpaquePointer {
    let placement = CalloutPlacement.callouts(of: bytes, options, needsCalloutAtStart: needsCalloutAtStart)
    var other: OpaquePointer?
    switch placement {
    case .unneeded: return unsafe code
    case .pattern(let text):
      unsafe other = try? compile(text, options.compileOptions)
      if let found = unsafe other, unsafe groupCount(of: found) != groupCount(of: code) {
        unsafe pcre2_code_free_8(found)
        unsafe other = nil
      }
    case .automatic: break
    }
    if unsafe other == nil {
      do throws(PatternError) {
        unsafe other = try compile(bytes, options.compileOptions | PCRE2_AUTO_CALLOUT)
      } catch {
        // Too large with a callout for each of its characters; see Search.
        guard options.contains(.literal) else { throw error }
      }
    }
    guard let other = unsafe other else { return unsafe code }
    unsafe pcre2_code_free_8(code)
    return unsafe other
  }

  private static func refersToGroups(_ code: OpaquePointer) -> Bool {
    var highest: UInt32 = 0
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_BACKREFMAX), &highest)
    return highest > 0
  }

  /// Whether every match starts at the first byte, by an option or by the form of the pattern.
  private static func isAnchored(_ code: OpaquePointer) -> Bool {
    var options: UInt32 = 0
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_ALLOPTIONS), &options)
    return options & PCRE2_ANCHORED != 0
  }

  /// Whether a pattern contains `\G`, or a verb such as `(*COMMIT)`.
  ///
  /// The text may have another meaning; then the only loss is that more is searched again.
  private static func mentionsSearchStart(_ bytes: [UInt8], _ options: PatternOptions) -> Bool {
    guard !options.contains(.literal) else { return false }
    return zip(bytes, bytes.dropFirst()).contains { first, second in
      (first, second) == (UInt8(ascii: "("), UInt8(ascii: "*"))
        || (first, second) == (UInt8(ascii: "\\"), UInt8(ascii: "G"))
    }
  }
}

// The compiled code is never changed after init, the library allows any number of threads to match with it
// (pcre2api, "Multithreading"), and each match has its own working memory.
extension Pattern: @unchecked Sendable {}

/// Options for the interpretation and matching of a pattern.
package struct PatternOptions: OptionSet, Hashable, Sendable {
  /// One bit for each option; the values are not PCRE2's.
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Upper and lower case are the same, by Unicode's simple case folding.
  package static let caseless = PatternOptions(rawValue: 1 << 0)
  /// A dot also matches line breaks.
  package static let dotall = PatternOptions(rawValue: 1 << 1)
  /// `^` and `$` match at the start and end of every line, which ends with LF, CR or CRLF.
  package static let multiline = PatternOptions(rawValue: 1 << 2)
  /// White space in the pattern is ignored, and `#` starts a comment that runs to the end of its line.
  package static let extended = PatternOptions(rawValue: 1 << 3)
  /// The match must start at the first byte.
  package static let anchored = PatternOptions(rawValue: 1 << 4)
  /// The match must end at the last byte.
  package static let endAnchored = PatternOptions(rawValue: 1 << 5)
  /// The pattern is plain text without special characters.
  ///
  /// It can be combined only with caseless and the anchors.
  package static let literal = PatternOptions(rawValue: 1 << 6)
  /// The pattern will also be used for streams that may continue; see
  /// ``Pattern/firstMatch(inStart:namedGroups:)``.
  ///
  /// It changes no match, only the time and memory for compiling: machine code for streams is generated as
  /// well.
  package static let streaming = PatternOptions(rawValue: 1 << 7)
  /// The pattern will be used for all matches in a text; see ``Pattern/forEachMatch(in:_:)``.
  ///
  /// It changes no match, only the time, provided that a test compares the machine code of the pattern with the
  /// interpreter: it is generated without a precaution against faults of the library.
  package static let allMatches = PatternOptions(rawValue: 1 << 8)
}

extension PatternOptions {
  /// The corresponding PCRE2 bits.
  var compileOptions: UInt32 {
    let bits: [(PatternOptions, UInt32)] = [
      (.caseless, PCRE2_CASELESS), (.dotall, PCRE2_DOTALL), (.multiline, PCRE2_MULTILINE),
      (.extended, PCRE2_EXTENDED), (.anchored, PCRE2_ANCHORED), (.endAnchored, PCRE2_ENDANCHORED),
      (.literal, PCRE2_LITERAL),
    ]
    return bits.reduce(0) { contains($1.0) ? $0 | $1.1 : $0 }
  }
}

package struct PatternError: Error, Hashable, Sendable {
  /// The kind of error; new versions may add codes.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// PCRE2's error number.
    package let rawValue: Int32

    /// A code with PCRE2's number.
    package init(rawValue: Int32) {
      self.rawValue = rawValue
    }
  }

  package let code: Code
  /// A description of the error: one line, starting in lower case, without a period.
  package let message: String
  /// The position of the error, in UTF-8 bytes from the start of the pattern.
  package let offset: Int

  init(_ code: Code, _ message: String, offset: Int) {
    self.code = code
    self.message = message
    self.offset = offset
  }

  /// An error from the library, with the library's message.
  init(library code: Int32, offset: Int) {
    // The maximum length of the library's messages is less than 128 characters.
    let message = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { buffer in
      let length = unsafe pcre2_get_error_message_8(code, buffer.baseAddress, buffer.count)
      guard length >= 0 else { return "error \(code) of the pattern library" }
      return unsafe String(decoding: buffer.prefix(Int(clamping: length)), as: UTF8.self)
    }
    self.init(Code(rawValue: code), message, offset: offset)
  }
}

extension PatternError.Code {
  /// The pattern is longer than ``Pattern/maximumLength``.
  package static let tooLong = Self(rawValue: PCRE2_ERROR_PATTERN_STRING_TOO_LONG)
  /// The pattern expands to more than can be compiled.
  package static let tooLarge = Self(rawValue: PCRE2_ERROR_PATTERN_TOO_LARGE)
  package static let endsInBackslash = Self(rawValue: PCRE2_ERROR_END_BACKSLASH)
  /// A backslash precedes a letter that is not a known escape.
  package static let unknownEscape = Self(rawValue: PCRE2_ERROR_UNKNOWN_ESCAPE)
  /// A character class is not closed.
  package static let missingBracket = Self(rawValue: PCRE2_ERROR_MISSING_SQUARE_BRACKET)
  /// A range of a character class runs backwards.
  package static let rangeOutOfOrder = Self(rawValue: PCRE2_ERROR_CLASS_RANGE_ORDER)
  package static let nothingToRepeat = Self(rawValue: PCRE2_ERROR_QUANTIFIER_INVALID)
  /// A group is not closed.
  package static let missingParenthesis = Self(rawValue: PCRE2_ERROR_MISSING_CLOSING_PARENTHESIS)
  /// There is a closing parenthesis without an opening one.
  package static let extraParenthesis = Self(rawValue: PCRE2_ERROR_UNMATCHED_CLOSING_PARENTHESIS)
  package static let lookbehindLength = Self(rawValue: PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH)
}

extension PatternError: CustomStringConvertible {
  /// Message and position on one line.
  package var description: String { "\(message) at byte \(offset)" }
}

struct NamedGroup: Hashable, Sendable {
  let name: String
  let number: Int

  /// The named groups of a pattern, in the order of their names.
  ///
  /// The library stores a table with entries of fixed size: two bytes with the number, the name, a zero byte.
  static func all(of code: OpaquePointer) -> [NamedGroup] {
    var count: UInt32 = 0
    var size: UInt32 = 0
    var table: UnsafePointer<UInt8>?
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMECOUNT), &count)
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMEENTRYSIZE), &size)
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMETABLE), &table)
    guard let table = unsafe table, count > 0, size > 3 else { return [] }
    let entries = unsafe UnsafeBufferPointer(start: table, count: Int(clamping: count) * Int(clamping: size))
    return (0..<Int(clamping: count)).map { index in
      let entry = unsafe entries[(index * Int(clamping: size))..<((index + 1) * Int(clamping: size))]
      let start = unsafe entry.startIndex
      let name = unsafe entry.dropFirst(2).prefix { $0 != 0 }
      return unsafe NamedGroup(
        name: String(decoding: name, as: UTF8.self),
        number: Int(clamping: entry[start]) << 8 | Int(clamping: entry[start + 1]))
    }
  }
}
