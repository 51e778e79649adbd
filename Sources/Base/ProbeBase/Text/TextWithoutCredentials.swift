/// Keeps user names and passwords out of messages and reports.
extension String {
  /// The text without a possible user name and password of a URL, for a message or a report.
  ///
  /// A ``ProbeURL`` never has credentials; this is for text that could not be parsed as one. It redacts
  /// everything between the scheme and the last `@`, because a password can contain any other character.
  public var withoutCredentials: String {
    guard let at = utf8.lastIndex(of: UInt8(ascii: "@")) else { return self }
    let scheme = self[..<at].firstRange(of: "://").map { self[..<$0.upperBound] } ?? ""
    return scheme + "<redacted>" + self[at...]
  }
}
