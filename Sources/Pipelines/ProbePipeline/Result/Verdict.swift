/// The verdict of a run: about the network, or about the services that it probed.
public enum Verdict: String, Hashable, Sendable, Codable, CaseIterable {
  /// The network is open to the Internet.
  case online
  /// A captive portal requires a login.
  case captivePortal
  /// A third party intercepts requests, but there is no login page.
  case intercepted
  /// Some kinds of traffic pass, others do not.
  case partial
  /// No traffic passes.
  case offline
  /// The evidence is not sufficient for a verdict.
  case inconclusive
  /// All services are as expected: every set is met.
  case healthy
  /// Enough services are as expected, but not all: an optional set is not met, or a required one that success
  /// does not need.
  case degraded
  /// Too few services are as expected.
  case unhealthy
}

extension Verdict {
  /// The question that it answers.
  public var question: Question {
    switch self {
    case .online, .captivePortal, .intercepted, .partial, .offline, .inconclusive: .internet
    case .healthy, .degraded, .unhealthy: .services
    }
  }
}

/// The question of a pipeline, which determines the subject of its verdict.
public enum Question: String, Hashable, Sendable, Codable, CaseIterable {
  /// Whether the network is open to the Internet, and if not, what is in the way.
  case internet
  /// Whether the services that the pipeline probes are healthy.
  ///
  /// Every probe runs to its end, and validators alone judge the responses.
  case services
}
