/// Expectations about the requests to a replay server.
extension ReplayJournal {
  /// The matching entries.
  ///
  /// - Parameters:
  ///   - route: The name of the route that responded, or nil for any or none.
  ///   - condition: What the request must match; its state is the one before the request.
  /// - Returns: The entries, oldest first.
  public func entries(
    route: String? = nil, where condition: RouteCondition = RouteCondition()
  ) -> [JournalEntry] {
    entries.filter { $0.fits(route, condition) }
  }

  /// The entries that matched no route.
  public var unmatched: [JournalEntry] {
    entries.filter { if case .unmatched = $0.outcome { true } else { false } }
  }

  /// Requires that this number of requests match.
  ///
  /// - Parameters:
  ///   - count: The expected number.
  ///   - route: The name of the route that responded, or nil for any or none.
  ///   - condition: What the request must match.
  /// - Returns: The entries.
  /// - Throws: ``JournalMismatch``, which describes what was received instead.
  @discardableResult
  public func expect(
    _ count: RequestCount, route: String? = nil,
    where condition: RouteCondition = RouteCondition()
  ) throws(JournalMismatch) -> [JournalEntry] {
    let all = entries
    let fitting = all.filter { $0.fits(route, condition) }
    guard count.contains(fitting.count) else {
      throw JournalMismatch(
        wanted: count, found: fitting.count, route: route, condition: condition, entries: all)
    }
    return fitting
  }

  /// Waits until at least this number of requests match.
  ///
  /// - Parameters:
  ///   - count: The minimum number.
  ///   - route: The name of the route that responded, or nil for any or none.
  ///   - condition: What the request must match.
  ///   - patience: The timeout.
  ///   - clock: Measures the wait.
  /// - Returns: The entries.
  /// - Throws: ``JournalMismatch`` on a timeout, or if the task was cancelled.
  @discardableResult
  public func wait(
    for count: Int, route: String? = nil, where condition: RouteCondition = RouteCondition(),
    patience: Duration = .seconds(10), clock: any Clock<Duration> = ContinuousClock()
  ) async throws(JournalMismatch) -> [JournalEntry] {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await clock.sleep(for: patience) }
      group.addTask { [self] in
        while !Task.isCancelled {
          let written = self.count
          if entries(route: route, where: condition).count >= count { return }
          await waitForEntry(after: written)
        }
      }
      await group.next()
      group.cancelAll()
    }
    return try expect(.atLeast(count), route: route, where: condition)
  }
}

extension JournalEntry {
  fileprivate func fits(_ route: String?, _ condition: RouteCondition) -> Bool {
    (route == nil || hit?.route == route) && misfits(condition).isEmpty
  }

  fileprivate func misfits(_ condition: RouteCondition) -> [String] {
    var condition = condition
    // As in an assertion, an omitted listener matches any.
    if condition.listener == nil { condition.listener = listener }
    return condition.mismatches(with: matchInput, state: hit?.stateBefore)
  }
}

/// A replay server did not receive the requests that a test expected.
public struct JournalMismatch: Error, Sendable, CustomStringConvertible {
  /// How many requests were expected and found, and what was received instead, closest first.
  public let description: String

  init(
    wanted: RequestCount, found: Int, route: String?, condition: RouteCondition, entries: [JournalEntry]
  ) {
    var lines = ["\(found) \(found == 1 ? "matching request" : "matching requests"), expected: \(wanted)"]
    if let route { lines[0] += ", answered by route \(route)" }
    let others = entries.map { (entry: $0, reasons: Self.reasons($0, route, condition)) }
      .filter { !$0.reasons.isEmpty }.sorted { $0.reasons.count < $1.reasons.count }
    for other in others.prefix(5) {
      lines.append("  \(other.entry.line): \(other.reasons.joined(separator: "; "))")
    }
    if others.count > 5 { lines.append("  and \(others.count - 5) more") }
    if entries.isEmpty { lines.append("  no request was received") }
    description = lines.joined(separator: "\n")
  }

  init(unmatched entries: [JournalEntry]) {
    let lines = entries.prefix(5).map { "  \($0.line)" }
    let rest = entries.count > 5 ? ["  and \(entries.count - 5) more"] : []
    description =
      (["\(entries.count) \(entries.count == 1 ? "request" : "requests") matched no route"] + lines + rest)
      .joined(separator: "\n")
  }

  private static func reasons(_ entry: JournalEntry, _ route: String?, _ condition: RouteCondition)
    -> [String]
  {
    var reasons = entry.misfits(condition)
    if let route, entry.hit?.route != route {
      reasons.insert("answered by \(entry.hit?.route ?? "no route")", at: 0)
    }
    return reasons
  }
}

/// The number of requests that a test expects.
public struct RequestCount: Hashable, Sendable {
  private let lowest: Int
  private let highest: Int?

  private init(_ lowest: Int, _ highest: Int?) {
    (self.lowest, self.highest) = (lowest, highest)
  }

  /// No request.
  public static let none = exactly(0)
  /// Exactly one request.
  public static let once = exactly(1)

  /// Exactly this number of requests.
  public static func exactly(_ count: Int) -> RequestCount { RequestCount(count, count) }

  /// This number of requests or more.
  public static func atLeast(_ count: Int) -> RequestCount { RequestCount(count, nil) }

  /// This number of requests or fewer.
  public static func atMost(_ count: Int) -> RequestCount { RequestCount(0, count) }

  func contains(_ count: Int) -> Bool {
    count >= lowest && highest.map { count <= $0 } ?? true
  }
}

extension RequestCount: CustomStringConvertible {
  /// The count in words.
  public var description: String {
    guard let highest else { return "at least \(lowest)" }
    if highest == 0 { return "none" }
    return lowest == highest ? "\(lowest)" : "at most \(highest)"
  }
}
