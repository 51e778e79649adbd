internal import ByteStreams
public import ProbeCore

/// Looks up names for a ``ReachabilityObserver``.
public struct HostResolver: Sendable {
  /// What came of looking a name up.
  public enum Answer: Hashable, Sendable {
    /// Its addresses, the best one first.
    case addresses([IPAddress])
    /// It does not exist, or has no address.
    case noSuchHost
    /// Nobody could tell; it is tried again.
    case failed
  }

  private let body: @Sendable (String) async -> Answer

  /// A resolver of one's own.
  ///
  /// - Parameter body: Looks a name up. When its task is cancelled, its answer is of no use any more.
  public init(_ body: @escaping @Sendable (String) async -> Answer) {
    self.body = body
  }

  /// Looks a name up.
  public func answer(for name: String) async -> Answer {
    await body(name)
  }
}

extension HostResolver {
  /// The system's own, getaddrinfo(3): it reads /etc/hosts, asks the servers of /etc/resolv.conf, or whatever else
  /// nsswitch.conf(5) names.
  ///
  /// A lookup that is cancelled ends at once; its thread does when the system has given up.
  public static let system = HostResolver { name in
    switch await SystemLookup.addresses(of: name, family: nil, within: nil) {
    case .success(let addresses): .addresses(addresses)
    case .failure(.noSuchHost): .noSuchHost
    case .failure, nil: .failed
    }
  }
}

/// When a name is looked up, and what of the answers counts; does no I/O.
///
/// It is looked up at once, and again after each change of the path. When nobody can tell, it is tried again after a
/// while, which doubles; the addresses known before still count. Of two lookups under way the newer counts.
package struct HostLookups: Sendable {
  /// What is to be done next.
  package enum Action: Hashable, Sendable {
    /// Look the name up, and tell the answer with this number.
    case start(Int)
    /// Wait, and tell that it is time with this number.
    case wait(Duration, Int)
  }

  /// How long to wait after the first failure.
  private static let shortestPause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(60)
  /// A lookup that hangs shall not keep the next one waiting; but a path that changes all the time shall not make ever more
  /// of them.
  private static let mostUnderWay = 2

  /// The addresses that the name has, or nil as long as that is not known.
  package private(set) var addresses: [IPAddress]?

  private var newest = 0
  private var answered = 0
  private var underWay: Set<Int> = []
  private var isWanted = false
  private var pause = shortestPause

  /// No lookups yet.
  package init() {}

  /// Notes that the path has changed, or that this is the start.
  package mutating func pathChanged() -> Action? {
    pause = Self.shortestPause
    return start()
  }

  /// Notes the answer of the lookup with a number.
  package mutating func finished(_ number: Int, _ answer: HostResolver.Answer) -> Action? {
    guard underWay.remove(number) != nil else { return nil }
    let isNews = number > answered
    if isNews {
      answered = number
      switch answer {
      case .addresses(let found): addresses = found
      case .noSuchHost: addresses = []
      case .failed: addresses = addresses ?? []
      }
    }
    if isWanted { return start() }
    guard isNews, underWay.isEmpty, answer == .failed else { return nil }
    defer { pause = min(pause * 2, Self.longestPause) }
    return .wait(pause, number)
  }

  /// Notes that a pause is over.
  package mutating func pauseEnded(_ number: Int) -> Action? {
    // Whatever came in between has been answered for.
    number == newest ? start() : nil
  }

  private mutating func start() -> Action? {
    isWanted = underWay.count >= Self.mostUnderWay
    guard !isWanted else { return nil }
    newest += 1
    underWay.insert(newest)
    return .start(newest)
  }
}
