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
  /// The maximum number of characters that one of its items must pass.
  let maximumRepeat: Int
  /// The number of characters of a literal text that is too long for callouts; 0 for any other pattern.
  let unreportedLength: Int
  /// Spare working memory of searches.
  let spare = SpareMemory()
  /// The named groups with their numbers.
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
        to: written, bytes, options, atStart: translation == .calloutAtStart)
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
    maximumRepeat = CalloutPlacement.maximumRepeat(in: bytes)
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
    to code: OpaquePointer, _ bytes: [UInt8], _ options: PatternOptions, atStart: Bool
  ) throws(PatternError) -> OpaquePointer {
    let placement = CalloutPlacement.callouts(of: bytes, options, atStart: atStart)
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
