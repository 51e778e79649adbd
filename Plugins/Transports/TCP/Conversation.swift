internal import ByteStreams
internal import ProbeCore
internal import ProbeSystem
internal import ProbeTLS

/// The state of a dialog: it receives the events of a connection, and returns the actions to perform; no I/O.
///
/// Times are measured from the start of the probe. The bytes that a step sees depend only on the stream,
/// never on how it was split into reads: a search reaches a decision only if no later byte can change it, or
/// if no further data is expected.
struct Conversation {
  enum Action: Equatable {
    case send([UInt8], until: Duration)
    /// Wait for up to this many bytes; if the time passes, call `timePassed`, then `next` again.
    case receive(upTo: Int, until: Duration)
    /// Perform a TLS handshake.
    case startTLS
    case finished
  }

  /// The reason why a step receives no further data.
  enum End {
    case full, ended, time
  }

  let script: DialogScript
  let limits: Limits
  /// The response so far.
  var response: ProbeResponse
  /// The bytes that no step has consumed yet.
  private(set) var unread: [UInt8] = []
  /// Whether the peer has finished sending.
  private(set) var hasEnded = false
  /// Whether the end of TLS was unannounced: anyone on the path may have cut the connection.
  var isCutShort = false
  private(set) var index = 0
  private var captures: [String: [UInt8]] = [:]
  /// The reject steps in effect.
  private(set) var rejects: [(step: Int, term: CompiledSearchTerm)] = []
  private var wait: ExpectWait?
  private var clock = Duration.zero
  private var until = Duration.zero
  private var lastSendEnd: Duration

  struct Limits {
    var timeout: Duration
    var maxBody: Int
  }

  /// Begins before the first step, when the connection is established.
  ///
  /// - Parameters:
  ///   - script: The steps.
  ///   - limits: The limits of the request.
  ///   - response: The response with the facts of the established connection.
  init(_ script: DialogScript, _ limits: Limits, response: ProbeResponse) {
    self.script = script
    self.limits = limits
    self.response = response
    lastSendEnd = response.timings.total ?? .zero
  }
}

extension Conversation {
  /// Returns the next action.
  ///
  /// - Throws: ``ProbeFailure`` if a step failed.
  mutating func next(at now: Duration) throws(ProbeFailure) -> Action {
    clock = max(clock, now)
    response.timings.total = clock
    while index < script.actions.count {
      switch script.actions[index] {
      case .reject(let term):
        rejects.append((index, term))
        index += 1
      case .send(let template):
        guard let bytes = template.bytes(inserting: captures) else { throw insertsTooMuch }
        until = limits.timeout
        return .send(bytes, until: until)
      case .startTLS:
        // Later data that is not TLS makes the handshake fail.
        guard unread.isEmpty else { throw injected(unread[...]) }
        return .startTLS
      case .expect(let term, let timeout, let maxBytes):
        if let action = try pursue(term, timeout: timeout, maxBytes: maxBytes) { return action }
      }
    }
    return .finished
  }

  /// Handles that all bytes of a send step were passed to the operating system.
  mutating func didSend(at now: Duration) {
    clock = max(clock, now)
    if response.timings.firstByte == nil { lastSendEnd = clock }
    index += 1
  }

  /// Handles a successful TLS handshake; the facts are those of the connection's response.
  mutating func didStartTLS(_ facts: ProbeResponse, at now: Duration) {
    (response.tls, response.timings.tls) = (facts.tls, facts.timings.tls)
    didSend(at: now)
  }

  /// Handles received bytes; an empty array means that the peer has finished sending.
  mutating func receive(_ bytes: [UInt8], at now: Duration) {
    clock = max(clock, now)
    guard !bytes.isEmpty else {
      hasEnded = true
      return
    }
    if response.timings.firstByte == nil { response.timings.firstByte = clock - lastSendEnd }
    let kept = bytes.prefix(max(0, limits.maxBody - response.body.count))
    response.body += kept
    if kept.count < bytes.count { response.bodyIsCut = true }
    unread += bytes
  }

  /// Handles the timeout of the last action.
  mutating func timePassed() {
    clock = max(clock, until)
    if let deadline = wait?.deadline, until >= deadline { wait?.hasReadLast = true }
  }
}

extension Conversation {
  /// Continues an expect step.
  ///
  /// - Returns: The next action, or nil if the step is done.
  private mutating func pursue(
    _ term: CompiledSearchTerm, timeout: Duration?, maxBytes: Int?
  ) throws(ProbeFailure) -> Action? {
    var wait =
      self.wait
      ?? ExpectWait(
        deadline: min(limits.timeout, clock + (timeout ?? limits.timeout)),
        maxBytes: maxBytes ?? limits.maxBody,
        searches: rejects.map { StreamSearch($0.term) } + [StreamSearch(term)])
    self.wait = nil
    let window = unread.prefix(wait.maxBytes)
    let end: End? =
      unread.count >= wait.maxBytes ? .full : hasEnded ? .ended : wait.hasReadLast ? .time : nil
    if wait.mustLook(at: window.count, now: clock) || end != nil {
      wait.look(at: window, isLast: end != nil)
      switch wait.searches.decision {
      case .met(let range, let groups):
        take(range, groups, of: term)
        return nil
      case .rejected(let rank, let start): throw rejected(rejects[rank], window[start...])
      case .limit(let rank): throw needsTooMuchWork(rank, window)
      case .open: if let end { throw unmet(term, window, end, allowed: timeout) }
      }
    }
    until = wait.nextQuestion
    // This machine may be late rather than the peer, so read the available data once more.
    wait.hasReadLast = clock >= wait.deadline
    self.wait = wait
    return .receive(upTo: wait.maxBytes - unread.count, until: until)
  }

  private mutating func take(_ range: Range<Int>, _ groups: [String: Range<Int>], of term: CompiledSearchTerm)
  {
    for name in term.groupNames {
      let bytes = groups[name].map { Array(unread[$0]) }
      captures[name] = bytes
      response.captures[name] = bytes.map { String(wireBytes: $0) }
    }
    unread.removeFirst(range.upperBound)
    index += 1
  }
}

/// The failures of a dialog; each names the step, the expected data and the data found.
extension Conversation {
  private func failure(_ reason: ReasonCode, _ step: String, _ detail: String) -> ProbeFailure {
    ProbeFailure(reason, "\(step): \(detail)", partial: response)
  }

  /// The name of the current step.
  private var step: String { script.name(of: index) }

  func rejected(_ reject: (step: Int, term: CompiledSearchTerm), _ found: ArraySlice<UInt8>) -> ProbeFailure {
    failure(.dialogRejected, script.name(of: reject.step), "the peer sent \(Excerpt(found))")
  }

  func unmet(
    _ term: CompiledSearchTerm, _ window: ArraySlice<UInt8>, _ end: End, allowed: Duration?
  ) -> ProbeFailure {
    let found = DialogScript.found(window, isFirst: response.body.isEmpty)
    switch end {
    case .full: return failure(.bodyMismatch, step, "not in the first \(window.count) bytes; \(found)")
    case .ended:
      return isCutShort
        ? failure(.bodyShort, step, "\(Banner.cutShort); \(found)")
        : failure(.bodyMismatch, step, "the peer closed the connection first; \(found)")
    case .time:
      let words = DialogScript.notReceived(within: allowed, of: limits.timeout)
      return failure(.responseTimeout, step, "\(words); \(found)")
    }
  }

  func needsTooMuchWork(_ rank: Int, _ window: ArraySlice<UInt8>) -> ProbeFailure {
    let work = "the pattern exceeds its limits on these \(window.count) bytes"
    guard rank < rejects.count else { return failure(.matchLimit, step, work) }
    let reject = rejects[rank]
    return failure(.matchLimit, script.name(of: reject.step), work)
  }

  var insertsTooMuch: ProbeFailure {
    failure(.bodyMismatch, step, DialogScript.insertsTooMuch)
  }

  /// The failure if the peer did not accept the data of a send step before the timeout.
  var sendTimeout: ProbeFailure {
    let time = ValueSyntax.text(of: limits.timeout)
    return failure(
      .responseTimeout, step, "the peer did not accept all bytes within the probe's \(time)")
  }

  /// The failure for an error of the operating system.
  func failure(_ number: Int32) -> ProbeFailure {
    var (reason, detail) = ConnectionFailure.receiving(SystemError(number))
    if case .send = script.actions[index], reason == .connectReset {
      detail = "the peer closed the connection before it received all bytes"
    }
    return failure(reason, step, detail)
  }

  func failure(_ error: TLSError) -> ProbeFailure { failure(.tlsHandshake, step, error.message) }

  /// The failure if the peer sent data that no step consumed before a TLS handshake.
  ///
  /// Anyone on the path can inject such data, to have it mistaken for the server's (CVE-2011-0411,
  /// CVE-2021-23222).
  func injected(_ found: ArraySlice<UInt8>) -> ProbeFailure {
    failure(.tlsInjected, step, "unencrypted data that no step expects arrived before TLS: \(Excerpt(found))")
  }

  /// The failure for a failed TLS handshake, with everything learned from it.
  func failure(startingTLS failure: ProbeFailure) -> ProbeFailure {
    var conversation = self
    conversation.response.tls = failure.partial?.tls
    conversation.response.timings.total = failure.partial?.timings.total
    return conversation.failure(failure.reason, step, failure.detail)
  }

  var cancelled: ProbeFailure { ProbeFailure(.cancelled, "the probe was cancelled", partial: response) }
}

/// The state of an expect step that is waiting: its searches, and when to search again.
struct ExpectWait {
  /// The initial and the maximum time to wait for more bytes before searching a few new ones.
  ///
  /// If a peer sends byte by byte, all data must not be searched again for each byte. If a peer waits for a
  /// response, it must not be delayed.
  static let patience = Duration.milliseconds(10)...Duration.milliseconds(100)

  /// The deadline, measured from the start of the probe.
  let deadline: Duration
  /// The maximum number of unread bytes to search.
  let maxBytes: Int
  /// The searches: one for each reject step in effect, then that of the expect step.
  private(set) var searches: [StreamSearch]
  /// Whether the data received before the deadline has been read, even if it was read late.
  var hasReadLast = false
  private var patience = ExpectWait.patience.lowerBound
  /// The time to search the new bytes; nil if there are none.
  private var due: Duration?
  private var looked = -1
  private var nextLook = 0

  init(deadline: Duration, maxBytes: Int, searches: [StreamSearch]) {
    self.deadline = deadline
    self.maxBytes = maxBytes
    self.searches = searches
  }

  /// Whether to search the data again now.
  mutating func mustLook(at count: Int, now: Duration) -> Bool {
    guard looked < count else { return false }
    if count >= nextLook || searches.allSatisfy(\.isIncremental) { return true }
    guard let due else {
      due = now + patience
      return false
    }
    guard now >= due else { return false }
    patience = min(patience * 2, Self.patience.upperBound)
    return true
  }

  /// The latest time at which to search again.
  var nextQuestion: Duration { min(deadline, due ?? deadline) }

  /// Searches all unread data.
  mutating func look(at window: ArraySlice<UInt8>, isLast: Bool) {
    for index in searches.indices { searches[index].look(at: window, isLast: isLast) }
    // The time for a search is proportional to the data, so search again when there is considerably more.
    nextLook = window.count + max(1, window.count / 4)
    due = nil
    looked = window.count
  }
}
