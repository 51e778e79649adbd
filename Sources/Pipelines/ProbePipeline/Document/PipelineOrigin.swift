package import SourceDocuments

/// The source of a part of a pipeline, for error messages.
package enum PipelineOrigin: Sendable {
  case code
  /// A value in a file.
  case file(SourceNode)
  /// A command line: the name of an option, or a positional argument.
  case argument(String)

  /// The value of a key, with dots between nested keys; if the key is absent, the innermost enclosing value.
  subscript(key: String?) -> PipelineOrigin {
    guard case .file(var node) = self, let key else { return self }
    for name in key.split(separator: ".") {
      guard let next = node.entry(String(name))?.value else { break }
      node = next
    }
    return .file(node)
  }

  /// An item of a list.
  subscript(item index: Int?) -> PipelineOrigin {
    guard case .file(let node) = self, case .sequence(let items) = node.content, let index,
      items.indices.contains(index)
    else { return self }
    return .file(items[index])
  }
}

extension Pipeline {
  /// The source of the part that a problem concerns.
  func origin(of problem: InvalidPlan.Problem) -> PipelineOrigin {
    if let option = problem.override { return .argument(option) }
    guard let index = problem.set else {
      return problem.rule == nil
        ? origin[problem.field] : origin[problem.field][item: problem.rule]["when"]
    }
    let set = sets[index]
    guard let position = problem.target else {
      if let name = problem.field.flatMap({ set.arguments[$0] }) { return .argument(name) }
      return set.origin[problem.field][item: problem.rule]
    }
    // A problem with a whole request points at its URL.
    return set.targets[position].origin[problem.field == "request" ? "url" : problem.field]
  }

  /// The parts that a problem depends on.
  ///
  /// An error that was already reported in one of them may be its only cause.
  func basis(of problem: InvalidPlan.Problem) -> [PipelineOrigin] {
    if let index = problem.set, let position = problem.target {
      return [sets[index].targets[position].origin]
    }
    let own = origin(of: problem)
    guard problem.set == nil, problem.rule != nil || problem.field == "success.threshold" else {
      return [own]
    }
    // Rules refer to sets by name, and success counts them.
    return sets.reduce(into: [own]) { parts, set in
      if set.name.isEmpty { parts.append(set.origin["name"]) }
      if set.targets.isEmpty { parts.append(set.origin["urls"]) }
    }
  }
}
