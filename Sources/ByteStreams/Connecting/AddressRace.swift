internal import ProbeCore
internal import ProbeSockets

/// Which addresses of a host are connected to, and when: Happy Eyeballs (RFC 8305); no I/O.
///
/// Times are those since the race began.
struct AddressRace {
  /// What to do next.
  enum Action: Equatable {
    /// Begin the attempt with this position.
    case connect(Int)
    /// Wait until something happens, or until this moment.
    case wait(until: Duration?)
    /// The attempt with this position stands; all others end.
    case stands(Int)
    /// Nothing is left to try.
    case failed
  }

  /// One address that is, or was, connected to.
  struct Attempt: Equatable {
    enum State: Equatable {
      case running
      case failed(Int32)
      case refusedByRule
      case stands
    }

    let address: IPAddress
    var state = State.running
    let began: Duration
    var ended: Duration?
  }

  /// How long an answer with addresses of the family that is tried second waits for the other (§3, "Resolution Delay").
  static let resolutionDelay = Duration.milliseconds(50)
  /// How long an attempt has before the next one begins (§5, "Connection Attempt Delay").
  static let attemptDelay = Duration.milliseconds(250)
  /// So many addresses of a family are tried; a hostile answer holds hundreds.
  static let mostOfAFamily = 16

  private(set) var attempts: [Attempt] = []
  private var pending: ByFamily<Bool>
  private var untried = ByFamily<ArraySlice<IPAddress>>(v4: [], v6: [])
  private var firstAnswer: Duration?
  /// When the next attempt may begin at the latest.
  private var nextStart: Duration?

  /// A race that waits for the addresses of these families.
  init(_ families: [IPFamily]) {
    pending = ByFamily(v4: families.contains(.v4), v6: families.contains(.v6))
  }

  /// Whether a family's addresses are still looked up.
  func awaits(_ family: IPFamily) -> Bool { pending[family] }

  /// Whether no address has been found.
  var hasNoAddress: Bool { attempts.isEmpty && hasTriedAll }

  private var hasTriedAll: Bool { untried.v4.isEmpty && untried.v6.isEmpty }

  /// Takes the answer for a family: its addresses in the order to try them, or none.
  mutating func resolved(_ family: IPFamily, _ addresses: [IPAddress], at now: Duration) {
    guard pending[family] else { return }
    pending[family] = false
    if !addresses.isEmpty, firstAnswer == nil { firstAnswer = now }
    untried[family] = addresses.prefix(Self.mostOfAFamily)
  }

  /// Takes note that an attempt failed, with the system's error; the next one need not wait.
  mutating func failed(_ attempt: Int, _ error: Int32, at now: Duration) {
    end(attempt, .failed(error), at: now)
  }

  /// Takes note that an attempt was not made because a rule refuses its address.
  mutating func refused(_ attempt: Int, at now: Duration) {
    end(attempt, .refusedByRule, at: now)
  }

  /// Takes note that an attempt's connection stands.
  mutating func stands(_ attempt: Int, at now: Duration) {
    end(attempt, .stands, at: now)
  }

  private mutating func end(_ attempt: Int, _ state: Attempt.State, at now: Duration) {
    guard attempts[attempt].state == .running else { return }
    attempts[attempt].state = state
    attempts[attempt].ended = now
    nextStart = now
  }

  /// What to do now; to be asked again after each thing that is done and each that happens.
  mutating func next(at now: Duration) -> Action {
    if let winner = attempts.firstIndex(where: { $0.state == .stands }) { return .stands(winner) }
    let isRunning = attempts.contains { $0.state == .running }
    guard !hasTriedAll else {
      return isRunning || pending.v4 || pending.v6 ? .wait(until: nil) : .failed
    }
    if let start = earliestStart, start > now { return .wait(until: start) }
    guard let address = takeNext() else { return .wait(until: nil) }
    attempts.append(Attempt(address: address, began: now))
    nextStart = now + Self.attemptDelay
    return .connect(attempts.count - 1)
  }

  /// When the next attempt may begin; nil for at once.
  private var earliestStart: Duration? {
    if !attempts.isEmpty { return nextStart }
    // IPv6 is tried first, and waited for a moment where IPv4 is faster to answer.
    return pending.v6 ? firstAnswer.map { $0 + Self.resolutionDelay } : nil
  }

  /// The next address: the families take turns, IPv6 first (§4).
  private mutating func takeNext() -> IPAddress? {
    let preferred: IPFamily = attempts.last?.address.family == .v6 ? .v4 : .v6
    let other: IPFamily = preferred == .v6 ? .v4 : .v6
    return untried[preferred].popFirst() ?? untried[other].popFirst()
  }
}

extension AddressRace {
  /// The attempt that says most of why none stands: the same for equal networks, in whatever order the attempts ended.
  var mostTelling: Attempt? {
    attempts.min { ($0.rank, $0.address.family == .v4 ? 0 : 1) < ($1.rank, $1.address.family == .v4 ? 0 : 1) }
  }
}

extension AddressRace.Attempt {
  /// The lower, the more it says: of this machine first, then what an address has answered, then that none did.
  fileprivate var rank: Int {
    switch state {
    case .stands: 0
    case .refusedByRule: 1
    case .failed(let error):
      switch SystemError(error) {
      case .noDescriptors, .noMemory: 2
      case .refused: 3
      case .reset: 4
      case .other: 5
      case .timedOut: 6
      case .unreachable: 8
      }
    case .running: 7
    }
  }
}

/// A value for each family of addresses.
struct ByFamily<Value> {
  var v4: Value
  var v6: Value

  subscript(family: IPFamily) -> Value {
    get { family == .v4 ? v4 : v6 }
    set { if family == .v4 { v4 = newValue } else { v6 = newValue } }
  }
}
