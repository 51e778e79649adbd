import ProbeBase

/// Patterns for which PCRE2 before 10.43 generates incorrect machine code; Debian 12 has 10.42.
///
/// With both faults, machine code finds other matches than the interpreter. Patterns are recognized by their
/// bytes, with false positives.
extension Pattern {
  /// The way to obtain correct machine code for a pattern from the running library.
  enum Translation: Equatable {
    /// The pattern is compiled unchanged.
    case same
    /// The pattern must have a callout at its start.
    case calloutAtStart
    /// There is none; the pattern is interpreted.
    case none
  }

  private static let isLibraryFaulty: Bool = {
    let numbers = libraryVersion.split(separator: ".").map { Int(text: $0.prefix(while: \.isNumber)) ?? 0 }
    return numbers.lexicographicallyPrecedes([10, 43])
  }()

  /// The way to obtain correct machine code for a valid pattern.
  ///
  /// - A possessively repeated group, such as `(a)*+`, has false matches (issue 324 of PCRE2).
  /// - After a group with alternatives, positions at which a match starts are skipped: `(a|)b*a` does not
  ///   match `a` (fixed by commit 2b926df8 of PCRE2). A callout at the start prevents only this optimization.
  static func translation(of bytes: [UInt8], _ options: PatternOptions) -> Translation {
    guard isLibraryFaulty, options.isDisjoint(with: [.literal, .allMatches]) else { return .same }
    let text = String(decoding: bytes, as: UTF8.self)
    if [")*+", ")++", ")?+", "}+"].contains(where: { text.contains($0) }) { return .none }
    guard var rest = bytes.firstIndex(of: UInt8(ascii: "(")).map({ bytes[$0...] }) else { return .same }
    for byte in "|)".utf8 {
      guard let index = rest.firstIndex(of: byte) else { return .same }
      rest = rest[index...]
    }
    guard rest.contains(where: { "*+{".utf8.contains($0) }) else { return .same }
    // A comment or quotation could contain the end of the group; verbs such as `(*LF)` must be at the start.
    guard !["#", #"\Q"#, "(*"].contains(where: { text.contains($0) }) else { return .none }
    return .calloutAtStart
  }
}
