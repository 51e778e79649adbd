/// A test's message in the kernel's format for interfaces, addresses and routes (rtnetlink(7)).
package struct KernelMessage {
  /// The kernel's numbers for messages.
  package enum Kind: UInt16 {
    case done = 3
    case error = 2
    case newLink = 16
    case removedLink = 17
    case newAddress = 20
    case removedAddress = 21
    case newRoute = 24
    case removedRoute = 25
  }

  /// Interface flags of netdevice(7).
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let up = Flags(rawValue: 1)
    package static let loopback = Flags(rawValue: 8)
    package static let pointToPoint = Flags(rawValue: 16)
    /// Running, and with a carrier.
    package static let running = Flags(rawValue: 0x10040)
  }

  package var kind: UInt16
  package var flags: UInt16 = 0
  package var sequence: UInt32 = 0
  package var body: [UInt8] = []

  package init(_ kind: Kind, body: [UInt8] = []) {
    self.kind = kind.rawValue
    self.body = body
  }

  /// The bytes, including the padding.
  package var bytes: [UInt8] {
    var bytes = Self.number(UInt32(16 + body.count)) + Self.number(kind) + Self.number(flags)
    bytes += Self.number(sequence) + Self.number(UInt32(0)) + body
    return bytes + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
  }

  /// An interface.
  package static func link(
    _ index: Int32, _ name: String, _ flags: Flags = [.up, .running], hardware: UInt16 = 1,
    driver: String? = nil, lower: Int32? = nil, master: Int32? = nil, family: UInt8 = 0,
    isRemoval: Bool = false
  ) -> KernelMessage {
    var body: [UInt8] = [family, 0]
    body += number(hardware) + number(index) + number(flags.rawValue) + number(UInt32(0))
    body += attribute(3, Array(name.utf8) + [0])
    if let lower { body += attribute(5, number(lower)) }
    if let master { body += attribute(10, number(master)) }
    if let driver { body += attribute(18, attribute(1, Array(driver.utf8) + [0])) }
    return KernelMessage(isRemoval ? .removedLink : .newLink, body: body)
  }

  /// An address; its bytes in network order, four or sixteen of them.
  package static func address(
    _ bytes: [UInt8], prefix: UInt8, of index: UInt32, flags: UInt32 = 0x80, isRemoval: Bool = false
  ) -> KernelMessage {
    var body: [UInt8] = [bytes.count == 4 ? 2 : 10, prefix, UInt8(truncatingIfNeeded: flags), 0]
    body += number(index) + attribute(1, bytes) + attribute(8, number(flags))
    return KernelMessage(isRemoval ? .removedAddress : .newAddress, body: body)
  }

  /// An IPv4 route.
  package static func route(
    _ destination: [UInt8] = [], prefix: UInt8 = 0, via gateway: [UInt8]? = nil, by index: Int32? = nil,
    metric: UInt32? = nil, table: UInt8 = 254, type: UInt8 = 1, flags: UInt32 = 0, hops: [UInt8]? = nil,
    isRemoval: Bool = false
  ) -> KernelMessage {
    var body: [UInt8] = [2, prefix, 0, 0, table, 3, 0, type] + number(flags)
    if !destination.isEmpty { body += attribute(1, destination) }
    if let index { body += attribute(4, number(index)) }
    if let gateway { body += attribute(5, gateway) }
    if let metric { body += attribute(6, number(metric)) }
    if let hops { body += attribute(9, hops) }
    return KernelMessage(isRemoval ? .removedRoute : .newRoute, body: body)
  }

  /// An attribute, including the padding.
  package static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
    number(UInt16(4 + value.count)) + number(type) + value
      + [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
  }

  /// The bytes of a number in this machine's order.
  package static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    unsafe withUnsafeBytes(of: value) { unsafe Array($0) }
  }
}
