internal import ProbeCore

/// Checks a value against its schema, and reports every error at its location.
struct SchemaCheck {
  /// One of the schemas that a value may match.
  private struct Alternative {
    var schema: ValueSchema
    /// Whether the decoded type reports the errors.
    var isLeftToType: Bool
  }

  /// An error for which the decoded type may have a better message.
  struct Deferred {
    var mistake: InvalidInput
    var path: [String]
    var node: SourceNode
  }

  private let definitions: [String: ValueSchema]
  private let findings: SourceFindings
  /// The paths of unknown keys.
  private(set) var unknown: [[String]] = []
  /// The errors to report if the decoded type does not.
  private(set) var deferred: [Deferred] = []
  /// The paths of lists and mappings whose errors the decoded types report.
  private(set) var leftToTypes: [[String]] = []
  /// Whether the value can be decoded; unknown keys and deferred errors do not prevent that.
  private(set) var isDecodable = true

  init(_ node: SourceNode, _ schema: ValueSchema, field: String, _ findings: SourceFindings) {
    definitions = schema.definitions
    self.findings = findings
    check(node, schema, field, at: [])
  }

  private mutating func check(
    _ node: SourceNode, _ schema: ValueSchema, _ field: String, at path: [String]
  ) {
    if case .unusable = node.content { return }
    if findings.stopIfFull() {
      isDecodable = false
      return
    }
    let alternatives = alternatives(of: schema)
    if alternatives.contains(where: { $0.schema == .anything }) { return leave(node, at: path) }
    guard node.scalar?.isNull != true else { return report(ScalarRules.noValue(field), at: node) }
    let fitting = alternatives.filter { $0.schema.hasShape(of: node) }
    guard !fitting.isEmpty else { return report(mismatch(node, field, alternatives), at: node) }
    guard !fitting.contains(where: \.isLeftToType) else { return leave(node, at: path) }
    switch node.content {
    case .scalar: checkScalar(node, field, fitting, of: alternatives)
    case .sequence(let nodes): checkList(node, nodes, field, fitting, at: path)
    case .mapping(let entries): checkMapping(node, entries, field, fitting, at: path)
    case .unusable: break
    }
  }

  private mutating func leave(_ node: SourceNode, at path: [String]) {
    if node.scalar == nil { leftToTypes.append(path) }
  }

  private mutating func report(_ mistake: InvalidInput, at node: SourceNode) {
    isDecodable = false
    findings.add(mistake, at: node)
  }

  /// The schemas that a value may match, with references resolved.
  private func alternatives(
    of schema: ValueSchema, isLeftToType: Bool = false, followed: Set<String> = []
  ) -> [Alternative] {
    switch schema.kind {
    case .named(_, let inner): alternatives(of: inner, isLeftToType: isLeftToType, followed: followed)
    case .checkedWhenDecoded(let inner): alternatives(of: inner, isLeftToType: true, followed: followed)
    case .anyOf(let schemas):
      schemas.flatMap { alternatives(of: $0, isLeftToType: isLeftToType, followed: followed) }
    case .reference(let name):
      // A reference without a definition, or to itself only, matches anything.
      if !followed.contains(name), let inner = definitions[name] {
        alternatives(of: inner, isLeftToType: isLeftToType, followed: followed.union([name]))
      } else {
        [Alternative(schema: .anything, isLeftToType: isLeftToType)]
      }
    default: [Alternative(schema: schema, isLeftToType: isLeftToType)]
    }
  }
}

extension SchemaCheck {
  private mutating func checkScalar(
    _ node: SourceNode, _ field: String, _ fitting: [Alternative], of all: [Alternative]
  ) {
    let mistakes = fitting.map { $0.schema.mistake(in: node, field) }
    guard let mistake = mistakes[0], mistakes.allSatisfy({ $0 != nil }) else { return }
    // A text schema describes the error best; a number may have been meant as another type.
    let isExact = fitting.count == 1 && (all.count == 1 || fitting[0].schema.isText)
    report(isExact ? mistake : self.mismatch(node, field, all), at: node)
  }

  private mutating func checkList(
    _ node: SourceNode, _ nodes: [SourceNode], _ field: String, _ fitting: [Alternative], at path: [String]
  ) {
    var (items, minimum): ([ValueSchema], Int) = ([], .max)
    for case .list(let item, let count) in fitting.map(\.schema.kind) {
      items.append(item)
      minimum = min(minimum, count)
    }
    if nodes.count < minimum, node.isComplete {
      let mistake =
        nodes.isEmpty
        ? InvalidInput("the list is empty", remedy: "omit the key, or add an item")
        : InvalidInput("the list has \(nodes.count) items", remedy: "give it at least \(minimum)")
      deferred.append(Deferred(mistake: mistake, path: path, node: node))
    }
    let item = items.count == 1 ? items[0] : ValueSchema.anyOf(items)
    for (index, node) in nodes.enumerated() { check(node, item, field, at: path + ["\(index)"]) }
  }

  private mutating func checkMapping(
    _ node: SourceNode, _ entries: [SourceEntry], _ field: String, _ fitting: [Alternative],
    at path: [String]
  ) {
    let (keys, others, mistake) = meant(fitting, by: Set(entries.map(\.key)), field)
    if let mistake { deferred.append(Deferred(mistake: mistake, path: path, node: node)) }
    let known = keys.map(\.name)
    findings.know(known)
    var present: Set<String> = []
    for entry in entries {
      let key = keys.first { $0.name == entry.key }
      guard let schema = key?.schema ?? others else {
        let nearest = findings.reportUnknown(entry, in: field, known: known)
        unknown.append(path + [entry.key])
        if let nearest { present.insert(nearest) }
        continue
      }
      present.insert(entry.key)
      // An optional key may have no value.
      if key?.isRequired == false, entry.value.scalar?.isNull == true { continue }
      check(entry.value, schema, entry.fieldName, at: path + [entry.key])
    }
    // After a syntax error the rest of the keys is unknown; a misspelled key is not missing.
    guard node.isComplete else { return }
    for key in keys where key.isRequired && !present.contains(key.name) {
      report(ScalarRules.noKey(key.name, in: field, example: key.schema.example), at: node)
    }
  }

  /// Selects the mapping schema that a value is meant to match: the one that has most of its keys.
  ///
  /// If several remain, the value may have the keys of all, and an error is returned.
  private func meant(
    _ fitting: [Alternative], by names: Set<String>, _ field: String
  ) -> (keys: [ValueSchema.Key], others: ValueSchema?, mistake: InvalidInput?) {
    var all: [(keys: [ValueSchema.Key], others: ValueSchema?)] = []
    for case .mapping(let keys, let others) in fitting.map(\.schema.kind) { all.append((keys, others)) }
    func score(_ keys: [ValueSchema.Key]) -> (Int, Int) {
      let present = keys.filter { names.contains($0.name) }
      return (present.count(where: \.isRequired), present.count)
    }
    let best = all.reduce(all[0]) { score($0.keys) < score($1.keys) ? $1 : $0 }
    let required = all.flatMap(\.keys).filter(\.isRequired)
    let isNamed = score(best.keys).0 > 0 || !best.keys.contains(where: \.isRequired)
    let own = Set(best.keys.map(\.name))
    let foreign = all.flatMap(\.keys).map(\.name).filter { names.contains($0) && !own.contains($0) }
    if all.count == 1 || isNamed && foreign.isEmpty { return (best.keys, best.others, nil) }
    var keys: [ValueSchema.Key] = []
    for var key in all.flatMap(\.keys) where !keys.contains(where: { $0.name == key.name }) {
      key.isRequired = false
      keys.append(key)
    }
    let mistake =
      isNamed
      ? InvalidInput("\(field) has keys that cannot be combined", remedy: "omit \(foreign[0])")
      : InvalidInput(
        "\(field) has no \(required.map(\.name).alternatives)",
        remedy: required.first.map { "add a line such as \($0.name): \($0.schema.example)" })
    return (keys, all.compactMap(\.others).first, mistake)
  }

  /// The error for a value that matches none of the possible shapes.
  private func mismatch(_ node: SourceNode, _ field: String, _ all: [Alternative]) -> InvalidInput {
    guard all.count > 1, let words = ValueSchema.anyOf(all.map(\.schema)).words else {
      return all[0].schema.mistake(in: node, field) ?? ScalarRules.noValue(field)
    }
    let found = node.scalar.map { "\(Excerpt($0.text))" } ?? node.kindName
    return InvalidInput("\(field) must be \(words), not \(found)")
  }
}

extension ValueSchema {
  fileprivate var isText: Bool {
    switch kind {
    case .text, .choice: true
    default: false
    }
  }

  /// Whether a value is a scalar, a list or a mapping, as the schema requires.
  fileprivate func hasShape(of node: SourceNode) -> Bool {
    switch kind {
    case .list: if case .sequence = node.content { true } else { false }
    case .mapping: if case .mapping = node.content { true } else { false }
    default: node.scalar != nil
    }
  }

  /// The error in a scalar, or in the shape of a value, or nil.
  fileprivate func mistake(in node: SourceNode, _ field: String) -> InvalidInput? {
    do throws(InvalidInput) {
      switch kind {
      case .text(let schema): try schema.check(node, field)
      case .integer(let bounds): _ = try ScalarRules.integer(node, field, in: bounds)
      case .number: _ = try ScalarRules.number(node, field, Double.self)
      case .boolean: _ = try ScalarRules.boolean(node, field)
      case .choice(let names):
        guard let text = node.scalar?.text, names.contains(text) else {
          return ScalarRules.noChoice(node, field, among: names)
        }
      case .list: return ScalarRules.noList(node, field)
      case .mapping: return ScalarRules.noMapping(node, field)
      case .anything, .anyOf, .named, .reference, .checkedWhenDecoded, .json: break
      }
      return nil
    } catch {
      return error
    }
  }
}

extension TextSchema {
  fileprivate func check(_ node: SourceNode, _ field: String) throws(InvalidInput) {
    if syntax == .duration {
      _ = try ScalarRules.duration(node, field)
      return
    }
    let text = try ScalarRules.text(node, field, canBeEmpty: canBeEmpty)
    if syntax == .byteCount { _ = try ValueSyntax.byteCount(text, in: 0 ... .max) }
  }
}
