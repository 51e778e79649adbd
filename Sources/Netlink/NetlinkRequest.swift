internal import CNetlink
package import ProbeCore

/// A question for the kernel.
package struct NetlinkRequest: Hashable, Sendable {
  private var type: UInt16
  private var flags: UInt16
  private var body: [UInt8]

  /// All interfaces.
  package static var links: NetlinkRequest {
    var body = [UInt8](repeating: 0, count: 16)
    // Without the counters, which are the greater part of an answer (RTEXT_FILTER_SKIP_STATS).
    body.append(attribute: UInt16(IFLA_EXT_MASK)) { $0.append(number: UInt32(RTEXT_FILTER_SKIP_STATS)) }
    return NetlinkRequest(type: UInt16(RTM_GETLINK), flags: UInt16(NLM_F_DUMP), body: body)
  }

  /// All addresses of both families.
  package static var addresses: NetlinkRequest {
    NetlinkRequest(
      type: UInt16(RTM_GETADDR), flags: UInt16(NLM_F_DUMP), body: [UInt8](repeating: 0, count: 8))
  }

  /// The ordinary routes of a family; kernels before 4.20 answer with those of all tables.
  package static func routes(_ family: IPFamily) -> NetlinkRequest {
    var body = [UInt8](repeating: 0, count: 12)
    body[0] = family.kernelNumber
    body[4] = UInt8(RouteMessage.mainTable)
    return NetlinkRequest(type: UInt16(RTM_GETROUTE), flags: UInt16(NLM_F_DUMP), body: body)
  }

  /// The way to a destination.
  package static func way(to destination: IPAddress) -> NetlinkRequest {
    var body = [UInt8](repeating: 0, count: 12)
    body[0] = destination.family.kernelNumber
    body[1] = destination.family.bitCount
    body.append(attribute: UInt16(RTA_DST.rawValue)) { $0 += destination.bytes }
    return NetlinkRequest(type: UInt16(RTM_GETROUTE), flags: 0, body: body)
  }

  /// Whether the answer is a list.
  var isDump: Bool { flags & UInt16(NLM_F_DUMP) != 0 }

  /// The message to send.
  ///
  /// - Parameter sequence: What its answers are told by.
  /// - Returns: Its bytes.
  package func bytes(sequence: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: UInt32(16 + body.count))
    bytes.append(number: type)
    bytes.append(number: flags | UInt16(NLM_F_REQUEST))
    bytes.append(number: sequence)
    bytes.append(number: UInt32(0))
    return bytes + body
  }
}

extension [UInt8] {
  /// Appends an attribute.
  mutating func append(attribute type: UInt16, _ write: (inout [UInt8]) -> Void) {
    var value: [UInt8] = []
    write(&value)
    append(number: UInt16(4 + value.count))
    append(number: type)
    append(contentsOf: value)
    append(contentsOf: [UInt8](repeating: 0, count: value.count.roundedUpToFour - value.count))
  }
}
