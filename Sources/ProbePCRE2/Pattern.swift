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
  /// Whether a search must be a single library call; see ``Search``.
  let isSearchedAtOnce: Bool
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
    var compiled = unsafe try Self.compile(bytes, options.compileOptions)
    var translation = translated ? Self.translation(of: bytes, options) : .none
    if case .rewritten(let other) = translation {
      // The additional group may exceed the nesting limit.
      if let better = unsafe try? Self.compile(other, options.compileOptions) {
        unsafe pcre2_code_free_8(compiled)
        unsafe compiled = better
      } else {
        translation = .none
      }
    }
    unsafe code = compiled
    // If machine code is not permitted this fails, and the interpreter is used.
    let modes = PCRE2_JIT_COMPLETE | (options.contains(.streaming) ? PCRE2_JIT_PARTIAL_HARD : 0)
    isTranslated = unsafe translation != .none && pcre2_jit_compile_8(code, modes) == 0
    isTranslatedForStreams = isTranslated && options.contains(.streaming)
    let isInterpretedForAll = options.contains(.allMatches) && !isTranslated
    unsafe codeOfValidText =
      isInterpretedForAll ? try? Self.compile(bytes, options.compileOptions, invalidText: 0) : nil
    unsafe isSearchedAtOnce = Self.isAnchored(code) || Self.dependsOnSearchStart(bytes, options)
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
    // \C would split characters; the offset limit bounds a search, see Search.
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

  /// Whether every match starts at the first byte, by an option or by the form of the pattern.
  private static func isAnchored(_ code: OpaquePointer) -> Bool {
    var options: UInt32 = 0
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_ALLOPTIONS), &options)
    return options & PCRE2_ANCHORED != 0
  }

  /// Whether a search in several steps could differ from a single one.
  ///
  /// `\G` is the start of a step, and a verb such as `(*COMMIT)` ends only a step. The text may have another
  /// meaning; then the only loss is a tighter limit.
  private static func dependsOnSearchStart(_ bytes: [UInt8], _ options: PatternOptions) -> Bool {
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
