/// The state of a fixture for one client or for all clients, and how much of the state's limits is used.
struct ClientSession: Hashable, Sendable {
  /// The maximum length of a kept URL.
  private static let maximumURLLength = 8 * 1024
  /// The maximum number of states that end in a row without a request; then the last one starts now.
  private static let maximumEndsAtOnce = 1000

  /// The current state, or nil if the fixture has no states.
  private(set) var state: String?
  /// When the state was entered.
  private(set) var since: ContinuousClock.Instant
  /// The bytes of requests and responses since then.
  private(set) var bytes = 0
  /// The URL of the first request in the initial state, or nil if there was none yet.
  private(set) var firstURL: String?
  /// The time of the last request.
  var lastUse: ContinuousClock.Instant

  /// Creates a session that starts in a state.
  init(_ state: String?, at now: ContinuousClock.Instant) {
    self.state = state
    (since, lastUse) = (now, now)
  }

  /// Enters a state; its limits start again, even if it is the current one.
  mutating func enter(_ next: String, initial: String?, at now: ContinuousClock.Instant) {
    if next == initial, state != initial { firstURL = nil }
    state = next
    (since, bytes) = (now, 0)
  }

  /// Notes the URL of a request in the initial state, unless an earlier one is known.
  mutating func note(_ url: @autoclosure () -> String?, initial: String?) {
    guard firstURL == nil, state == initial, let url = url(), url.utf8.count <= Self.maximumURLLength else {
      return
    }
    firstURL = url
  }

  /// Counts the bytes of a request and its response.
  mutating func count(_ more: Int) {
    let (sum, overflow) = bytes.addingReportingOverflow(more)
    bytes = overflow ? .max : sum
  }

  /// Ends the states whose limits are reached.
  mutating func passTime(
    to now: ContinuousClock.Instant, _ limits: [String: StateLimit], initial: String?
  ) {
    for _ in 0..<Self.maximumEndsAtOnce {
      guard let limit = state.flatMap({ limits[$0] }), let end = end(by: limit), end <= now else { return }
      enter(limit.next, initial: initial, at: end)
    }
    since = now
  }

  /// The time at which a limit ends the state; nil if there is no time limit and the bytes are not used up.
  private func end(by limit: StateLimit) -> ContinuousClock.Instant? {
    let due = limit.after.map { since + $0 }
    guard let maximum = limit.bytes, bytes >= maximum else { return due }
    return due.map { min($0, lastUse) } ?? lastUse
  }
}

extension ClientSession {
  /// The rest of the state's time, or nil if it has no time limit.
  func remainingTime(_ limit: StateLimit?, at now: ContinuousClock.Instant) -> Duration? {
    limit?.after.map { max(.zero, $0 - since.duration(to: now)) }
  }

  /// The rest of the state's bytes, or nil if they are not limited.
  func remainingBytes(_ limit: StateLimit?) -> Int? {
    limit?.bytes.map { max(0, $0 - bytes) }
  }
}
