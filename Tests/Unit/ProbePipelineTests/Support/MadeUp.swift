import ProbeCore

@testable import ProbePipeline

/// Accepts a body that equals the text.
struct BodyIs: ResponseValidator {
  let text: String
  var reason = ReasonCode.bodyMismatch

  func validate(_ response: ProbeResponse) -> Validation {
    response.body == Array(text.utf8)
      ? .accepted(captures: ["body": text])
      : .rejected(reason, expected: "the body \(Excerpt(text))", found: "\(Excerpt(response.body))")
  }
}

func probe(_ url: String, _ validator: (any ResponseValidator)? = nil) throws -> PlannedProbe {
  PlannedProbe(url: url, request: ProbeRequest(try ProbeURL(url)), validator: validator)
}

/// This many probes, distributed over this many hosts.
func manyProbes(_ count: Int, hosts: Int) throws -> [PlannedProbe] {
  let probes = try (0..<hosts).map { try probe("https://host\($0).example/") }
  return (0..<count).map { probes[$0 % hosts] }
}

extension RunState {
  /// A run of one set that does not stop early.
  init(_ probes: [PlannedProbe], limits: RunLimits) {
    let sets = [PlannedSet(name: "a", probes: probes)]
    self.init(
      sets, limits: limits, stopsEarly: false, requestsCapport: false,
      progress: VerdictProgress(
        sets, success: .all, rules: nil, requestsCapport: false,
        portals: PortalProgress([], policy: .httpsOnly, encryption: \.usualEncryption)))
  }
}
