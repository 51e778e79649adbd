import ProbeCore
import ProbePatterns
import SourceDocuments

/// A JSON Schema for the options of a plugin: the keywords that constrain a value, without references.
///
/// The meaning of each keyword is that of JSON Schema (draft 2020-12), except that `default` is not only an annotation:
/// an option that is missing has that value.
final class OptionsSchema: Sendable {
  /// A type of JSON values.
  enum Kind: String, CaseIterable {
    case null, boolean, integer, number, string, array, object
  }

  /// What is allowed for members that `properties` does not list.
  enum OtherMembers: Sendable {
    case any
    case none
    case each(OptionsSchema)
  }

  /// The allowed types; empty for any.
  let kinds: [Kind]
  /// The only allowed values (`enum`, `const`); nil for any.
  let values: [PluginOption]?
  /// The bounds of a number.
  let minimum: JSONNumber?
  /// The bounds of a number.
  let maximum: JSONNumber?
  /// The pattern that must match somewhere in a string.
  let pattern: Pattern?
  /// The pattern as written.
  let patternText: String?
  /// The schema of each item of an array.
  let items: OptionsSchema?
  /// The members of an object.
  let properties: [(name: String, schema: OptionsSchema)]
  /// The members that an object must have.
  let required: [String]
  /// The members that an object may have besides ``properties``.
  let others: OtherMembers
  /// The value that replaces a missing one.
  let usual: PluginOption?

  /// Creates a schema; without arguments, any value is allowed.
  init(
    kinds: [Kind] = [], values: [PluginOption]? = nil, minimum: JSONNumber? = nil, maximum: JSONNumber? = nil,
    pattern: (compiled: Pattern, text: String)? = nil, items: OptionsSchema? = nil,
    properties: [(name: String, schema: OptionsSchema)] = [], required: [String] = [],
    others: OtherMembers = .any, usual: PluginOption? = nil
  ) {
    (self.kinds, self.values, self.minimum, self.maximum) = (kinds, values, minimum, maximum)
    (self.pattern, patternText, self.items) = (pattern?.compiled, pattern?.text, items)
    (self.properties, self.required, self.others, self.usual) = (properties, required, others, usual)
  }

  /// Whether a value may have a type.
  func allows(_ kind: Kind) -> Bool {
    kinds.isEmpty || kinds.contains(kind) || kind == .integer && kinds.contains(.number)
  }
}

/// A value of an option, as it is sent to a plugin.
indirect enum PluginOption: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// A number as written.
  case number(String)
  case string(String)
  case array([PluginOption])
  /// An object with its members in order.
  case object([Member])

  struct Member: Hashable, Sendable {
    var name: String
    var value: PluginOption
  }

  var json: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number(let text): text
    case .string(let text): text.quotedInJSON
    case .array(let items): "[\(items.map(\.json).joined(separator: ","))]"
    case .object(let members):
      "{\(members.map { "\($0.name.quotedInJSON):\($0.value.json)" }.joined(separator: ","))}"
    }
  }

  /// Whether two values are equal as JSON: numbers by value, and objects in any order.
  func isEqual(to other: PluginOption) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)):
      left == right
        || JSONNumber(left).flatMap { left in JSONNumber(right).map { left.order(to: $0) == 0 } } ?? false
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.allSatisfy { member in
          right.contains { $0.name == member.name && member.value.isEqual(to: $0.value) }
        }
    default: self == other
    }
  }
}

extension FieldReader where Value == OptionsSchema {
  /// A schema in a separate file; every keyword that has no effect here is an error.
  static var optionsSchema: FieldReader {
    FieldReader { node, field, findings in
      // `true` allows any value (JSON Schema core, §4.3.2).
      if let scalar = node.scalar, scalar.isPlain, scalar.text == "true" { return OptionsSchema() }
      return keywords.value(of: node, field: field, findings)
    }
  }

  private static var keywords: FieldReader {
    .mapping { reader in
      let kinds = reader.optional(
        "type", FieldReader<[OptionsSchema.Kind]>.oneOrMore(of: .kind), summary: "the allowed types")
      let values = reader.optional("enum", FieldReader<[PluginOption]>.nonEmptyList(of: .value))
      let constant = reader.optional("const", .value)
      let minimum = reader.optional("minimum", .bound)
      let maximum = reader.optional("maximum", .bound)
      let pattern = reader.optional("pattern", FieldReader<(compiled: Pattern, text: String)>.pattern)
      let items = reader.optional("items", optionsSchema)
      let properties = reader.optional(
        "properties", FieldReader<[(entry: SourceEntry, value: OptionsSchema)]>.dictionary(of: optionsSchema))
      let required = reader.optional("required", FieldReader<[String]>.list(of: .nonEmptyText))
      let others = reader.optional("additionalProperties", .otherMembers)
      let usual = reader.optional("default", .value)
      for name in ["description", "title", "$schema", "$id", "$comment"] {
        _ = reader.optional(name, FieldReader<String>.text { $0 })
      }
      let known = properties?.map(\.entry.key) ?? []
      for name in required ?? [] where !known.contains(name) && properties != nil {
        guard case .none? = others else { continue }
        findings(reader, "required names \(Excerpt(name)), which properties does not have")
      }
      if let minimum, let maximum, minimum.order(to: maximum) > 0 {
        findings(reader, "minimum is above maximum")
      }
      return OptionsSchema(
        kinds: kinds ?? [], values: constant.map { [$0] } ?? values, minimum: minimum, maximum: maximum,
        pattern: pattern, items: items, properties: (properties ?? []).map { ($0.entry.key, $0.value) },
        required: required ?? [], others: others ?? .any, usual: usual)
    }
  }

  private static func findings(_ reader: MappingReader, _ message: String) {
    reader.findings.add(message, remedy: nil, at: reader.node)
  }
}

extension FieldReader where Value == OptionsSchema.Kind {
  fileprivate static var kind: FieldReader {
    .text("a type such as string") { text throws(InvalidInput) in
      if let kind = OptionsSchema.Kind(rawValue: text) { return kind }
      let names = OptionsSchema.Kind.allCases.map(\.rawValue)
      throw InvalidInput(
        "there is no type \(Excerpt(text))",
        remedy: nearestName(to: text, among: names).map { "did you mean \($0)?" }
          ?? "use one of \(names.joined(separator: ", "))")
    }
  }
}

extension FieldReader where Value == OptionsSchema.OtherMembers {
  fileprivate static var otherMembers: FieldReader {
    FieldReader { node, field, findings in
      if let scalar = node.scalar, scalar.isPlain, scalar.text == "false" {
        return OptionsSchema.OtherMembers.none
      }
      return FieldReader<OptionsSchema>.optionsSchema.value(of: node, field: field, findings).map {
        .each($0)
      }
    }
  }
}

extension FieldReader where Value == JSONNumber {
  fileprivate static var bound: FieldReader {
    FieldReader { node, field, findings in
      if let scalar = node.scalar, scalar.isPlain, let number = JSONNumber(scalar.text) { return number }
      findings.add("\(field) must be a number", remedy: nil, at: node)
      return nil
    }
  }
}

extension FieldReader where Value == PluginOption {
  /// Any value of JSON.
  fileprivate static var value: FieldReader {
    FieldReader { node, field, findings in OptionsSchema().option(of: node, field, findings) }
  }
}

extension FieldReader where Value == (compiled: Pattern, text: String) {
  fileprivate static var pattern: FieldReader {
    .text("a regular expression") { text throws(InvalidInput) in
      do throws(PatternError) {
        return (try Pattern(text), text)
      } catch {
        throw InvalidInput("the pattern \(Excerpt(text)) is not valid: \(error.message)")
      }
    }
  }
}

extension OptionsSchema {
  /// Checks the options in a pipeline file, and converts them.
  ///
  /// A scalar without quotes has the first of these types that the schema allows and its text fits: null, boolean,
  /// number, string. One in quotes is a string.
  ///
  /// - Parameters:
  ///   - node: The value in the file.
  ///   - field: Its name in messages.
  ///   - findings: Receives every error, at its location.
  /// - Returns: The value with the defaults of what is missing; nil if there is an error.
  func option(of node: SourceNode, _ field: String, _ findings: SourceFindings) -> PluginOption? {
    if findings.stopIfFull() { return nil }
    let option: PluginOption?
    switch node.content {
    case .unusable: return nil
    case .scalar(let scalar): option = self.scalar(scalar, node, field, findings)
    case .sequence(let nodes):
      guard allows(.array) else { return refuse(node, field, findings) }
      let read = nodes.map { (items ?? OptionsSchema()).option(of: $0, "an item of \(field)", findings) }
      option = read.contains(nil) ? nil : .array(read.compactMap(\.self))
    case .mapping(let entries):
      guard allows(.object) else { return refuse(node, field, findings) }
      option = object(entries, node, field, findings)
    }
    guard let option else { return nil }
    guard let values, !values.contains(where: { $0.isEqual(to: option) }) else { return option }
    let nearest: String? =
      if case .string(let text) = option {
        findings.nearest(
          to: text, among: values.compactMap { if case .string(let text) = $0 { text } else { nil } })
      } else { nil }
    findings.add(
      "\(field) cannot be \(Excerpt(node.scalar?.text ?? option.json))",
      remedy: nearest.map { "did you mean \($0)?" }
        ?? "use \(values.prefix(20).map(\.json).joined(separator: " or "))", at: node)
    return nil
  }

  /// The value that replaces a missing one: its default, or an object of the defaults of its members.
  var missing: PluginOption? {
    if let usual { return usual }
    guard kinds == [.object] || kinds.isEmpty && !properties.isEmpty, required.isEmpty else { return nil }
    let members = properties.compactMap { name, schema in
      schema.usual.map { PluginOption.Member(name: name, value: $0) }
    }
    return .object(members)
  }

  private func refuse(_ node: SourceNode, _ field: String, _ findings: SourceFindings) -> PluginOption? {
    let found = node.scalar.map { "\(Excerpt($0.text))" } ?? node.kindName
    let isQuoted = node.scalar?.isPlain == false
    findings.add(
      "\(field) must be \(kinds.map(\.words).joined(separator: " or ")), not \(found)\(isQuoted ? " in quotes" : "")",
      remedy: nil, at: node)
    return nil
  }

  private func scalar(
    _ scalar: SourceScalar, _ node: SourceNode, _ field: String, _ findings: SourceFindings
  ) -> PluginOption? {
    if scalar.isNull, allows(.null) { return .null }
    if scalar.isPlain {
      if allows(.boolean), let value = Bool(scalar.text) { return .boolean(value) }
      if let number = JSONNumber(scalar.text), allows(number.isWhole ? .integer : .number) {
        if let minimum, number.order(to: minimum) < 0 {
          findings.add("\(field) cannot be below \(minimum.text)", remedy: nil, at: node)
          return nil
        }
        if let maximum, number.order(to: maximum) > 0 {
          findings.add("\(field) cannot be above \(maximum.text)", remedy: nil, at: node)
          return nil
        }
        return .number(scalar.text)
      }
    }
    guard allows(.string), !scalar.isNull else { return refuse(node, field, findings) }
    guard let pattern, let patternText else { return .string(scalar.text) }
    switch pattern.firstMatch(in: Array(scalar.text.utf8)) {
    case .match: return .string(scalar.text)
    case .noMatch:
      findings.add(
        "\(field) cannot be \(Excerpt(scalar.text))", remedy: "use one that matches \(Excerpt(patternText))",
        at: node)
    case .limit:
      findings.add(
        "the pattern \(Excerpt(patternText)) takes too long to check \(field)",
        remedy: "simplify it in the schema", at: node)
    }
    return nil
  }

  private func object(
    _ entries: [SourceEntry], _ node: SourceNode, _ field: String, _ findings: SourceFindings
  ) -> PluginOption? {
    var members: [PluginOption.Member] = []
    var meant: [String] = []
    var isWhole = true
    for entry in entries {
      let schema: OptionsSchema
      if let property = properties.first(where: { $0.name == entry.key }) {
        schema = property.schema
      } else {
        switch others {
        case .any: schema = OptionsSchema()
        case .each(let other): schema = other
        case .none:
          if let nearest = findings.reportUnknown(entry, in: field, known: properties.map(\.name)) {
            meant.append(nearest)
          }
          isWhole = false
          continue
        }
      }
      if let value = schema.option(of: entry.value, entry.fieldName, findings) {
        members.append(PluginOption.Member(name: entry.key, value: value))
      } else {
        isWhole = false
      }
    }
    let names = Set(entries.map(\.key)).union(meant)
    for name in required where !names.contains(name) && node.isComplete {
      findings.add("\(field) has no \(name)", remedy: "the schema of the plugin requires it", at: node)
      isWhole = false
    }
    for (name, schema) in properties where !names.contains(name) {
      if let value = schema.usual { members.append(PluginOption.Member(name: name, value: value)) }
    }
    return isWhole ? .object(members) : nil
  }
}

extension OptionsSchema.Kind {
  /// A value of the type with its article.
  fileprivate var words: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .integer: "a whole number"
    case .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "a mapping"
    }
  }
}
