internal import ProbeCore

/// A dialog as it goes on: is told what happened on the wire, and says what to do next; no I/O.
///
/// Times are those since the probe began. Which bytes a step sees is a matter of the stream alone, never of how it was
/// cut into reads: a search decides only what no later byte can change, or when nothing more comes.
struct Conversation {
  enum Action: Equatable {
    case send([UInt8], until: Duration)
    /// Wait for bytes, at most so many; when the time passes, say so and ask again.
    case receive(upTo: Int, until: Duration)
    case finished
  }

  /// Why nothing more comes for a step.
  enum End {
    case full, ended, time
  }

  let script: DialogScript
  let limits: Limits
  /// The answer so far.
  var response: ProbeResponse
  /// What the steps have not taken yet.
  private(set) var unread: [UInt8] = []
  /// Whether the peer has finished sending.
  private(set) var hasEnded = false
  private(set) var index = 0
  private var captures: [String: [UInt8]] = [:]
  /// The rejects that hold, by the position of their step.
  private(set) var rejects: [(step: Int, sought: SoughtBytes)] = []
  private var wait: ExpectWait?
  private var clock = Duration.zero
  private var until = Duration.zero
  private var lastRequest: Duration

  /// What a request allows.
  struct Limits {
    var timeout: Duration
    var maxBody: Int
  }

  /// - Parameters:
  ///   - script: The steps.
  ///   - limits: What the request allows.
  ///   - response: The connection that stands.
  init(_ script: DialogScript, _ limits: Limits, response: ProbeResponse) {
    self.script = script
    self.limits = limits
    self.response = response
    lastRequest = response.timings.total ?? .zero
  }
}

extension Conversation {
  /// What to do now.
  ///
  /// - Throws: ``ProbeFailure`` when a step cannot be met.
  mutating func next(at now: Duration) throws(ProbeFailure) -> Action {
    clock = max(clock, now)
    response.timings.total = clock
    while index < script.actions.count {
      switch script.actions[index] {
      case .reject(let sought):
        rejects.append((index, sought))
        index += 1
      case .send(let template):
        guard let bytes = template.bytes(inserting: captures) else { throw insertsTooMuch }
        until = limits.timeout
        return .send(bytes, until: until)
      case .expect(let sought, let timeout, let maxBytes):
        if let action = try pursue(sought, timeout: timeout, maxBytes: maxBytes) { return action }
      }
    }
    return .finished
  }

  /// All bytes of a send are with the operating system.
  mutating func didSend(at now: Duration) {
    clock = max(clock, now)
    if response.timings.firstByte == nil { lastRequest = clock }
    index += 1
  }

  /// Bytes came; none means that the peer has finished sending.
  mutating func receive(_ bytes: [UInt8], at now: Duration) {
    clock = max(clock, now)
    guard !bytes.isEmpty else {
      hasEnded = true
      return
    }
    if response.timings.firstByte == nil { response.timings.firstByte = clock - lastRequest }
    let kept = bytes.prefix(max(0, limits.maxBody - response.body.count))
    response.body += kept
    if kept.count < bytes.count { response.bodyIsCut = true }
    unread += bytes
  }

  /// The time that was given passed before anything happened.
  mutating func timePassed() {
    clock = max(clock, until)
    if let deadline = wait?.deadline, until >= deadline { wait?.hasReadLast = true }
  }
}

extension Conversation {
  /// Goes on with an expect.
  ///
  /// - Returns: nil when it is met.
  private mutating func pursue(
    _ sought: SoughtBytes, timeout: Duration?, maxBytes: Int?
  ) throws(ProbeFailure) -> Action? {
    var wait =
      self.wait
      ?? ExpectWait(
        deadline: min(limits.timeout, clock + (timeout ?? limits.timeout)),
        maxBytes: maxBytes ?? limits.maxBody,
        searches: rejects.map { StreamSearch($0.sought) } + [StreamSearch(sought)])
    self.wait = nil
    let window = unread.prefix(wait.maxBytes)
    let end: End? =
      unread.count >= wait.maxBytes ? .full : hasEnded ? .ended : wait.hasReadLast ? .time : nil
    if wait.mustLook(at: window.count, now: clock) || end != nil {
      wait.look(at: window, isLast: end != nil)
      switch try decision(wait.searches, window) {
      case .met(let range, let groups):
        take(range, groups, of: sought)
        return nil
      case .open: if let end { throw unmet(sought, window, end, allowed: timeout) }
      }
    }
    until = wait.nextQuestion
    // This machine may be late, and not the peer: what is there is read once more.
    wait.hasReadLast = clock >= wait.deadline
    self.wait = wait
    return .receive(upTo: wait.maxBytes - unread.count, until: until)
  }

  private enum Decision {
    case met(Range<Int>, groups: [String: Range<Int>])
    case open
  }

  /// Who comes first in the stream, once that is certain: a reject before the expect where both are at one place.
  private func decision(
    _ searches: [StreamSearch], _ window: ArraySlice<UInt8>
  ) throws(ProbeFailure) -> Decision {
    var first: (start: Int, rank: Int)?
    for (rank, search) in searches.enumerated() {
      let start: Int
      switch search.finding {
      case .found(let range, _): start = range.lowerBound
      case .open(let place): start = place
      case .missing: continue
      case .limit: throw needsTooMuchWork(rank, window)
      }
      if first.map({ start < $0.start }) ?? true { first = (start, rank) }
    }
    guard let first, case .found(let range, let groups) = searches[first.rank].finding else { return .open }
    guard first.rank < rejects.count else { return .met(range, groups: groups) }
    throw rejected(rejects[first.rank], window[first.start...])
  }

  private mutating func take(_ range: Range<Int>, _ groups: [String: Range<Int>], of sought: SoughtBytes) {
    for name in sought.groupNames {
      let bytes = groups[name].map { Array(unread[$0]) }
      captures[name] = bytes
      response.captures[name] = bytes.map { String(wireBytes: $0) }
    }
    unread.removeFirst(range.upperBound)
    index += 1
  }
}
