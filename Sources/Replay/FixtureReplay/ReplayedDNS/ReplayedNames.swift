internal import ProbeCore
internal import ProbeStreams
internal import ProbeBase

/// The names of a replayed network: the answers of its DNS server, and the names of addresses.
final class ReplayedNames: Sendable {
  /// The reaction of a DNS server to a query.
  enum Answer: Hashable {
    case response(DNSResponseCode, [IPAddress])
    /// No response.
    case silence
  }

  private struct State: Sendable {
    var rules: [HostRules<DNSAnswer>]
    var pool: AddressPool
    /// The name that was last resolved to each address of the fixtures.
    var lastNames: [IPAddress: String] = [:]
  }

  private let state: Guarded<State>

  /// The names of fixtures; of those that the fixtures do not have, at most `capacity` are kept.
  init(_ fixtures: [Fixture], capacity: Int = 1 << 16) {
    state = Guarded(State(rules: fixtures.map(\.dns), pool: AddressPool(capacity: capacity)))
  }

  /// Replaces the fixtures; names keep their assigned addresses.
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
        // The number of entries is at most that of the addresses in the fixtures.
        state.lastNames[address] = host
        return .response(.noError, Self.family(of: request.type) == address.family ? [address] : [])
      case nil:
        guard Self.family(of: request.type) == .v4, !host.isEmpty else { return .response(.noError, []) }
        return .response(.noError, [state.pool.address(for: host)])
      }
    }
  }

  /// The possible hosts of a connection to an address, most likely first: the name that was last resolved to
  /// it, and the address itself.
  func hosts(at address: IPAddress) -> [String] {
    let name = state.withLock { $0.lastNames[address] ?? $0.pool.name(of: address) }
    return [name, address.description].compactMap { $0 }
  }

  /// The family of the addresses that a query requests, or nil if it requests something else.
  private static func family(of type: RecordType) -> IPFamily? {
    switch type {
    case .a, .any: .v4
    case .aaaa: .v6
    default: nil
    }
  }
}
