import ProbeCore
import SourceDocuments

/// Replaces `${vars.NAME}` in the texts of a pipeline file that can contain variables.
///
/// It works on the values of the file before they are read, so that every reader sees the final text, and
/// every error keeps its location.
struct Substitution {
  /// The kind of text, which determines how a value is inserted.
  enum Context {
    /// A header field, a query or a body: as it is.
    case text
    /// A name or a label: as it is; a secret is left as `${vars.NAME}`.
    case shown
    /// A URL: without changing its scheme and the ends of its parts.
    case url
    /// A text that a dialog sends: without being an escape or a reference.
    case dialog
    /// An argument of a program: without being an option, and never a secret.
    case argument
  }

  private let variables: Variables
  private let keys: [String: VariableUse]
  private let findings: SourceFindings
  /// How many more bytes may be inserted.
  private var room = 4 << 20

  /// Prepares to replace variables.
  ///
  /// - Parameters:
  ///   - variables: The variables.
  ///   - keys: The request keys, which say where their values can have variables.
  ///   - findings: Receives all errors.
  init(_ variables: Variables, in keys: [SharedRequestKey], _ findings: SourceFindings) {
    self.variables = variables
    self.keys = Dictionary(uniqueKeysWithValues: keys.map { ($0.name, $0.first.variables) })
    self.findings = findings
  }

  /// The whole file with the values instead of the variables.
  mutating func pipeline(_ root: SourceNode) -> SourceNode { part(root) }

  /// The top level, a set, a URL or a step.
  private mutating func part(_ node: SourceNode) -> SourceNode {
    entries(of: node) { part, entry in
      switch entry.key {
      case "name": part.scalar(entry.value, .shown)
      case "url", "capport": part.scalar(entry.value, .url)
      case "labels": part.values(of: entry.value, .shown)
      case "request": part.request(entry.value)
      case "policy": part.part(entry.value)
      case "check": part.arguments(entry.value)
      case "sets", "steps": part.items(of: entry.value) { $0.part($1) }
      case "urls": part.items(of: entry.value) { $1.scalar == nil ? $0.part($1) : $0.scalar($1, .url) }
      case "decide": part.rule(entry.value)
      case "vars", "description": entry.value
      default: part.withoutVariables(entry.value, of: entry.key)
      }
    }
  }

  /// The arguments of a program, whose name has no variables.
  private mutating func arguments(_ node: SourceNode) -> SourceNode {
    var isName = true
    return items(of: node) { part, item in
      defer { isName = false }
      guard isName, item.scalar.map({ ReferenceSyntax.refersToVariable($0.text) }) == true else {
        return part.scalar(item, .argument)
      }
      part.findings.add("the name of a program has no variables", remedy: "write the name itself", at: item)
      return SourceNode(.unusable, span: item.span)
    }
  }

  private mutating func request(_ node: SourceNode) -> SourceNode {
    entries(of: node) { part, entry in
      switch part.keys[entry.key] ?? .none {
      case .texts: part.values(of: entry.value, .text)
      case .text: part.scalar(entry.value, .text)
      case .dialog: part.items(of: entry.value) { $0.step($1) }
      case .none: part.withoutVariables(entry.value, of: entry.key)
      }
    }
  }

  private mutating func step(_ node: SourceNode) -> SourceNode {
    entries(of: node) { part, entry in
      switch entry.key {
      case "send": part.scalar(entry.value, .dialog)
      case "expect", "reject", "text":
        entry.value.scalar == nil ? part.step(entry.value) : part.scalar(entry.value, .text)
      default: entry.value
      }
    }
  }

  /// The value of a key whose texts have no variables: a reference in it is an error, because it would be read as a text.
  private mutating func withoutVariables(_ node: SourceNode, of key: String) -> SourceNode {
    if node.scalar.map({ ReferenceSyntax.refersToVariable($0.text) }) == true {
      findings.add(
        "\(Excerpt(key)) has no variables",
        remedy: "write the value itself; a secret is { env: NAME } or { file: PATH }", at: node)
      return SourceNode(.unusable, span: node.span)
    }
    let whole = items(of: node) { $0.withoutVariables($1, of: key) }
    return entries(of: whole) { $0.withoutVariables($1.value, of: key) }
  }

  /// The names of sets in the rules of `decide`.
  private mutating func rule(_ node: SourceNode) -> SourceNode {
    if case .sequence = node.content { return items(of: node) { $0.rule($1) } }
    return entries(of: node) { part, entry in
      entry.key == "set" ? part.scalar(entry.value, .shown) : part.rule(entry.value)
    }
  }

  /// The texts of a mapping, alone or in lists.
  private mutating func values(of node: SourceNode, _ context: Context) -> SourceNode {
    entries(of: node) { part, entry in
      entry.value.scalar == nil
        ? part.items(of: entry.value) { $0.scalar($1, context) } : part.scalar(entry.value, context)
    }
  }

  private mutating func entries(
    of node: SourceNode, _ change: (inout Substitution, SourceEntry) -> SourceNode
  ) -> SourceNode {
    guard case .mapping(var entries) = node.content else { return node }
    for index in entries.indices { entries[index].value = change(&self, entries[index]) }
    var node = node
    node.content = .mapping(entries)
    return node
  }

  private mutating func items(
    of node: SourceNode, _ change: (inout Substitution, SourceNode) -> SourceNode
  ) -> SourceNode {
    guard case .sequence(var items) = node.content else { return node }
    for index in items.indices { items[index] = change(&self, items[index]) }
    var node = node
    node.content = .sequence(items)
    return node
  }
}

extension Substitution {
  private mutating func scalar(_ node: SourceNode, _ context: Context) -> SourceNode {
    guard let scalar = node.scalar, scalar.text.utf8.contains(UInt8(ascii: "$")) else { return node }
    var node = node
    do throws(InvalidInput) {
      var template = Template(scalar.text, context, variables)
      let (text, shown, inserted) = try template.substituted()
      room -= inserted
      guard room >= 0 else { throw InvalidInput("the values of variables in this file are too long in all") }
      var replaced = SourceScalar(text, isPlain: scalar.isPlain && text == scalar.text)
      replaced.shown = shown == text ? nil : shown
      node.content = .scalar(replaced)
    } catch {
      findings.add(error, at: node)
      node.content = .unusable
    }
    return node
  }
}
