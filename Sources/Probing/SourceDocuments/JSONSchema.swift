package import ProbeCore

/// A JSON Schema (draft 2020-12) made from a value schema, for editors and validators.
///
/// A text also accepts numbers and booleans, because an unquoted scalar has the type of its field. The schema
/// accepts everything that the program accepts, and more: some rules cannot be expressed with JSON's types.
package struct JSONSchema {
  private let schema: ValueSchema
  private let title: String
  private let id: String?
  private let definitions: [String: ValueSchema]

  /// Creates the JSON Schema of a value schema.
  ///
  /// - Parameters:
  ///   - schema: The schema of the file.
  ///   - title: The title.
  ///   - id: The URI that identifies the schema.
  package init(_ schema: ValueSchema, title: String, id: String? = nil) {
    self.schema = schema
    self.title = title
    self.id = id
    definitions = schema.definitions
  }

  /// The schema as JSON with a final line end; always the same text for the same schema.
  package var text: String {
    var members: [JSONMember] = [("$schema", .text("https://json-schema.org/draft/2020-12/schema"))]
    if let id { members.append(("$id", .text(id))) }
    members.append(("title", .text(title)))
    members += self.members(of: schema)
    if !definitions.isEmpty {
      let sorted = definitions.sorted { $0.key < $1.key }
      members.append(("$defs", .object(sorted.map { ($0.key, .object(self.members(of: $0.value))) })))
    }
    return OrderedJSON.object(members).text + "\n"
  }

  private func members(of schema: ValueSchema) -> [JSONMember] {
    switch schema.kind {
    case .anything: []
    case .text(let text): members(of: text)
    case .integer(let bounds):
      [("type", .text("integer"))]
        + (bounds.lowerBound == .min ? [] : [("minimum", .integer(bounds.lowerBound))])
        + (bounds.upperBound == .max ? [] : [("maximum", .integer(bounds.upperBound))])
    case .number: [("type", .text("number"))]
    case .boolean: [("type", .text("boolean"))]
    case .choice(let names): [("enum", .array(names.map(OrderedJSON.text) + Self.otherReadings(of: names)))]
    case .list(let item, let count):
      [("type", .text("array")), ("items", .object(members(of: item)))]
        + (count == 0 ? [] : [("minItems", .integer(count))])
    case .mapping(let keys, let others): members(of: keys, others)
    case .anyOf(let schemas): [("anyOf", .array(schemas.map { .object(members(of: $0)) }))]
    case .checkedWhenDecoded(let schema): members(of: schema)
    // One more `allOf`, because only objects can be put in here.
    case .json(let text): [("allOf", .array([.json(text)]))]
    // A reference without a definition matches anything.
    case .reference(let name) where definitions[name] == nil: []
    case .named(let name, _), .reference(let name): [("$ref", .text("#/$defs/\(name.asReference)"))]
    }
  }

  private func value(of schema: ValueSchema) -> OrderedJSON {
    schema == .anything ? .boolean(true) : .object(members(of: schema))
  }

  private func members(of text: TextSchema) -> [JSONMember] {
    let types = ["string"] + (text.canBeNumber ? ["number"] : []) + (text.canBeBoolean ? ["boolean"] : [])
    return [("type", types.count == 1 ? .text("string") : .array(types.map(OrderedJSON.text)))]
      + (text.canBeEmpty ? [] : [("minLength", .integer(1))])
      + (text.pattern.map { [("pattern", .text($0))] } ?? [])
      + (text.examples.isEmpty ? [] : [("examples", .array(text.examples.map(OrderedJSON.text)))])
  }

  private func members(of keys: [ValueSchema.Key], _ others: ValueSchema?) -> [JSONMember] {
    let properties = keys.map { key in
      let summary: [JSONMember] = key.summary.map { [("description", .text($0))] } ?? []
      return (key.name, OrderedJSON.object(summary + members(of: key.schema)))
    }
    let required = keys.filter(\.isRequired).map { OrderedJSON.text($0.name) }
    return [("type", .text("object"))]
      + (properties.isEmpty ? [] : [("properties", .object(properties))])
      + (required.isEmpty ? [] : [("required", .array(required))])
      + [("additionalProperties", others.map(value) ?? .boolean(false))]
  }

  /// The values that general YAML parsers read for these words without quotes (YAML 1.1: `off` is false).
  private static func otherReadings(of names: [String]) -> [OrderedJSON] {
    let words = names.map { $0.lowercased() }
    let truths = [(true, ["true", "yes", "on", "y"]), (false, ["false", "no", "off", "n"])]
    let booleans = truths.filter { words.contains(where: $0.1.contains) }.map { OrderedJSON.boolean($0.0) }
    let numbers = names.filter { $0.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E } }
    return booleans + numbers.compactMap(Double.init).map(OrderedJSON.number)
  }
}

extension String {
  /// The name as part of a reference: letters, digits and `-._` are not encoded (RFC 3986 §2.3, RFC 6901 §6).
  fileprivate var asReference: String {
    replacing(["~": "~0", "/": "~1"]).utf8.percentEncodedComponent()
  }
}

typealias JSONMember = (key: String, value: OrderedJSON)

/// A JSON value (RFC 8259) whose objects keep the order of their members.
indirect enum OrderedJSON {
  case text(String)
  case integer(Int)
  case number(Double)
  case boolean(Bool)
  case array([OrderedJSON])
  case object([JSONMember])
  /// A value that is JSON already.
  case json(String)

  /// The value as JSON, indented by two spaces.
  var text: String {
    var text = ""
    write(to: &text, indent: "")
    return text
  }

  private func write(to text: inout String, indent: String) {
    switch self {
    case .text(let value): text += value.quotedInJSON
    case .integer(let value): text += "\(value)"
    case .number(let value): text += "\(value)"
    case .boolean(let value): text += "\(value)"
    case .json(let value): text += value
    case .array(let values):
      // Lists of words are easier to read on one line.
      let isShort = values.allSatisfy(\.isScalar)
      Self.write(values, "[", "]", isShort, to: &text, indent) { $0.write(to: &$1, indent: $2) }
    case .object(let members):
      let isShort = members.count < 3 && members.allSatisfy(\.value.isScalar)
      Self.write(members, "{", "}", isShort, to: &text, indent) { member, text, indent in
        text += member.key.quotedInJSON + ": "
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
    case .array, .object, .json: false
    }
  }
}
