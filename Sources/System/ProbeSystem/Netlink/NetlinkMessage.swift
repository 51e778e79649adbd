internal import CProbeNetlink
package import ProbeBase

/// A message from the kernel (struct nlmsghdr, netlink(7)).
package struct NetlinkMessage: Hashable, Sendable {
  /// The message type, such as RTM_NEWLINK.
  package var type: UInt16
  /// NLM_F_… bits.
  package var flags: UInt16
  /// The sequence number of the request it responds to, or 0.
  package var sequence: UInt32
  /// The bytes after the header.
  package var payload: ArraySlice<UInt8>

  private static let headerSize = 16

  /// The messages in one datagram, up to the first incomplete one.
  package static func messages(in datagram: ArraySlice<UInt8>) -> [NetlinkMessage] {
    var messages: [NetlinkMessage] = []
    var rest = datagram
    while let length = rest.number(at: 0, as: UInt32.self).flatMap(Int.init(exactly:)),
      let type = rest.number(at: 4, as: UInt16.self), let flags = rest.number(at: 6, as: UInt16.self),
      let sequence = rest.number(at: 8, as: UInt32.self), length >= headerSize, length <= rest.count
    {
      messages.append(
        NetlinkMessage(
          type: type, flags: flags, sequence: sequence,
          payload: rest.dropFirst(headerSize).prefix(length - headerSize)))
      rest = rest.dropFirst(length.roundedUpToFour)
    }
    return messages
  }

  /// Whether the table changed while the kernel read it, so that parts may be missing.
  var isInterrupted: Bool { flags & UInt16(NLM_F_DUMP_INTR) != 0 }

  /// Whether it is the last of a dump.
  package var isEnd: Bool { type == UInt16(NLMSG_DONE) }

  /// The system error number that it reports, 0 for success; nil if it reports none.
  package var systemCode: Int32? {
    guard isEnd || type == UInt16(NLMSG_ERROR) else { return nil }
    guard let number = payload.number(at: 0, as: Int32.self) else { return isEnd ? 0 : nil }
    return number > 0 || number == .min ? 0 : 0 - number
  }

  /// Whether it reports that something was removed, rather than added or changed.
  package var isRemoval: Bool {
    type == UInt16(RTM_DELLINK) || type == UInt16(RTM_DELADDR) || type == UInt16(RTM_DELROUTE)
      || type == UInt16(RTM_DELRULE)
  }
}

/// The reason why the kernel could not be queried about the network.
package struct NetlinkError: Error, Hashable, Sendable {
  /// The system error number, such as EPERM in a sandbox.
  package var systemCode: Int32
  /// The failed action, such as "open a netlink socket".
  package var action: String

  package init(_ action: String, systemCode: Int32) {
    self.action = action
    self.systemCode = systemCode
  }
}

/// Reading and writing the contents of messages: numbers in the machine's byte order.
extension ArraySlice<UInt8> {
  /// The number at an offset from the start, or nil if there are too few bytes.
  func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type = Number.self) -> Number? {
    let size = MemoryLayout<Number>.size
    guard offset >= 0, count >= size, offset <= count - size else { return nil }
    let start = startIndex + offset
    var number: Number = 0
    unsafe Swift.withUnsafeMutableBytes(of: &number) { unsafe $0.copyBytes(from: self[start..<start + size]) }
    return number
  }

  /// The text up to its first NUL byte, or up to the end of the bytes.
  var terminatedText: String {
    String(decoding: prefix { $0 != 0 }, as: UTF8.self)
  }
}

extension [UInt8] {
  mutating func append(number: some FixedWidthInteger) {
    unsafe Swift.withUnsafeBytes(of: number) { unsafe append(contentsOf: $0) }
  }
}

/// The attributes in a message or in another attribute, in their order (struct rtattr, rtnetlink(7)).
///
/// They end before the first incomplete one.
struct NetlinkAttributes: Sequence, IteratorProtocol {
  private static let headerSize = 4
  private var rest: ArraySlice<UInt8>

  /// Reads from the start of some bytes.
  ///
  /// - Parameter bytes: The bytes that contain them.
  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// The next attribute, with its type and its value; nil at the end, and at an invalid one.
  mutating func next() -> (type: Int, value: ArraySlice<UInt8>)? {
    guard let length = rest.number(at: 0, as: UInt16.self).map({ Int(widening: $0) }),
      let type = rest.number(at: 2, as: UInt16.self), length >= Self.headerSize, length <= rest.count
    else { return nil }
    let value = rest.dropFirst(Self.headerSize).prefix(length - Self.headerSize)
    rest = rest.dropFirst(length.roundedUpToFour)
    // The upper two bits describe the encoding of the value (NLA_F_NESTED, NLA_F_NET_BYTEORDER).
    return (Int(widening: type & 0x3FFF), value)
  }
}

extension Int {
  /// The offset of the next part of a message after one of this length.
  var roundedUpToFour: Int { (self + 3) & ~3 }
}

/// A request to the kernel.
package struct NetlinkRequest: Hashable, Sendable {
  private var type: UInt16
  private var flags: UInt16
  private var body: [UInt8]

  /// All interfaces.
  package static var links: NetlinkRequest {
    var body = [UInt8](repeating: 0, count: 16)
    // Without the counters, which are most of a response (RTEXT_FILTER_SKIP_STATS).
    body.append(attribute: UInt16(IFLA_EXT_MASK)) { $0.append(number: UInt32(RTEXT_FILTER_SKIP_STATS)) }
    return NetlinkRequest(type: UInt16(RTM_GETLINK), flags: UInt16(NLM_F_DUMP), body: body)
  }

  /// All addresses of both families.
  package static var addresses: NetlinkRequest {
    NetlinkRequest(
      type: UInt16(RTM_GETADDR), flags: UInt16(NLM_F_DUMP), body: [UInt8](repeating: 0, count: 8))
  }

  /// The routes of a family in the main table; kernels before 4.20 respond with those of all tables.
  package static func routes(_ family: IPFamily) -> NetlinkRequest {
    var body = [UInt8](repeating: 0, count: 12)
    body[0] = family.kernelNumber
    body[4] = UInt8(truncatingIfNeeded: RouteMessage.mainTable)
    return NetlinkRequest(type: UInt16(RTM_GETROUTE), flags: UInt16(NLM_F_DUMP), body: body)
  }

  /// The route to a destination.
  package static func way(to destination: IPAddress) -> NetlinkRequest {
    var body = [UInt8](repeating: 0, count: 12)
    body[0] = destination.family.kernelNumber
    body[1] = destination.family.bitCount
    body.append(attribute: UInt16(RTA_DST.rawValue)) { $0 += destination.bytes }
    return NetlinkRequest(type: UInt16(RTM_GETROUTE), flags: 0, body: body)
  }

  /// Whether the response is a list.
  var isDump: Bool { flags & UInt16(NLM_F_DUMP) != 0 }

  /// The message to send.
  ///
  /// - Parameter sequence: The sequence number that its responses will have.
  /// - Returns: Its bytes.
  package func bytes(sequence: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: UInt32(truncatingIfNeeded: 16 + body.count))
    bytes.append(number: type)
    bytes.append(number: flags | UInt16(NLM_F_REQUEST))
    bytes.append(number: sequence)
    bytes.append(number: UInt32(0))
    return bytes + body
  }
}

extension [UInt8] {
  mutating func append(attribute type: UInt16, _ write: (inout [UInt8]) -> Void) {
    var value: [UInt8] = []
    write(&value)
    append(number: UInt16(truncatingIfNeeded: 4 + value.count))
    append(number: type)
    append(contentsOf: value)
    append(contentsOf: [UInt8](repeating: 0, count: value.count.roundedUpToFour - value.count))
  }
}
