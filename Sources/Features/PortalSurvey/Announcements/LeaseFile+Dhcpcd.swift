internal import FoundationEssentials
internal import ProbeCore

/// dhcpcd: `/var/lib/dhcpcd/INTERFACE.lease` and `INTERFACE.lease6`, the packets that the server sent.
extension LeaseFile {
  /// Reads the DHCPv4 packet that dhcpcd keeps.
  ///
  /// The lease began when the file was written. The packet does not show what the client requested.
  ///
  /// - Parameter configuration: The configuration of the client, or nil if unknown.
  /// - Returns: One announcement.
  package func dhcpcdV4(_ configuration: DHCPClientConfiguration?) -> [Announcement] {
    [announcement(.dhcpv4, findingV4(configuration))]
  }

  /// Reads the DHCPv6 message that dhcpcd keeps.
  ///
  /// The lease began when the file was written. The message does not show what the client requested.
  ///
  /// - Parameter configuration: The configuration of the client, or nil if unknown.
  /// - Returns: One announcement.
  package func dhcpcdV6(_ configuration: DHCPClientConfiguration?) -> [Announcement] {
    [announcement(.dhcpv6, findingV6(configuration))]
  }

  private func findingV4(_ configuration: DHCPClientConfiguration?) -> Announcement.Finding {
    if let obstacle { return obstacle }
    guard let packet = DHCPv4Packet(bytes) else { return .unknown("the file is not a DHCPv4 lease") }
    if let flaw = flaw(end: end(packet.leaseTime), leased: [packet.address]) { return flaw }
    return finding(packet.captivePortal, isWhole: packet.isWhole, isRequested: configuration?.requestsV4)
  }

  private func findingV6(_ configuration: DHCPClientConfiguration?) -> Announcement.Finding {
    if let obstacle { return obstacle }
    guard let message = DHCPv6Reply(bytes) else { return .unknown("the file is not a DHCPv6 lease") }
    if let flaw = flaw(end: end(message.leaseTime), leased: message.addresses) { return flaw }
    return finding(message.captivePortal, isWhole: message.isWhole, isRequested: configuration?.requestsV6)
  }

  private func finding(_ value: [UInt8]?, isWhole: Bool, isRequested: Bool?) -> Announcement.Finding {
    if let value { return .init(value: value) }
    guard isWhole else { return .unknown("the lease is incomplete") }
    guard let isRequested else { return .unknown("whether dhcpcd requests it is unknown") }
    return isRequested ? .absent : .unknown("dhcpcd does not request it")
  }

  /// The end of a lease of this many seconds, in seconds since 1970.
  private func end(_ time: UInt32?) -> Int {
    guard let time, time != .max, let written,
      let start = Int(exactly: written.timeIntervalSince1970.rounded(.down)), (0...1 << 40).contains(start)
    else { return .max }
    return start + Int(widening: time)
  }
}

/// A DHCPv4 packet from a server (RFC 2131 §2).
private struct DHCPv4Packet {
  /// The client's address.
  let address: IPAddress
  /// The value of the option for the captive-portal API, concatenated from its parts (RFC 3396 §7).
  private(set) var captivePortal: [UInt8]?
  /// The duration of the lease in seconds; nil if it has none, as with BOOTP.
  private(set) var leaseTime: UInt32?
  /// Whether no option is truncated.
  private(set) var isWhole = true
  /// The fields that contain further options (RFC 2132 §9.3): 1 for the file's name, 2 for the server's, 3
  /// for both.
  private var overload: UInt8 = 0

  /// Parses a packet; nil if the bytes are not a packet.
  init?(_ bytes: [UInt8]) {
    // A BOOTREPLY, and the magic cookie before the options.
    guard bytes.count >= 240, bytes[0] == 2, bytes[236..<240].elementsEqual([99, 130, 83, 99]) else {
      return nil
    }
    address = IPAddress(v4: bytes[16..<20].reduce(0) { $0 << 8 | UInt32(widening: $1) })
    readOptions(bytes[240...])
    // RFC 3396 §5: the file's name is before the server's.
    let fields = overload
    if fields & 1 != 0 { readOptions(bytes[108..<236]) }
    if fields & 2 != 0 { readOptions(bytes[44..<108]) }
  }

  private mutating func readOptions(_ field: ArraySlice<UInt8>) {
    var rest = field
    while let code = rest.popFirst(), code != 255 {
      if code == 0 { continue }
      guard let length = rest.popFirst().map({ Int(widening: $0) }), length <= rest.count else {
        isWhole = false
        return
      }
      let value = rest.prefix(length)
      rest = rest.dropFirst(length)
      switch code {
      case 114: captivePortal = (captivePortal ?? []) + value
      case 51 where length == 4: leaseTime = value.reduce(0) { $0 << 8 | UInt32(widening: $1) }
      case 52 where length == 1 && overload == 0: overload = value.first ?? 0
      default: break
      }
      // Longer than any announcement; appending more would be quadratic.
      if let count = captivePortal?.count, count > 1 << 16 { return }
    }
  }
}

/// A DHCPv6 reply (RFC 8415 §8).
private struct DHCPv6Reply {
  /// The client's addresses.
  private(set) var addresses: [IPAddress] = []
  /// The value of the option for the captive-portal API.
  private(set) var captivePortal: [UInt8]?
  /// The longest valid lifetime of an address or a prefix in seconds; nil if there is none.
  private(set) var leaseTime: UInt32?
  /// Whether no option is truncated.
  private(set) var isWhole = true

  /// Parses a message; nil if the bytes are not a message.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 4, bytes[0] == 7 else { return nil }
    readOptions(bytes[4...], isInMessage: true)
  }

  private mutating func readOptions(_ field: ArraySlice<UInt8>, isInMessage: Bool) {
    var rest = field
    while !rest.isEmpty {
      guard rest.count >= 4 else {
        isWhole = false
        return
      }
      let start = rest.startIndex
      let code = UInt16(widening: rest[start]) << 8 | UInt16(widening: rest[start + 1])
      let length = Int(widening: rest[start + 2]) << 8 | Int(widening: rest[start + 3])
      rest = rest.dropFirst(4)
      guard length <= rest.count else {
        isWhole = false
        return
      }
      read(code, rest.prefix(length), isInMessage)
      rest = rest.dropFirst(length)
    }
  }

  private mutating func read(_ code: UInt16, _ value: ArraySlice<UInt8>, _ isInMessage: Bool) {
    switch (code, isInMessage) {
    case (103, true): captivePortal = captivePortal ?? Array(value)
    // IA_NA and IA_PD have an identifier and two times before their options, IA_TA only the identifier.
    case (3, true), (25, true): readOptions(value.dropFirst(12), isInMessage: false)
    case (4, true): readOptions(value.dropFirst(4), isInMessage: false)
    case (5, false) where value.count >= 24:
      if addresses.count < 64 {
        addresses.append(IPAddress(v6: value.prefix(16).reduce(0) { $0 << 8 | UInt128($1) }))
      }
      readLifetime(value.dropFirst(20).prefix(4))
    case (26, false) where value.count >= 25: readLifetime(value.dropFirst(4).prefix(4))
    default: break
    }
  }

  private mutating func readLifetime(_ bytes: ArraySlice<UInt8>) {
    leaseTime = max(leaseTime ?? 0, bytes.reduce(0) { $0 << 8 | UInt32(widening: $1) })
  }
}
