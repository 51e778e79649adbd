/// The cached results of password checks, and the checks in progress, because a check takes long.
///
/// It receives events and returns the next steps, but performs no checks. No password is stored: its key is
/// a digest of the password, its user and the hash.
struct PasswordChecks<Waiter: Sendable>: Sendable {
  /// A digest.
  typealias Key = [UInt8]

  /// The next step for a password.
  enum Step {
    /// It is known to be correct or incorrect.
    case known(Bool)
    /// Check it, and then call ``ended(_:isRight:)``.
    case check
    /// It is being checked: the waiter receives the result.
    case wait
    /// Too many passwords are being checked.
    case busy
  }

  /// The maximum number of pending password checks.
  private let maximumChecks: Int
  private var right: RecentKeys
  /// Separate, so that incorrect passwords do not evict correct ones.
  private var wrong: RecentKeys
  private var waiters: [Key: [Waiter]] = [:]

  /// An empty cache.
  init(maximumChecks: Int, maximumKnown: Int) {
    self.maximumChecks = maximumChecks
    (right, wrong) = (RecentKeys(maximumKnown), RecentKeys(maximumKnown))
  }

  /// Handles a password from a client.
  mutating func received(_ key: Key, by waiter: Waiter) -> Step {
    if right.contains(key) { return .known(true) }
    if wrong.contains(key) { return .known(false) }
    if waiters[key] != nil {
      waiters[key]?.append(waiter)
      return .wait
    }
    guard waiters.count < maximumChecks else { return .busy }
    waiters[key] = [waiter]
    return .check
  }

  /// Handles a check that could not be made.
  ///
  /// - Returns: The waiters for the result.
  mutating func failed(_ key: Key) -> [Waiter] { waiters.removeValue(forKey: key) ?? [] }

  /// Handles the end of a check.
  ///
  /// - Returns: The waiters for the result.
  mutating func ended(_ key: Key, isRight: Bool) -> [Waiter] {
    if isRight { right.add(key) } else { wrong.add(key) }
    return waiters.removeValue(forKey: key) ?? []
  }
}

/// The most recently added keys.
private struct RecentKeys: Sendable {
  private let capacity: Int
  private var keys: Set<[UInt8]> = []
  /// The keys in order of eviction.
  private var order: [[UInt8]] = []
  /// The index of the next key to evict, once the capacity is reached.
  private var next = 0

  init(_ capacity: Int) {
    self.capacity = capacity
  }

  func contains(_ key: [UInt8]) -> Bool { keys.contains(key) }

  mutating func add(_ key: [UInt8]) {
    guard keys.insert(key).inserted else { return }
    guard order.count == capacity else { return order.append(key) }
    keys.remove(order[next])
    order[next] = key
    next = (next + 1) % capacity
  }
}
