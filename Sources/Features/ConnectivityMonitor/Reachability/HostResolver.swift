internal import ByteStreams
public import ProbeCore
import ProbeStreams

/// Resolves names for a ``ReachabilityObserver``.
public struct HostResolver: Sendable {
  /// The result of a lookup.
  public enum LookupResult: Hashable, Sendable {
    /// Its addresses, the best one first.
    case addresses([IPAddress])
    /// It does not exist, or has no address.
    case noSuchHost
    /// The lookup failed; it is retried.
    case failed
  }

  private let body: @Sendable (String) async -> LookupResult

  /// A custom resolver.
  ///
  /// - Parameter body: Resolves a name. If its task is cancelled, its answer is ignored.
  public init(_ body: @escaping @Sendable (String) async -> LookupResult) {
    self.body = body
  }

  /// Resolves a name.
  public func resolve(_ name: String) async -> LookupResult {
    await body(name)
  }
}

extension HostResolver {
  /// The system's resolver, getaddrinfo(3).
  ///
  /// It reads /etc/hosts, queries the servers of /etc/resolv.conf, or uses the other sources in
  /// nsswitch.conf(5). A cancelled lookup ends at once; its thread ends when the system has given up.
  public static let system = HostResolver { name in
    switch await SystemLookup.addresses(of: name, family: nil, within: nil) {
    case .success(let addresses): .addresses(addresses)
    case .failure(.noSuchHost): .noSuchHost
    case .failure, nil: .failed
    }
  }
}

/// Decides when to resolve a name and which answer counts; does no I/O.
///
/// The name is resolved at once, and again after each change of the path. A failed lookup is retried after a
/// delay that doubles; the addresses known before remain valid. Of two concurrent lookups, the newer one
/// counts.
package struct HostLookups: Sendable {
  /// The next step.
  package enum Action: Hashable, Sendable {
    /// Resolve the name, and report the answer with this number.
    case start(Int)
    /// Wait, and then report this number.
    case wait(Duration, Int)
  }

  /// The delay after the first failure.
  private static let minimumPause = Duration.seconds(1)
  private static let maximumPause = Duration.seconds(60)
  /// The maximum number of concurrent lookups: a hanging one must not delay the next one, but a path that
  /// keeps changing must not start more and more.
  private static let maximumConcurrentLookups = 2

  /// The addresses of the name, or nil while they are unknown.
  package private(set) var addresses: [IPAddress]?

  private var newest = 0
  private var answered = 0
  private var underWay: Set<Int> = []
  private var isWanted = false
  private var pause = minimumPause

  /// No lookups yet.
  package init() {}

  /// Records a change of the path, or the start.
  mutating func pathChanged() -> Action? {
    pause = Self.minimumPause
    return start()
  }

  /// Records the answer of the lookup with this number.
  package mutating func finished(_ number: Int, _ answer: HostResolver.LookupResult) -> Action? {
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
    defer { pause = min(pause * 2, Self.maximumPause) }
    return .wait(pause, number)
  }

  /// Records the end of a delay.
  package mutating func pauseEnded(_ number: Int) -> Action? {
    // A number that is not the newest was superseded in the meantime.
    number == newest ? start() : nil
  }

  private mutating func start() -> Action? {
    isWanted = underWay.count >= Self.maximumConcurrentLookups
    guard !isWanted else { return nil }
    newest += 1
    underWay.insert(newest)
    return .start(newest)
  }
}
