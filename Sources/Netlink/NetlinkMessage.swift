internal import CNetlink

/// A message of the kernel (struct nlmsghdr, netlink(7)).
package struct NetlinkMessage: Hashable, Sendable {
  /// What it is, such as RTM_NEWLINK.
  package var type: UInt16
  /// NLM_F_… bits.
  package var flags: UInt16
  /// The number of the request it answers, or 0.
  package var sequence: UInt32
  /// What follows the header.
  package var payload: ArraySlice<UInt8>

  private static let headerSize = 16

  /// The messages in one datagram; nothing from the first on that does not fit into what is left.
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

  /// Whether the table it comes from has changed while the kernel went through it, so that parts may be missing.
  package var isInterrupted: Bool { flags & UInt16(NLM_F_DUMP_INTR) != 0 }

  /// Whether it is the last of a dump.
  package var isEnd: Bool { type == UInt16(NLMSG_DONE) }

  /// The system's error number that it tells, 0 for success; nil when it tells none.
  package var systemCode: Int32? {
    guard isEnd || type == UInt16(NLMSG_ERROR) else { return nil }
    guard let number = payload.number(at: 0, as: Int32.self) else { return isEnd ? 0 : nil }
    return number > 0 || number == .min ? 0 : -number
  }

  /// Whether something has gone, rather than come or changed.
  package var isRemoval: Bool {
    type == UInt16(RTM_DELLINK) || type == UInt16(RTM_DELADDR) || type == UInt16(RTM_DELROUTE)
      || type == UInt16(RTM_DELRULE)
  }
}
