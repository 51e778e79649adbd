/// Prints header fields without secrets.
extension HeaderFields {
  private static let sensitiveNames: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "set-cookie", "www-authenticate", "proxy-authenticate",
  ]
  private static let sensitiveParts = [
    "token", "secret", "password", "passwd", "api-key", "api_key", "apikey", "access-key", "accesskey",
    "credential", "session-id", "sessionid", "x-auth",
  ].map { Array($0.utf8) }

  /// Whether a field with this name usually carries credentials: Authorization, Cookie, and names that
  /// contain a word such as `token` or `api-key`.
  public static func isSensitive(_ name: String) -> Bool {
    let name = name.lowercased()
    if sensitiveNames.contains(name) { return true }
    // `String.contains` is many times slower, and a file may have 100 000 keys.
    let bytes = Array(name.utf8)
    return bytes.indices.contains { start in sensitiveParts.contains { bytes[start...].starts(with: $0) } }
  }

  /// The values of the fields that usually carry credentials; see ``isSensitive(_:)``.
  var sensitiveValues: [Secret] {
    filter { Self.isSensitive($0.name) }.map { Secret($0.value) }
  }
}

extension HeaderFields: CustomStringConvertible, CustomReflectable {
  /// The fields, with `<redacted>` for sensitive values.
  public var description: String {
    "[" + map(\.description).joined(separator: ", ") + "]"
  }

  /// The fields, with `<redacted>` for sensitive values.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: map(\.description), displayStyle: .collection)
  }
}

extension HeaderFields.Element: CustomStringConvertible, CustomReflectable {
  /// Name and value, with `<redacted>` for a sensitive one.
  public var description: String {
    let value = HeaderFields.isSensitive(name) ? Secret.placeholder : value
    return "\(name): \(value)".escapedForDisplay
  }

  /// Name and value, with `<redacted>` for a sensitive one.
  public var customMirror: Mirror {
    Mirror(self, children: ["field": description], displayStyle: .struct)
  }
}
