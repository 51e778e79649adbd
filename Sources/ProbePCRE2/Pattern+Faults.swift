/// What PCRE2 before 10.43 makes wrong machine code of; Debian 12 has 10.42.
///
/// Both faults show where machine code and the interpreter find different matches. A pattern is judged by its bytes: some
/// that have no fault are taken to have one.
extension Pattern {
  /// How a pattern gets the right machine code from the library that is running.
  enum Translation: Equatable {
    /// It gets it as it is.
    case same
    /// This pattern has the same matches, and gets it.
    case rewritten([UInt8])
    /// It does not, and is interpreted.
    case none
  }

  private static let libraryIsFaulty: Bool = {
    let numbers = libraryVersion.split(separator: ".").map { Int($0.prefix(while: \.isNumber)) ?? 0 }
    return numbers.lexicographicallyPrecedes([10, 43])
  }()

  /// How a valid pattern gets the right machine code.
  ///
  /// - A group that is repeated without backtracking, such as `(a)*+`, matches what it should not (issue 324 of PCRE2).
  /// - After a group with alternatives, places at which a match starts are passed over: `(a|)b*a` does not match `a`
  ///   (corrected by the commit 2b926df8 of PCRE2). A callout at the start, which calls nothing, prevents this
  ///   optimization and no other.
  static func translation(of bytes: [UInt8], _ options: PatternOptions) -> Translation {
    guard libraryIsFaulty, !options.contains(.literal) else { return .same }
    let text = String(decoding: bytes, as: UTF8.self)
    if [")*+", ")++", ")?+", "}+"].contains(where: { text.contains($0) }) { return .none }
    guard var rest = bytes.firstIndex(of: UInt8(ascii: "(")).map({ bytes[$0...] }) else { return .same }
    for byte in "|)".utf8 {
      guard let place = rest.firstIndex(of: byte) else { return .same }
      rest = rest[place...]
    }
    guard rest.contains(where: { "*+{".utf8.contains($0) }) else { return .same }
    // A comment or a quotation could contain the end of the group, and verbs such as `(*LF)` count only at the start.
    guard !["#", #"\Q"#, "(*"].contains(where: { text.contains($0) }) else { return .none }
    return .rewritten(Array("(?C)(?:\(text))".utf8))
  }
}
