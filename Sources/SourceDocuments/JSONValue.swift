/// A key of an object with its value.
typealias JSONMember = (key: String, value: JSONValue)

/// A value to be written as JSON (RFC 8259), with the members of objects in their order.
indirect enum JSONValue {
  case text(String)
  case integer(Int)
  case number(Double)
  case boolean(Bool)
  case array([JSONValue])
  case object([JSONMember])

  /// The value as JSON, indented by two spaces.
  var text: String {
    var text = ""
    write(to: &text, indent: "")
    return text
  }

  private func write(to text: inout String, indent: String) {
    switch self {
    case .text(let value): Self.quote(value, to: &text)
    case .integer(let value): text += "\(value)"
    case .number(let value): text += "\(value)"
    case .boolean(let value): text += "\(value)"
    case .array(let values):
      // Lists of words are easier to read in a line.
      let isShort = values.allSatisfy(\.isScalar)
      Self.write(values, "[", "]", isShort, to: &text, indent) { $0.write(to: &$1, indent: $2) }
    case .object(let members):
      let isShort = members.count < 3 && members.allSatisfy(\.value.isScalar)
      Self.write(members, "{", "}", isShort, to: &text, indent) { member, text, indent in
        Self.quote(member.key, to: &text)
        text += ": "
        member.value.write(to: &text, indent: indent)
      }
    }
  }

  private static func write<Item>(
    _ items: [Item], _ start: String, _ end: String, _ isShort: Bool, to text: inout String,
    _ indent: String, _ write: (Item, inout String, String) -> Void
  ) {
    guard !items.isEmpty else { return text += start + end }
    let inner = indent + "  "
    text += start
    for (index, item) in items.enumerated() {
      if index > 0 { text += "," }
      text += isShort ? (index > 0 ? " " : "") : "\n" + inner
      write(item, &text, inner)
    }
    text += (isShort ? "" : "\n" + indent) + end
  }

  private var isScalar: Bool {
    switch self {
    case .text, .integer, .number, .boolean: true
    case .array, .object: false
    }
  }

  private static func quote(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
