package import SourceDocuments

/// Where a part of a pipeline was written, so that a finding points at it.
package enum PipelineOrigin: Sendable {
  /// In code.
  case code
  /// In a file, as this value.
  case file(SourceNode)
  /// On a command line: the name of an option, or an argument without one.
  case argument(String)

  /// The value of a key in it, nested keys with dots between them, or the nearest that there is.
  subscript(key: String?) -> PipelineOrigin {
    guard case .file(var node) = self, let key else { return self }
    for name in key.split(separator: ".") {
      guard let next = node.entry(String(name))?.value else { break }
      node = next
    }
    return .file(node)
  }

  /// An item of the list that it is.
  subscript(item index: Int?) -> PipelineOrigin {
    guard case .file(let node) = self, case .sequence(let items) = node.content, let index,
      items.indices.contains(index)
    else { return self }
    return .file(items[index])
  }
}

extension Pipeline {
  /// Where the part was written that a problem is about.
  func origin(of problem: InvalidPlan.Problem) -> PipelineOrigin {
    if let option = problem.override { return .argument(option) }
    guard let index = problem.set else {
      if let name = problem.field.flatMap({ arguments[$0] }) { return .argument(name) }
      return problem.rule == nil
        ? origin[problem.field] : origin[problem.field][item: problem.rule]["when"]
    }
    let set = sets[index]
    guard let position = problem.target else {
      if let name = problem.field.flatMap({ set.arguments[$0] }) { return .argument(name) }
      return set.origin[problem.field][item: problem.rule]
    }
    // What is wrong with a request as a whole shows at its URL.
    return set.targets[position].origin[problem.field == "request" ? "url" : problem.field]
  }

  /// The parts that a problem was found with: what is wrong with one of them may be all that it comes from.
  func basis(of problem: InvalidPlan.Problem) -> [PipelineOrigin] {
    if let index = problem.set, let position = problem.target {
      return [sets[index].targets[position].origin]
    }
    let own = origin(of: problem)
    guard problem.set == nil, problem.rule != nil || problem.field == "success.threshold" else {
      return [own]
    }
    // Rules and success ask for sets by name and number.
    return sets.reduce(into: [own]) { parts, set in
      if set.name.isEmpty { parts.append(set.origin["name"]) }
      if set.targets.isEmpty { parts.append(set.origin["urls"]) }
    }
  }
}
