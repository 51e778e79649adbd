/// Keeping names and passwords out of messages and reports.
extension String {
  /// The text with what may be a name and a password of a URL taken out, for a message or a report.
  ///
  /// A ``ProbeURL`` never has any; this is for text that could not be read as one.
  /// Everything in front of the last `@` goes, from behind the scheme on: a password may hold any other character.
  public var withoutCredentials: String {
    guard let at = utf8.lastIndex(of: UInt8(ascii: "@")) else { return self }
    let scheme = self[..<at].firstRange(of: "://").map { self[..<$0.upperBound] } ?? ""
    return scheme + "<redacted>" + self[at...]
  }
}
