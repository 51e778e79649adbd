internal import ProbeBase

extension JSONValue {
  /// The value as JSON on one line.
  package var text: String {
    switch self {
    case .null: return "null"
    case .bool(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .number(let value): return value.text
    case .string(let text): return text.quotedInJSON
    case .array(let elements): return "[\(elements.map(\.text).joined(separator: ","))]"
    case .object(let members):
      return "{\(members.map { "\($0.name.quotedInJSON):\($0.value.text)" }.joined(separator: ","))}"
    }
  }
}
