package import ProbeCore

/// What a request to `probekit serve` may change in a pipeline: the keys `params` and `targets`.
package struct RequestParameters: Sendable {
  /// The variables that a request may set, in the order of the file.
  package var names: [String] = []
  /// The hosts and addresses that such a value may choose; nil for any.
  package var targets: ExclusionList?
  /// The variables that determine hosts of URLs.
  var namesInHosts: Set<String> = []

  /// None.
  package init() {}

  /// Why the plan must not be served; nil if it may be.
  ///
  /// A request that chooses the host would choose who receives the credentials.
  func mistake(in plan: ProbePlan, secrets: [Secret]) -> (name: String, input: InvalidInput)? {
    guard targets == nil, let name = names.first(where: namesInHosts.contains) else { return nil }
    guard plan.hasCredentials || !secrets.isEmpty else { return nil }
    let mistake = InvalidInput(
      "requests can set \(name), which is in the host of a URL, and the pipeline has credentials or secrets",
      remedy: "name the hosts that may be requested, as in targets: [example.com]")
    return (name, mistake)
  }
}

extension ProbePlan {
  /// Whether a request of it has credentials, or a certificate of the client.
  package var hasCredentials: Bool {
    probes.contains { probe in
      guard let request = try? probe.request.get() else { return false }
      return !request.secrets.isEmpty || request.tls.clientCertificate != nil
    }
  }
}
