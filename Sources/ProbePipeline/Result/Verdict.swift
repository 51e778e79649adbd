/// What a run says of the network.
public enum Verdict: String, Hashable, Sendable, Codable, CaseIterable {
  /// The network is open to the Internet.
  case online
  /// A captive portal asks for a login.
  case captivePortal
  /// Somebody answers in place of others, but there is nothing to log in to.
  case intercepted
  /// Some kinds of traffic pass, others do not.
  case partial
  /// Nothing gets through.
  case offline
  /// What was seen does not decide the question.
  case inconclusive
}
