internal import SourceDocuments
package import ProbeCore

/// The parts of a pipeline that a request to `probekit serve` may change: the keys `params` and `targets`.
package struct RequestParameters: Sendable {
  /// The names of built-in parameters of `/probe`, which no other parameter can have.
  package static let reserved = ["module", "debug"]

  /// The variables that a request may set, in the order of the file.
  package var names: [String] = []
  /// The hosts and addresses that may be requested besides those in the file; nil for any.
  package var targets: ExclusionList?

  /// Creates parameters without names, for any target.
  package init() {}

  /// The reason why the plan must not be served; nil if it may be.
  ///
  /// Its clients could choose who receives the credentials, by parameters or by redirects, and to whom a
  /// program connects.
  func mistake(in plan: ProbePlan, secrets: [Secret]) -> InvalidInput? {
    let programs = Set(plan.pluginTransports.flatMap(\.schemes.keys)).union([.check])
    let usesProgram = { (probe: PlannedProbe) in
      (try? probe.request.get().url.scheme).map(programs.contains) ?? false
    }
    if !names.isEmpty, plan.probes.contains(where: usesProgram) {
      return InvalidInput(
        "the pipeline has params and a check or a transport in another process, to whose connections neither targets nor "
          + "the rules of the server apply",
        remedy: "put it into a pipeline without params")
    }
    let hasCredentials = plan.probes.contains { probe in
      guard let request = try? probe.request.get() else { return false }
      return !request.secrets.isEmpty || request.tls.clientCertificate != nil
    }
    guard targets == nil, hasCredentials || !secrets.isEmpty else { return nil }
    return InvalidInput(
      "the pipeline has credentials or secrets, so it needs targets to be served",
      remedy: "name the hosts that may be requested, as in targets: [example.com]")
  }
}

extension MappingReader {
  /// The keys `params` and `targets`.
  ///
  /// - Parameter variables: The declarations in `vars`.
  /// - Returns: The parameters that a request may set.
  mutating func requestParameters(
    _ variables: [(entry: SourceEntry, value: VariableSource)]
  ) -> RequestParameters {
    var parameters = RequestParameters()
    let names = optional(
      "params", .nonEmptyList(of: .located(.nonEmptyText)),
      summary:
        "variables of vars that a request to serve may set, as in /probe?module=office&NAME=TEXT; the values of vars "
        + "apply to the others, and to other commands")
    for name in names ?? [] where isParameter(name, variables, besides: parameters.names) {
      parameters.names.append(name.value)
    }
    parameters.targets = optional(
      "targets", .targets, default: "any",
      summary:
        "the hosts that serve may request in addition to those in the file, also after redirects, in the forms of --allow-target: "
        + "a host, *.DOMAIN, an address, or a block such as 192.0.2.0/24; required there if the pipeline has credentials"
    )
    // A key with an error is not a missing one, which would allow any host.
    if parameters.targets == nil, node.entry("targets") != nil { parameters.targets = ExclusionList() }
    return parameters
  }

  private func isParameter(
    _ name: Located<String>, _ variables: [(entry: SourceEntry, value: VariableSource)],
    besides others: [String]
  ) -> Bool {
    let known = variables.map(\.entry.key)
    guard let variable = variables.first(where: { $0.entry.key == name.value }) else {
      findings.add(
        "there is no variable \(Excerpt(name.value)) in vars",
        remedy: findings.nearest(to: name.value, among: known).map { "did you mean \($0)?" }
          ?? "add it to vars, with the value of requests that do not set it", at: name.node)
      return false
    }
    if case .environment(_, isSecret: true) = variable.value {
      findings.add(
        "the variable \(name.value) is secret, so requests cannot set it", remedy: "remove it from params",
        at: name.node)
      return false
    }
    if RequestParameters.reserved.contains(name.value) {
      findings.add(
        "requests use \(name.value) for another purpose", remedy: "give the variable another name",
        at: name.node)
      return false
    }
    guard others.contains(name.value) else { return true }
    findings.add("\(name.value) is in params more than once", remedy: "remove it here", at: name.node)
    return false
  }
}

extension FieldReader where Value == ExclusionList {
  /// The contents of `targets`.
  fileprivate static var targets: FieldReader {
    let entry = FieldReader<String>.text("a host, an address or a block") { text throws(InvalidInput) in
      var list = ExclusionList()
      try list.add(entry: Array(text.utf8)[...])
      return text
    }
    return FieldReader<[String]>.nonEmptyList(of: entry).map { entries, _, _ in
      try? ExclusionList(Array(entries.joined(separator: "\n").utf8))
    }
  }
}
