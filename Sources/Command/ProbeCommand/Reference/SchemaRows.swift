import ProbeCore
import CommandKit

/// The keys of a file with their properties from its schema, collected in one traversal for the reference.
package struct SchemaRows {
  /// A key.
  struct Row: Equatable {
    /// The placeholder for the default value of a required key.
    static let required = ManualPage.required

    /// The path, with dots between keys and `[]` after a list, such as `sets[].name`.
    var path: String
    var summary: String?
    /// The permitted values, in words.
    var value: String
    var defaultValue: String
  }

  /// The keys of a mapping: the file, or a named value that other values refer to.
  struct Group {
    /// The name in the schema, or nil for the file.
    var name: String?
    /// The permitted values, in words.
    var value: String
    /// The permitted combinations of keys; empty if all keys can be combined.
    var forms: [String]
    var rows: [Row]
  }

  private let definitions: [String: ValueSchema]
  /// The file first, then the named values in the order of their first reference.
  private(set) var groups: [Group] = []
  private var found: [String] = []

  init(_ schema: ValueSchema) {
    definitions = schema.definitions
    add(schema, named: nil)
    var index = 0
    while index < found.count {
      if let schema = definitions[found[index]] { add(schema, named: found[index]) }
      index += 1
    }
  }

  private mutating func add(_ schema: ValueSchema, named name: String?) {
    var group = Group(name: name, value: words(of: schema), forms: forms(of: schema), rows: [])
    walk(schema, at: "", into: &group.rows)
    groups.append(group)
  }

  /// Traverses a schema; in a schema that is one of several mappings, no key counts as required.
  private mutating func walk(
    _ schema: ValueSchema, at path: String, isOneOfSeveral: Bool = false, into rows: inout [Row]
  ) {
    switch schema.kind {
    case .checkedWhenDecoded(let inner): walk(inner, at: path, isOneOfSeveral: isOneOfSeveral, into: &rows)
    case .list(let item, _): walkInside(item, at: path + "[]", into: &rows)
    case .anyOf(let schemas):
      for schema in schemas {
        walkInside(schema, at: path, isOneOfSeveral: schemas.areSeveralMappings, into: &rows)
      }
    case .mapping(let keys, let others):
      for key in keys {
        let keyPath = path.isEmpty || path.hasSuffix(".") ? path + key.name : "\(path).\(key.name)"
        add(key, at: keyPath, isRequired: key.isRequired && !isOneOfSeveral, into: &rows)
        walkInside(key.schema, at: keyPath, into: &rows)
      }
      if let others { walkInside(others, at: path + ".*", into: &rows) }
    case .anything, .text, .integer, .number, .boolean, .choice, .named, .reference, .json: break
    }
  }

  /// Continues inside a value; a named value has its own group.
  private mutating func walkInside(
    _ schema: ValueSchema, at path: String, isOneOfSeveral: Bool = false, into rows: inout [Row]
  ) {
    switch schema.kind {
    case .named(let name, _), .reference(let name): if !found.contains(name) { found.append(name) }
    default: walk(schema, at: path, isOneOfSeveral: isOneOfSeveral, into: &rows)
    }
  }

  /// Adds a row; a key that occurs in several mappings has a single row.
  private func add(_ key: ValueSchema.Key, at path: String, isRequired: Bool, into rows: inout [Row]) {
    let row = Row(
      path: path, summary: key.summary, value: words(of: key.schema),
      defaultValue: isRequired ? Row.required : key.defaultValue ?? "")
    guard let index = rows.firstIndex(where: { $0.path == path }) else { return rows.append(row) }
    if rows[index] != row, rows[index].value != row.value {
      rows[index].value += ", or " + row.value
    }
  }

  /// The keys of each permitted mapping, such as `set, outcome, count (optional)`; empty if there is only one.
  private func forms(of schema: ValueSchema) -> [String] {
    let mappings = schema.unwrapped.alternatives.compactMap { schema -> [ValueSchema.Key]? in
      if case .mapping(let keys, _) = schema.unwrapped.kind { keys } else { nil }
    }
    guard mappings.count > 1, mappings.contains(where: { $0.count > 1 }) else { return [] }
    return mappings.map { keys in
      keys.map { $0.isRequired ? $0.name : "\($0.name) (optional)" }.joined(separator: ", ")
    }
  }
}

extension SchemaRows {
  /// The permitted values, in words for a table.
  private func words(of schema: ValueSchema) -> String {
    switch schema.kind {
    case .anything, .json: "any value"
    case .text(let text): words(of: text)
    case .integer(let bounds): Self.words(of: bounds)
    case .number: "number"
    case .boolean: "true or false"
    case .choice(let names): names.alternatives
    case .list(let item, let count):
      (count > 0 ? "non-empty list of " : "list of ") + "(\(words(of: item)))".withoutNeedlessParentheses
    case .mapping(let keys, let others):
      others.map { "mapping of names to \(words(of: $0))" } ?? (keys.isEmpty ? "empty mapping" : "mapping")
    case .anyOf(let schemas):
      words(ofOneOrMore: schemas)
        ?? schemas.map { words(of: $0) }
        .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }.alternatives
    case .named(let name, _), .reference(let name): name
    case .checkedWhenDecoded(let inner): words(of: inner)
    }
  }

  /// The permitted values of a schema for one value or a list of such values; nil for any other schema.
  private func words(ofOneOrMore schemas: [ValueSchema]) -> String? {
    for case .list(let item, _) in schemas.map(\.kind) {
      let others = schemas.filter { if case .list = $0.kind { false } else { true } }
      if ValueSchema.anyOf(others) == item { return words(of: item) + ", or a list of these" }
    }
    return nil
  }

  private func words(of text: TextSchema) -> String {
    switch text.syntax {
    case .duration: "duration"
    case .byteCount: "size"
    case nil: text.examples.isEmpty ? "text" : "text such as " + text.examples.alternatives
    }
  }

  private static func words(of bounds: ClosedRange<Int>) -> String {
    switch (bounds.lowerBound, bounds.upperBound) {
    case (.min, .max): "integer"
    case (let low, .max): "integer from \(low)"
    case (.min, let high): "integer up to \(high)"
    case (let low, let high): low == high ? "\(low)" : "integer from \(low) to \(high)"
    }
  }
}

extension [ValueSchema] {
  fileprivate var areSeveralMappings: Bool {
    count { if case .mapping = $0.unwrapped.kind { true } else { false } } > 1
  }
}

extension String {
  /// The text without enclosing parentheses.
  fileprivate var withoutNeedlessParentheses: String {
    let inner = dropFirst().dropLast()
    return inner.contains(" or ") || inner.contains(", ") ? self : String(inner)
  }
}
