internal import FoundationEssentials
internal import ProbeBase
internal import ProbeSystem
package import ProbeTLS

/// Requires a user name and password (RFC 7617).
///
/// A password check takes about 50 ms, on a separate thread. Results are cached under digests keyed with a
/// secret of this object. The number of pending checks is limited: further requests are refused with 503.
/// For an unknown user name, the password is checked against another user's hash, so that the response time
/// does not reveal which names exist.
package final class BasicAuthentication: Sendable {
  private typealias Checks = PasswordChecks<Promise<Bool>>

  /// The maximum number of pending password checks.
  private static let maximumChecks = 16
  /// The maximum number of cached correct passwords, and of incorrect ones.
  private static let maximumCachedResults = 256

  private let users: @Sendable () -> [String: BcryptHash]
  private let check: @Sendable (BcryptHash, [UInt8]) -> Bool
  private let checks = Guarded(
    Checks(maximumChecks: maximumChecks, maximumCachedResults: maximumCachedResults))
  private let thread = Guarded<SerialThread?>(nil)
  private let secret: [UInt8]

  /// Creates the authentication.
  ///
  /// - Parameter users: Returns the users for each request; if there are none, all clients are accepted.
  package convenience init(users: @escaping @Sendable () -> [String: BcryptHash]) {
    self.init(users: users) { hash, password in hash.matches(password) }
  }

  init(
    users: @escaping @Sendable () -> [String: BcryptHash],
    check: @escaping @Sendable (BcryptHash, [UInt8]) -> Bool
  ) {
    (self.users, self.check) = (users, check)
    var numbers = SystemRandomNumberGenerator()
    secret = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }
  }

  /// The reason for refusing a request; nil if it is accepted.
  ///
  /// This is called before the handler and on its executor, so it must not block the thread.
  package func failure(of request: HTTPServiceRequest) async -> HTTPServiceFailure? {
    let users = users()
    guard !users.isEmpty else { return nil }
    guard let given = Self.credentials(request.field("authorization")) else { return .unauthorized }
    let known = users[given.user]
    guard let hash = known ?? decoyHash(for: given.user, among: users) else { return .unauthorized }
    guard let isRight = await isRight(given.password, hash, user: given.user) else { return .busy }
    return isRight && known != nil ? nil : .unauthorized
  }

  /// The user name and the password in a field; nil if it has none.
  private static func credentials(_ field: String?) -> (user: String, password: [UInt8])? {
    guard let words = field?.split(separator: " ", maxSplits: 1), words.count == 2,
      words[0].lowercased() == "basic", let bytes = Data(base64Encoded: String(words[1])),
      let colon = bytes.firstIndex(of: UInt8(ascii: ":"))
    else { return nil }
    return (String(decoding: bytes[..<colon], as: UTF8.self), Array(bytes[(colon + 1)...]))
  }

  /// A hash to check the password of an unknown user against: the time of a response must not show whether the user exists.
  ///
  /// It is the hash of one of the users, always the same for the same name.
  private func decoyHash(for name: String, among users: [String: BcryptHash]) -> BcryptHash? {
    let names = users.keys.sorted()
    let digest = MessageDigest.sha256(of: secret + Array(name.utf8))
    let number = digest.prefix(4).reduce(0) { $0 << 8 | Int(widening: $1) }
    return users[names[number % names.count]]
  }

  /// Whether a password is correct; nil if too many are being checked.
  private func isRight(_ password: [UInt8], _ hash: BcryptHash, user: String) async -> Bool? {
    // With the length of each variable part, so that different inputs never have the same bytes.
    let parts = [Array(user.utf8), Array(hash.text.utf8)]
    let key = MessageDigest.sha256(
      of: secret + parts.flatMap { Array("\($0.count):".utf8) + $0 } + password)
    let promise = Promise<Bool>()
    switch checks.withLock({ $0.received(key, by: promise) }) {
    case .known(let isRight): return isRight
    case .busy: return nil
    case .wait: break
    case .check:
      guard let thread = worker() else {
        finish(key, isRight: false, isKnown: false)
        return nil
      }
      thread.start { [self, check] in finish(key, isRight: check(hash, password)) }
    }
    return await promise.value()
  }

  private func finish(_ key: Checks.Key, isRight: Bool, isKnown: Bool = true) {
    let waiters = checks.withLock { checks in
      isKnown ? checks.ended(key, isRight: isRight) : checks.failed(key)
    }
    for waiter in waiters { waiter.fulfill(isRight) }
  }

  /// The thread of the checks; nil if the machine has no thread left.
  private func worker() -> SerialThread? {
    thread.withLock { thread in
      if thread == nil { thread = try? SerialThread(named: "probekit-login") }
      return thread
    }
  }
}

extension HTTPServiceFailure {
  fileprivate static let unauthorized = HTTPServiceFailure(
    status: 401, "Unauthorized", fields: ["WWW-Authenticate: Basic"])
  fileprivate static let busy = HTTPServiceFailure(
    status: 503, "too many passwords to check", remedy: "try again later", fields: ["Retry-After: 1"])
}

/// The cached results of password checks, and the checks in progress, because a check takes long.
///
/// It receives events and returns the next steps, but performs no checks. No password is stored: its key is
/// a digest of the password, its user and the hash.
struct PasswordChecks<Waiter: Sendable>: Sendable {
  /// A digest.
  typealias Key = [UInt8]

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

  init(maximumChecks: Int, maximumCachedResults: Int) {
    self.maximumChecks = maximumChecks
    (right, wrong) = (RecentKeys(maximumCachedResults), RecentKeys(maximumCachedResults))
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
