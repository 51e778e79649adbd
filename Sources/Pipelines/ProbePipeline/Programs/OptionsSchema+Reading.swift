import ProbeCore
import ProbePatterns
import SourceDocuments

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
