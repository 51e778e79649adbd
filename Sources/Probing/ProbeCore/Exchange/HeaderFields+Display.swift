/// Prints header fields without secrets.
extension HeaderFields {
  /// Whether a field with this name usually carries credentials: Authorization, Cookie, and names that
  /// contain a word such as `token`, `session` or `api-key`.
  public static func isSensitive(_ name: String) -> Bool {
    SecretNames.isSecretField(name)
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
