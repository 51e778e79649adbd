internal import CProbePCRE2

/// A compiled regular expression in Perl's syntax (PCRE2), matched against bytes.
///
/// Patterns are Unicode text. A subject is taken as UTF-8; bytes that are not UTF-8 match nothing, and the text
/// around them is still searched. A line ends in LF, CR or CRLF, unless the pattern starts with `(*LF)` or the
/// like. One value may be used by many threads at the same time, without a lock.
@safe
package final class Pattern {
  /// The version of PCRE2 that is running.
  package static var libraryVersion: String {
    let length = Int(pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), nil))
    let text = unsafe [CChar](unsafeUninitializedCapacity: length) { buffer, count in
      count = unsafe Int(pcre2_config_8(UInt32(PCRE2_CONFIG_VERSION), buffer.baseAddress))
    }
    // The day of the version follows.
    let version = text.map(UInt8.init(bitPattern:)).prefix { $0 > UInt8(ascii: " ") }
    return String(decoding: version, as: UTF8.self)
  }

  /// How long a pattern may be, in UTF-8 bytes.
  ///
  /// Nobody writes longer ones by hand, and compiling takes time and memory in proportion.
  package static let maximumLength = 16 * 1024

  /// The compiled code, owned; nothing changes it after init.
  let code: OpaquePointer
  /// Whether the code was translated to machine code; without that (no permission, unknown processor) it is interpreted.
  let isTranslated: Bool
  /// Whether there is machine code for searching the start of a stream.
  let isTranslatedForStreams: Bool
  /// Whether a search must be one call of the library; see ``Search``.
  let isSearchedAtOnce: Bool
  /// What searches write to, between two of them.
  let spare = SpareMemory()
  /// The named groups with their numbers.
  let groups: [NamedGroup]
  /// About how many bytes it takes, with as much for the work of compiling it: some 10 ns each.
  package let compiledSize: Int

  /// Compiles a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The expression, or with ``PatternOptions/literal`` a plain text.
  ///   - options: How it is read and matched.
  /// - Throws: ``PatternError`` for a pattern with a mistake in it, or one that is too long.
  package convenience init(_ pattern: String, options: PatternOptions = []) throws(PatternError) {
    try self.init(pattern, options: options, translated: true)
  }

  /// Compiles a pattern; without translation to machine code in tests of what happens where there is none.
  init(_ pattern: String, options: PatternOptions, translated: Bool) throws(PatternError) {
    let bytes = Array(pattern.utf8)
    guard bytes.count <= Self.maximumLength else {
      throw PatternError(
        .tooLong, "\(bytes.count) bytes are too long, the limit is \(Self.maximumLength)",
        offset: Self.maximumLength)
    }
    let range = try Self.checkedRange(of: bytes, options)
    unsafe code = try Self.compile(bytes, options.compileOptions)
    // Where the machine allows no translation this fails, and matching goes on with the interpreter.
    let modes = PCRE2_JIT_COMPLETE | (options.contains(.streaming) ? PCRE2_JIT_PARTIAL_HARD : 0)
    isTranslated = unsafe translated && pcre2_jit_compile_8(code, modes) == 0
    isTranslatedForStreams = isTranslated && options.contains(.streaming)
    unsafe isSearchedAtOnce = Self.isAnchored(code) || Self.dependsOnSearchStart(bytes, options)
    unsafe groups = NamedGroup.all(of: code)
    unsafe compiledSize = Self.compiledSize(of: code, length: bytes.count, range: range)
  }

  deinit {
    unsafe pcre2_code_free_8(code)
  }

  private static func compile(_ bytes: [UInt8], _ options: UInt32) throws(PatternError) -> OpaquePointer {
    var errorCode: Int32 = 0
    var errorOffset = 0
    let context = unsafe pcre2_compile_context_create_8(nil)
    defer { unsafe pcre2_compile_context_free_8(context) }
    // Web pages end their lines with CRLF as often as with LF.
    if let context = unsafe context { _ = unsafe pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANYCRLF)) }
    // \C would take characters apart; the offset limit is what bounds a search, see Search.
    let fixed = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_USE_OFFSET_LIMIT
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

  /// Whether every match starts at the first byte, by option or by the pattern's own form.
  private static func isAnchored(_ code: OpaquePointer) -> Bool {
    var options: UInt32 = 0
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_ALLOPTIONS), &options)
    return options & PCRE2_ANCHORED != 0
  }

  /// Whether a search in several steps could differ from one in one go.
  ///
  /// `\G` is the place where a step starts, and a verb such as `(*COMMIT)` ends a step only. The text may mean
  /// neither; then nothing is lost but a tighter limit.
  private static func dependsOnSearchStart(_ bytes: [UInt8], _ options: PatternOptions) -> Bool {
    guard !options.contains(.literal) else { return false }
    return zip(bytes, bytes.dropFirst()).contains { first, second in
      (first, second) == (UInt8(ascii: "("), UInt8(ascii: "*"))
        || (first, second) == (UInt8(ascii: "\\"), UInt8(ascii: "G"))
    }
  }
}

// The compiled code is never changed after init, the library allows any number of threads to match with it
// (pcre2api, "Multithreading"), and whatever a match writes to belongs to that match alone.
extension Pattern: @unchecked Sendable {}
