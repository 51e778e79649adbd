internal import ProbeCore
internal import ProbeLDNS
internal import ProbeLocking

/// The names of a replayed network: what its DNS server answers, and which name an address belongs to.
final class ReplayedNames: Sendable {
  /// What a DNS server does with a query.
  enum Answer: Hashable {
    case response(DNSResponseCode, [IPAddress])
    /// No response.
    case silence
  }

  private struct State: Sendable {
    var rules: [HostRules<DNSAnswer>]
    var pool: AddressPool
    /// The last name that was found to have an address of the fixtures.
    var lastNames: [IPAddress: String] = [:]
  }

  private let state: Guarded<State>

  /// The names of fixtures; of those that the fixtures do not have, at most `capacity` are kept.
  init(_ fixtures: [Fixture], capacity: Int = 1 << 16) {
    state = Guarded(State(rules: fixtures.map(\.dns), pool: AddressPool(capacity: capacity)))
  }

  /// Replaces the fixtures; names keep the addresses that they have been given.
  func replace(with fixtures: [Fixture]) {
    state.withLock { $0.rules = fixtures.map(\.dns) }
  }

  /// The answer to a query: that of the fixtures or, for a name that they do not have, its own IPv4 address.
  func answer(_ request: DNSRequest) -> Answer {
    // NOTIMP (RFC 1035 §4.1.1).
    guard request.isForInternet else { return .response(DNSResponseCode(rawValue: 4), []) }
    let host = request.host
    return state.withLock { state in
      switch state.rules.lazy.compactMap({ $0[host] }).first {
      case .nxdomain: return .response(.noSuchName, [])
      case .servfail: return .response(.serverFailure, [])
      case .timeout: return .silence
      case .address(let address):
        // At most as many as addresses in the fixtures.
        state.lastNames[address] = host
        return .response(.noError, Self.family(of: request.type) == address.family ? [address] : [])
      case nil:
        guard Self.family(of: request.type) == .v4, !host.isEmpty else { return .response(.noError, []) }
        return .response(.noError, [state.pool.address(for: host)])
      }
    }
  }

  /// The hosts that a client may mean when it connects to an address: the name that was found to have it, and
  /// the address itself, likeliest first.
  func hosts(at address: IPAddress) -> [String] {
    let name = state.withLock { $0.lastNames[address] ?? $0.pool.name(of: address) }
    return [name, address.description].compactMap { $0 }
  }

  /// The family of the addresses that a query asks for, or nil if it asks for something else.
  private static func family(of type: RecordType) -> IPFamily? {
    switch type {
    case .a, .any: .v4
    case .aaaa: .v6
    default: nil
    }
  }
}
