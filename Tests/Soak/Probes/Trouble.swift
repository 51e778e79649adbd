import FixtureReplay
import ProbeCore

/// Something that a server does to a probe, and every way in which a probe of it may end.
struct Trouble: Sendable {
  /// How far an exchange comes at most, and so where time may run out.
  enum Stage: Int, Comparable {
    case resolve, connect, tls, response, body

    static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }

    /// The code of a probe whose time is over at this stage.
    var timeout: ReasonCode {
      switch self {
      case .resolve: .resolveTimeout
      case .connect: .connectTimeout
      case .tls: .tlsTimeout
      case .response: .responseTimeout
      case .body: .bodyTimeout
      }
    }
  }

  /// What brings it about.
  enum Cause: Sendable {
    /// An answer, a fault in it, or both.
    case answer(ReplayAnswer?, ReplayFault?, AnswerEnd?)
    case tls(TLSMode)
    case lookup(DNSAnswer)
    case listener(ListenerMode)
  }

  /// What its hosts are called.
  let name: String
  let cause: Cause
  /// How a probe that has time ends, by the schemes that can meet it; nil stands for an answer that is accepted.
  let endings: [URLScheme: Set<ReasonCode?>]
  /// How far an exchange comes.
  let reach: Stage
  /// Whether nothing but time ends it, so that a probe of it must not have much.
  let waits: Bool

  init(
    _ name: String, _ cause: Cause, reach: Stage = .body, waits: Bool = false,
    _ endings: [URLScheme: Set<ReasonCode?>]
  ) {
    self.name = name
    self.cause = cause
    self.endings = endings
    self.reach = reach
    self.waits = waits
  }

  /// The host names at which it is met; a few, so that limits for each host do something.
  func host(_ number: Int) -> String { "h\(number).\(name).soak" }

  /// The pattern of those names.
  var hosts: String { "*.\(name).soak" }

  /// Every way in which a probe of it may end.
  ///
  /// - Parameters:
  ///   - scheme: The scheme by which it is met.
  ///   - isPatient: Whether the probe has all the time it needs.
  /// - Returns: The reasons; nil among them stands for an answer that is accepted.
  func endings(_ scheme: URLScheme, isPatient: Bool) -> Set<ReasonCode?> {
    let own = endings[scheme] ?? []
    if isPatient, !waits { return own }
    var timeouts: [Stage] = [.connect, .response, .body]
    if scheme == .https { timeouts.append(.tls) }
    if case .lookup = cause { timeouts = [.resolve] }
    return own.union(timeouts.filter { $0 <= reach }.map { Optional($0.timeout) })
  }
}
