internal import ProbeBase
internal import ProbeCore
internal import ProbeStreams

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

/// Assigns each host name a separate address, which stays the same.
///
/// The addresses are from 28.64.0.0/16, which belongs to no network that a fixture replays: no rule about
/// addresses, of this package or of browsers, treats it as private or special, unlike the blocks for
/// documentation. When every address is in use, the name with the oldest assignment loses its address.
struct AddressPool {
  private static let first: UInt32 = 0x1C40_0000

  /// The number of addresses.
  private let capacity: Int
  private var indices: [String: Int] = [:]
  private var names: [String] = []
  /// The position of the name with the oldest assignment, once every address is in use.
  private var oldest = 0

  /// A pool of 65,536 addresses, or fewer.
  init(capacity: Int = 1 << 16) {
    self.capacity = capacity
  }

  mutating func address(for name: String) -> IPAddress {
    if let index = indices[name] { return Self.address(index) }
    let index: Int
    if names.count < capacity {
      index = names.count
      names.append(name)
    } else {
      index = oldest
      oldest = (oldest + 1) % capacity
      indices[names[index]] = nil
      names[index] = name
    }
    indices[name] = index
    return Self.address(index)
  }

  /// The name to which this pool gave an address; nil if it gave it to none.
  func name(of address: IPAddress) -> String? {
    guard address.family == .v4, address.bits >= UInt128(Self.first) else { return nil }
    let index = address.bits - UInt128(Self.first)
    return index < names.count ? names[Int(clamping: index)] : nil
  }

  private static func address(_ index: Int) -> IPAddress {
    IPAddress(v4: first + UInt32(truncatingIfNeeded: index))
  }
}
