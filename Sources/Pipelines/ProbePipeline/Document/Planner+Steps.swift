import ProbeCore

/// Checks the steps of a set.
extension Planner {
  /// Reports steps without a usable name, values of steps that do not come before, and families.
  mutating func checkSteps(_ index: Int, _ probes: [PlannedProbe]) {
    let set = pipeline.sets[index]
    if set.families != [nil] {
      add(
        InvalidInput(
          "the set \(Excerpt(set.name)) has steps, which run once",
          remedy: "omit families, or use family in request"),
        set: index, field: "families")
      return
    }
    var earlier: Set<String> = []
    for (position, target) in set.targets.enumerated() {
      if let problem = problem(of: target.name, earlier) {
        add(problem, set: index, target: position, field: "name")
      }
      if position < probes.count, let request = try? probes[position].request.get() {
        for reference in request.stepReferences where !earlier.contains(reference.step) {
          let nearest = nearestName(to: reference.step, among: Array(earlier)).map { "did you mean \($0)?" }
          add(
            InvalidInput(
              "\(reference) names a step that does not come before this one",
              remedy: nearest ?? "use the name of an earlier step of this set"),
            set: index, target: position,
            field: target.url.contains(reference.description) ? "url" : "request")
        }
      }
      if let name = target.name { earlier.insert(name) }
    }
  }

  private func problem(of name: String?, _ earlier: Set<String>) -> InvalidInput? {
    guard let name else { return InvalidInput("the step has no name", remedy: "give it one, such as login") }
    guard StepReference.isName(name) else {
      return InvalidInput(
        "the step name \(Excerpt(name)) has characters other than letters, digits, _ and -",
        remedy: "use a name such as login")
    }
    return earlier.contains(name)
      ? InvalidInput("two steps have the name \(Excerpt(name))", remedy: "use a different name for each step")
      : nil
  }
}
