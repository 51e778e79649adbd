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
    let isOfProgram = { (probe: PlannedProbe) in
      (try? probe.request.get().url.scheme).map(programs.contains) ?? false
    }
    if !names.isEmpty, plan.probes.contains(where: isOfProgram) {
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
