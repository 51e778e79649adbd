/// The verdict of a run about the network.
public enum Verdict: String, Hashable, Sendable, Codable, CaseIterable {
  /// The network is open to the Internet.
  case online
  /// A captive portal requires a login.
  case captivePortal
  /// A third party responds in place of servers, but there is no login page.
  case intercepted
  /// Some kinds of traffic pass, others do not.
  case partial
  /// Nothing gets through.
  case offline
  /// The evidence is not sufficient for a verdict.
  case inconclusive
}
