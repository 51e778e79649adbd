import FixtureReplay
import Validators
import ProbeCore
import ProbePipeline
import TestSupport

/// A random probe, and all of its possible results.
struct Question: Sendable {
  /// How a probe is routed to the servers of this process.
  enum Routing: CaseIterable {
    /// By the transports, which look up the names of the fixture.
    case transports
    /// By rules of each request.
    case rules
  }

  let trouble: Trouble
  let request: ProbeRequest
  let validator: any ResponseValidator
  /// The possible results if it is not disturbed; nil means an accepted response.
  let endings: Set<ReasonCode?>

  /// A question to one of the servers.
  init(_ worlds: Worlds, _ routing: Routing, _ numbers: inout SeededNumbers) throws {
    var candidates = worlds.troubles
    candidates.removeAll { trouble in
      switch (trouble.cause, routing) {
      case (.lookup, .rules), (.listener, .transports): true
      default: false
      }
    }
    let trouble = candidates[Int.random(in: candidates.indices, using: &numbers)]
    let schemes = trouble.endings.keys.sorted { $0.name < $1.name }
    let scheme = schemes[Int.random(in: schemes.indices, using: &numbers)]
    let host = trouble.host(Int.random(in: 0..<4, using: &numbers))
    let port: UInt16 = scheme == .tcp ? 2525 : scheme == .https ? 443 : 80
    var request = ProbeRequest(try ProbeURL("\(scheme.name)://\(host):\(port)"))
    let isPatient = !trouble.waits && Int.random(in: 0..<3, using: &numbers) > 0
    request.timeout =
      isPatient
      ? .seconds(240)
      : .milliseconds([5, 20, 60, 150, 400].randomElement(using: &numbers) ?? 20)
    request.retries = Int.random(in: 0..<8, using: &numbers) == 0 ? 1 : 0
    request.backoff = RetryBackoff(initial: .milliseconds(1), maximum: .milliseconds(20))
    request.redirects = trouble.name == "loop" ? Int.random(in: 0..<4, using: &numbers) : 0
    // The correct page is shorter than the smallest limit, so that faults at its end are reached.
    request.maxBody = [64, 1000, 64 << 10].randomElement(using: &numbers) ?? 64
    validator =
      Bool.random(using: &numbers)
      ? try ContainsValidator(Trouble.word) : try MatchesValidator("(?<what>\(Trouble.word))\\b")
    if scheme == .tcp { request.expectation = validator }
    if routing == .rules, let server = worlds.server(of: trouble) {
      let serverPort =
        scheme == .tcp
        ? try server.assignPort(for: .tcp, host: host, port: port)
        : server.port(of: scheme == .https ? .https : .http)
      request.connectTo = [ConnectTo(host: nil, port: nil, targetHost: "127.0.0.1", targetPort: serverPort)]
      request.tls.onlyAuthorities = worlds.authority
    }
    self.trouble = trouble
    self.request = request
    var endings = trouble.endings(scheme, isPatient: isPatient)
    // The time may run out between two hops.
    if request.redirects > 0, !isPatient { endings.insert(.totalTimeout) }
    self.endings = endings
  }

  /// The question as part of a plan.
  var planned: PlannedProbe {
    PlannedProbe(url: request.url.description, request: request, validator: validator)
  }
}
