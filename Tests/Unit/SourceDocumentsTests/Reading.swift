import SourceDocuments

/// A text read as a file named `f.yaml`.
struct Reading {
  let root: SourceNode?
  let findings: [SourceFinding]

  init(_ bytes: [UInt8], limits: SourceDocument.Limits = .init()) {
    let found = SourceFindings(SourceFile(path: "f.yaml", bytes: bytes))
    root = SourceDocument.read(found, limits: limits)
    findings = found.all
  }

  init(_ text: String, limits: SourceDocument.Limits = .init()) {
    self.init(Array(text.utf8), limits: limits)
  }

  /// The value as text: `"text"`, without quotes if it had none, `[…]`, `{…}`, and `!` for an unusable part.
  var value: String { root.map(Self.text) ?? "nothing" }

  /// The findings, one line each.
  var messages: [String] {
    findings.map { "\($0.location?.line ?? 0):\($0.location?.column ?? 0) \($0.message)" }
  }

  private static func text(_ node: SourceNode) -> String {
    switch node.content {
    case .scalar(let scalar): scalar.isPlain ? scalar.text : "\"\(scalar.text)\""
    case .sequence(let items): "[" + items.map(text).joined(separator: " ") + "]"
    case .mapping(let entries):
      "{" + entries.map { "\($0.key)=\(text($0.value))" }.joined(separator: " ") + "}"
    case .unusable: "!"
    }
  }
}
