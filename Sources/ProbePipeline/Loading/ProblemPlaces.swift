import ProbeCore
import SourceDocuments

extension SourceFindings {
  /// Tells of a problem of a plan at the place of the file it came from.
  func add(_ problem: InvalidPlan.Problem, in root: SourceNode) {
    add(problem.input, at: problem.node(in: root))
  }
}

extension InvalidPlan.Problem {
  /// The nearest value of the file that the problem is about.
  fileprivate func node(in root: SourceNode) -> SourceNode {
    guard let set else {
      return root.descend(rule.map { ["decide", "\($0)", "when"] } ?? Self.path(ofPipelineField: field))
    }
    let setNode = root.descend(["sets", "\(set)"])
    guard let target else {
      return setNode.descend(Self.path(ofField: field, in: setNode) + (rule.map { ["\($0)"] } ?? []))
    }
    let node = setNode.descend(["urls", "\(target)"])
    // What is wrong with a request as a whole shows at its URL.
    return node.descend(field == "request" ? ["url"] : Self.path(ofField: field, in: node))
  }

  private static func path(ofPipelineField field: String?) -> [String] {
    switch field {
    case "success": ["success", "threshold"]
    case "capport": ["policy", "capport"]
    case "concurrency", "perHost", "deadline": ["run", field ?? ""]
    default: field?.split(separator: ".").map(String.init) ?? []
    }
  }

  private static func path(ofField field: String?, in node: SourceNode) -> [String] {
    guard field == "judge" else { return field?.split(separator: ".").map(String.init) ?? [] }
    return [node.entry("validate") == nil ? "classify" : "validate"]
  }
}

extension SourceNode {
  /// The value that a path of keys and positions leads to, or the last one on the way that there is.
  fileprivate func descend(_ path: [String]) -> SourceNode {
    guard let first = path.first else { return self }
    let next: SourceNode? =
      switch content {
      case .mapping: entry(first)?.value
      case .sequence(let items): Int(first).flatMap { items.indices.contains($0) ? items[$0] : nil }
      case .scalar, .unusable: nil
      }
    return next?.descend(Array(path.dropFirst())) ?? self
  }
}
