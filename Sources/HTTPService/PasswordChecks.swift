/// Which passwords are known to be right or wrong, and which are being checked: a check takes long.
///
/// It does no work: it receives events and says what to do. A password is known by a digest of it, its user and the
/// hash, so that none is kept.
struct PasswordChecks<Waiter: Sendable>: Sendable {
  /// A digest.
  typealias Key = [UInt8]

  /// What to do with a password.
  enum Step {
    /// It is right or wrong.
    case known(Bool)
    /// Check it, and then call ``ended(_:isRight:)``.
    case check
    /// It is being checked: the waiter gets the result.
    case wait
    /// Too many passwords are being checked.
    case busy
  }

  /// The maximum number of passwords that are being checked or wait for that.
  private let mostChecks: Int
  private var right: RecentKeys
  /// Apart from the others, which wrong passwords must not displace.
  private var wrong: RecentKeys
  private var waiters: [Key: [Waiter]] = [:]

  /// No passwords.
  init(mostChecks: Int, mostKnown: Int) {
    self.mostChecks = mostChecks
    (right, wrong) = (RecentKeys(mostKnown), RecentKeys(mostKnown))
  }

  /// A client sent a password.
  mutating func received(_ key: Key, by waiter: Waiter) -> Step {
    if right.contains(key) { return .known(true) }
    if wrong.contains(key) { return .known(false) }
    if waiters[key] != nil {
      waiters[key]?.append(waiter)
      return .wait
    }
    guard waiters.count < mostChecks else { return .busy }
    waiters[key] = [waiter]
    return .check
  }

  /// A check could not be made.
  ///
  /// - Returns: Who waits for the result.
  mutating func failed(_ key: Key) -> [Waiter] { waiters.removeValue(forKey: key) ?? [] }

  /// A check has ended.
  ///
  /// - Returns: Who waits for the result.
  mutating func ended(_ key: Key, isRight: Bool) -> [Waiter] {
    if isRight { right.add(key) } else { wrong.add(key) }
    return waiters.removeValue(forKey: key) ?? []
  }
}

/// The keys that were added last.
private struct RecentKeys: Sendable {
  private let capacity: Int
  private var keys: Set<[UInt8]> = []
  /// The keys in the order in which they are displaced.
  private var order: [[UInt8]] = []
  /// The index of the next one to displace, once all places are taken.
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
