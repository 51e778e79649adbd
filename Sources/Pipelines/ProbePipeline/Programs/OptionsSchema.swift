import ProbeCore
import ProbePatterns
import SourceDocuments

/// A JSON Schema for the options of a plugin: the keywords that constrain a value, without references.
///
/// The meaning of each keyword is that of JSON Schema (draft 2020-12), except that `default` is not only an annotation:
/// an option that is missing has that value.
struct OptionsSchema: Sendable {
  /// A type of JSON values.
  enum Kind: String, CaseIterable {
    case null, boolean, integer, number, string, array, object
  }

  /// What is allowed for parts without a schema of their own.
  indirect enum Parts: Sendable {
    case any
    case nothing
    case each(OptionsSchema)

    /// The schema of a part; nil if there can be none.
    var schema: OptionsSchema? {
      switch self {
      case .any: OptionsSchema()
      case .nothing: nil
      case .each(let schema): schema
      }
    }
  }

  /// The allowed types; empty for any.
  var kinds: [Kind] = []
  /// The only allowed values (`enum`, `const`); nil for any.
  var values: [JSONValue]?
  /// The lower bound of a number.
  var minimum: JSONNumber?
  /// The upper bound of a number.
  var maximum: JSONNumber?
  /// The pattern that must match somewhere in a string, and its text.
  var pattern: (compiled: Pattern, text: String)?
  /// What each item of an array must be.
  var items = Parts.any
  /// The members of an object.
  var properties: [(name: String, schema: OptionsSchema)] = []
  /// The members that an object must have.
  var required: [String] = []
  /// The members that an object may have besides ``properties``.
  var others = Parts.any
  /// The value that replaces a missing one.
  var usual: JSONValue?

  /// Whether a value may have a type.
  func allows(_ kind: Kind) -> Bool {
    kinds.isEmpty || kinds.contains(kind) || kind == .integer && kinds.contains(.number)
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
    .mapping(into: OptionsSchema()) { schema, reader in
      reader.read(into: &schema.kinds, "type", .oneOrMore(of: .kind), summary: "the allowed types")
      schema.values = reader.optional("enum", .nonEmptyList(of: .value))
      if let constant = reader.optional("const", .value) { schema.values = [constant] }
      schema.minimum = reader.optional("minimum", .bound)
      schema.maximum = reader.optional("maximum", .bound)
      schema.pattern = reader.optional("pattern", .pattern)
      reader.read(into: &schema.items, "items", .items)
      let properties = reader.optional("properties", .dictionary(of: optionsSchema))
      schema.properties = (properties ?? []).map { ($0.entry.key, $0.value) }
      reader.read(into: &schema.required, "required", .list(of: .nonEmptyText))
      reader.read(into: &schema.others, "additionalProperties", .otherMembers)
      schema.usual = reader.optional("default", .value)
      for name in ["description", "title", "$schema", "$id", "$comment"] {
        _ = reader.optional(name, FieldReader<String>.text)
      }
      if let properties, schema.others.schema == nil {
        let known = properties.map(\.entry.key)
        for name in schema.required where !known.contains(name) {
          reader.findings.add(
            "required names \(Excerpt(name)), which properties does not have", at: reader.node)
        }
      }
      if let minimum = schema.minimum, let maximum = schema.maximum, minimum.order(to: maximum) > 0 {
        reader.findings.add("minimum is above maximum", at: reader.node)
      }
    }
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

extension FieldReader where Value == OptionsSchema.Parts {
  fileprivate static var items: FieldReader {
    FieldReader<OptionsSchema>.optionsSchema.map { schema, _, _ in .each(schema) }
  }

  fileprivate static var otherMembers: FieldReader {
    FieldReader { node, field, findings in
      if let scalar = node.scalar, scalar.isPlain, scalar.text == "false" { return .nothing }
      return items.value(of: node, field: field, findings)
    }
  }
}

extension FieldReader where Value == JSONNumber {
  fileprivate static var bound: FieldReader {
    FieldReader { node, field, findings in
      if let scalar = node.scalar, scalar.isPlain, let number = JSONNumber(scalar.text) { return number }
      findings.add("\(field) must be a number", at: node)
      return nil
    }
  }
}

extension FieldReader where Value == JSONValue {
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
  func option(of node: SourceNode, _ field: String, _ findings: SourceFindings) -> JSONValue? {
    if findings.stopIfFull() { return nil }
    let option: JSONValue?
    switch node.content {
    case .unusable: return nil
    case .scalar(let scalar): option = self.scalar(scalar, node, field, findings)
    case .sequence(let nodes):
      guard allows(.array) else { return refuse(node, field, findings) }
      let read = nodes.map { items.schema?.option(of: $0, "an item of \(field)", findings) }
      option = read.contains(nil) ? nil : .array(read.compactMap(\.self))
    case .mapping(let entries):
      guard allows(.object) else { return refuse(node, field, findings) }
      option = object(entries, node, field, findings)
    }
    guard let option else { return nil }
    guard let values, !values.contains(where: { $0.isEqual(to: option) }) else { return option }
    let nearest = option.string.flatMap { findings.nearest(to: $0, among: values.compactMap(\.string)) }
    findings.add(
      "\(field) cannot be \(Excerpt(node.scalar?.text ?? option.text))",
      remedy: nearest.map { "did you mean \($0)?" }
        ?? "use \(values.prefix(20).map(\.text).joined(separator: " or "))", at: node)
    return nil
  }

  /// The value that replaces a missing one: its default, or an object of the defaults of its members.
  var missing: JSONValue? {
    if let usual { return usual }
    guard kinds == [.object] || kinds.isEmpty && !properties.isEmpty, required.isEmpty else { return nil }
    return .object(properties.compactMap { name, schema in schema.usual.map { JSONValue.Member(name, $0) } })
  }

  private func refuse(_ node: SourceNode, _ field: String, _ findings: SourceFindings) -> JSONValue? {
    let found = node.scalar.map { "\(Excerpt($0.text))" } ?? node.kindName
    let isQuoted = node.scalar?.isPlain == false
    findings.add(
      "\(field) must be \(kinds.map(\.words).joined(separator: " or ")), not \(found)\(isQuoted ? " in quotes" : "")",
      at: node)
    return nil
  }

  private func scalar(
    _ scalar: SourceScalar, _ node: SourceNode, _ field: String, _ findings: SourceFindings
  ) -> JSONValue? {
    if scalar.isNull, allows(.null) { return .null }
    if scalar.isPlain {
      if allows(.boolean), let value = Bool(scalar.text) { return .bool(value) }
      if let number = JSONNumber(scalar.text), allows(number.isWhole ? .integer : .number) {
        if let minimum, number.order(to: minimum) < 0 {
          findings.add("\(field) cannot be below \(minimum.text)", at: node)
          return nil
        }
        if let maximum, number.order(to: maximum) > 0 {
          findings.add("\(field) cannot be above \(maximum.text)", at: node)
          return nil
        }
        return .number(number)
      }
    }
    guard allows(.string), !scalar.isNull else { return refuse(node, field, findings) }
    guard let pattern else { return .string(scalar.text) }
    switch pattern.compiled.firstMatch(in: Array(scalar.text.utf8)) {
    case .match: return .string(scalar.text)
    case .noMatch:
      findings.add(
        "\(field) cannot be \(Excerpt(scalar.text))", remedy: "use one that matches \(Excerpt(pattern.text))",
        at: node)
    case .limit:
      findings.add(
        "the pattern \(Excerpt(pattern.text)) takes too long to check \(field)",
        remedy: "simplify it in the schema", at: node)
    }
    return nil
  }

  private func object(
    _ entries: [SourceEntry], _ node: SourceNode, _ field: String, _ findings: SourceFindings
  ) -> JSONValue? {
    var members: [JSONValue.Member] = []
    var meant: [String] = []
    var isWhole = true
    for entry in entries {
      let schema = properties.first { $0.name == entry.key }?.schema ?? others.schema
      if schema == nil,
        let nearest = findings.reportUnknown(entry, in: field, known: properties.map(\.name))
      {
        meant.append(nearest)
      }
      if let value = schema?.option(of: entry.value, entry.fieldName, findings) {
        members.append(JSONValue.Member(entry.key, value))
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
      if let value = schema.usual { members.append(JSONValue.Member(name, value)) }
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
