import ProbeCore

@testable import ProbePipeline

/// A response from a server, with its redirect recorded as a prober does.
func answer(
  _ text: String, _ status: Int? = 200, fields: HeaderFields = [:], body: String = "",
  from address: String? = nil
) throws -> ProbeResponse {
  let url = try ProbeURL(text)
  let head = status.map { HTTPResponseHead(status: $0, fields: fields) }
  return ProbeResponse(
    url: url, head: head, body: Array(body.utf8),
    redirects: RedirectHop(of: head, from: url).map { [$0] } ?? [],
    remoteAddress: address.flatMap { IPAddress($0) }.map { SocketAddress($0, port: url.port ?? 1) })
}

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
      sets, limits: limits, stopsEarly: false, asksCapport: false,
      progress: VerdictProgress(
        sets, success: .all, rules: nil, asksCapport: false,
        portals: PortalProgress([], policy: .httpsOnly, encryption: \.usualEncryption)))
  }
}
