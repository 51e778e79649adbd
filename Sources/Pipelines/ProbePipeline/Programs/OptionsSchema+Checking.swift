import ProbeCore
import ProbePatterns
import SourceDocuments

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
    if findings.givesUp() { return nil }
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
