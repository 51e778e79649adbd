import FixtureReplay
import ProbeCore

/// Something that a server does to a probe, and all possible results of the probe.
struct Trouble: Sendable {
  /// The last stage that an exchange reaches, and so where it may time out.
  enum Stage: Int, Comparable {
    case resolve, connect, tls, response, body

    static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }

    /// The code of a probe that times out at this stage.
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

  /// The cause.
  enum Cause: Sendable {
    /// A response, a fault in it, or both.
    case response(ReplayResponse?, ReplayFault?, ResponseEnd?)
    case tls(TLSMode)
    case lookup(DNSAnswer)
    case listener(ListenerMode)
  }

  /// The name of its hosts.
  let name: String
  let cause: Cause
  /// The results of a probe with enough time, by scheme; nil means an accepted response.
  let endings: [URLScheme: Set<ReasonCode?>]
  /// The last stage that an exchange reaches.
  let reach: Stage
  /// Whether only a timeout ends it, so that a probe of it must have a short one.
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

  /// One of its host names; there are several, so that limits per host take effect.
  func host(_ number: Int) -> String { "h\(number).\(name).soak" }

  /// The pattern of those names.
  var hosts: String { "*.\(name).soak" }

  /// The possible results of a probe of it.
  ///
  /// - Parameters:
  ///   - scheme: The scheme of the probe.
  ///   - isPatient: Whether the probe has enough time.
  /// - Returns: The reasons; nil among them means an accepted response.
  func endings(_ scheme: URLScheme, isPatient: Bool) -> Set<ReasonCode?> {
    let own = endings[scheme] ?? []
    if isPatient, !waits { return own }
    var timeouts: [Stage] = [.connect, .response, .body]
    if scheme == .https { timeouts.append(.tls) }
    if case .lookup = cause { timeouts = [.resolve] }
    return own.union(timeouts.filter { $0 <= reach }.map { Optional($0.timeout) })
  }
}
