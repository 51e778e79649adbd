internal import ProbeCore
internal import ProbeJSON

extension JSONValue {
  /// The kind of value with its article, for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }

  /// The value for a message: JSON, truncated if it is long.
  var shown: String {
    let text = text
    let limit = 80
    guard text.utf8.count > limit else { return text.escapedForDisplay }
    return String(decoding: text.utf8.prefix(limit), as: UTF8.self).escapedForDisplay + "…"
  }
}
