internal import ProbeCore

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

  /// The address for a name.
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

  /// The name that has an address, or nil.
  func name(of address: IPAddress) -> String? {
    guard address.family == .v4, address.bits >= UInt128(Self.first) else { return nil }
    let index = address.bits - UInt128(Self.first)
    return index < names.count ? names[Int(clamping: index)] : nil
  }

  private static func address(_ index: Int) -> IPAddress {
    IPAddress(v4: first + UInt32(truncatingIfNeeded: index))
  }
}
