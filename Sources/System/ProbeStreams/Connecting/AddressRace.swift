package import ProbeBase
internal import ProbeSystem

/// Decides which addresses of a host to connect to, and when: Happy Eyeballs (RFC 8305); does no I/O.
///
/// Times are relative to the start of the race.
package struct AddressRace {
  /// The next step.
  package enum Action: Equatable {
    /// Start the attempt at this position.
    case connect(Int)
    /// Wait for an event, or until this time.
    case wait(until: Duration?)
    /// The attempt at this position is connected; cancel all others.
    case connected(Int)
    /// There is nothing left to try.
    case failed
  }

  /// One address, with the state of its connection attempt.
  package struct Attempt: Equatable {
    package enum State: Equatable {
      case running
      case failed(Int32)
      case refusedByRule
      case connected
    }

    package let address: IPAddress
    package var state = State.running
    package let began: Duration
    package var ended: Duration?
  }

  /// The time for which addresses of the less preferred family wait for the other (§3, "Resolution Delay").
  static let resolutionDelay = Duration.milliseconds(50)
  /// The time from the start of an attempt to the next one (§5, "Connection Attempt Delay").
  static let attemptDelay = Duration.milliseconds(250)
  /// The maximum number of addresses to try per family; a hostile DNS response contains hundreds.
  package static let maximumAddressesPerFamily = 16

  package private(set) var attempts: [Attempt] = []
  private var pending: ByFamily<Bool>
  private var untried = ByFamily<ArraySlice<IPAddress>>(v4: [], v6: [])
  private var firstResolved: Duration?
  /// The latest time at which the next attempt starts.
  private var nextStart: Duration?

  /// A race that waits for the addresses of these families.
  package init(_ families: [IPFamily]) {
    pending = ByFamily(v4: families.contains(.v4), v6: families.contains(.v6))
  }

  /// Whether no address has been found.
  var hasNoAddress: Bool { attempts.isEmpty && hasTriedAll }

  private var hasTriedAll: Bool { untried.v4.isEmpty && untried.v6.isEmpty }

  /// Adds the addresses of a family in the order to try them, or none.
  package mutating func resolved(_ family: IPFamily, _ addresses: [IPAddress], at now: Duration) {
    guard pending[family] else { return }
    pending[family] = false
    if !addresses.isEmpty, firstResolved == nil { firstResolved = now }
    untried[family] = addresses.prefix(Self.maximumAddressesPerFamily)
  }

  /// Records that an attempt failed with a system error; the next one can start immediately.
  package mutating func failed(_ attempt: Int, _ error: Int32, at now: Duration) {
    end(attempt, .failed(error), at: now)
  }

  /// Records that an attempt was skipped because a rule refuses its address.
  mutating func refused(_ attempt: Int, at now: Duration) {
    end(attempt, .refusedByRule, at: now)
  }

  package mutating func didConnect(_ attempt: Int, at now: Duration) {
    end(attempt, .connected, at: now)
  }

  private mutating func end(_ attempt: Int, _ state: Attempt.State, at now: Duration) {
    guard attempts[attempt].state == .running else { return }
    attempts[attempt].state = state
    attempts[attempt].ended = now
    nextStart = now
  }

  /// The next step; call this again after each step and each event.
  package mutating func next(at now: Duration) -> Action {
    if let winner = attempts.firstIndex(where: { $0.state == .connected }) { return .connected(winner) }
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

  /// The earliest time at which the next attempt may start; nil for immediately.
  private var earliestStart: Duration? {
    if !attempts.isEmpty { return nextStart }
    // IPv6 is preferred: if IPv4 is resolved first, it waits briefly for IPv6.
    return pending.v6 ? firstResolved.map { $0 + Self.resolutionDelay } : nil
  }

  /// The next address: the families alternate, IPv6 first (§4).
  private mutating func takeNext() -> IPAddress? {
    let preferred: IPFamily = attempts.last?.address.family == .v6 ? .v4 : .v6
    let other: IPFamily = preferred == .v6 ? .v4 : .v6
    return untried[preferred].popFirst() ?? untried[other].popFirst()
  }
}

extension AddressRace {
  /// The attempt that best explains the failure, regardless of the order in which the attempts ended.
  var bestExplanation: Attempt? {
    attempts.min { ($0.rank, $0.address.family == .v4 ? 0 : 1) < ($1.rank, $1.address.family == .v4 ? 0 : 1) }
  }
}

extension AddressRace.Attempt {
  /// The rank of an explanation, the best lowest: local errors, then responses of an address, then no
  /// response.
  fileprivate var rank: Int {
    switch state {
    case .connected: 0
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

package struct ByFamily<Value> {
  var v4: Value
  var v6: Value

  package subscript(family: IPFamily) -> Value {
    get { family == .v4 ? v4 : v6 }
    set { if family == .v4 { v4 = newValue } else { v6 = newValue } }
  }
}
