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
