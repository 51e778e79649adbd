internal import CProbeNetlink
package import ProbeBase

/// A message about an address of an interface (struct ifaddrmsg, rtnetlink(7)).
package struct AddressMessage: Hashable, Sendable {
  /// The interface's index.
  package var index: Int
  package var address: IPAddress
  /// The length of the network prefix in bits.
  package var prefixLength: Int
  /// Whether it is usable: duplicate address detection is complete and found no duplicate (RFC 4862 §5.4).
  ///
  /// An optimistic address (RFC 4429) is usable during the detection.
  package var isUsable: Bool

  /// Parses a message.
  ///
  /// - Returns: nil if it is about something else or another family, or is incomplete.
  package init?(_ message: NetlinkMessage) {
    let bytes = message.payload
    guard message.type == UInt16(RTM_NEWADDR) || message.type == UInt16(RTM_DELADDR), bytes.count >= 8,
      let family = bytes.number(at: 0, as: UInt8.self).flatMap(IPFamily.init(kernel:)),
      let prefixLength: UInt8 = bytes.number(at: 1), prefixLength <= family.bitCount,
      var flags = bytes.number(at: 2, as: UInt8.self).map({ UInt32(widening: $0) }),
      let index = bytes.number(at: 4, as: UInt32.self).flatMap(Int32.init(exactly:)), index > 0
    else { return nil }
    var peer: IPAddress?
    var local: IPAddress?
    for (type, value) in NetlinkAttributes(bytes.dropFirst(8)) {
      switch type {
      case Int(IFA_ADDRESS): peer = IPAddress(value, family)
      case Int(IFA_LOCAL): local = IPAddress(value, family)
      // There are more flags than the header has room for.
      case Int(IFA_FLAGS): flags = value.number(at: 0) ?? flags
      default: break
      }
    }
    // If there is a peer, IFA_ADDRESS is its address.
    guard let address = local ?? peer else { return nil }
    self.index = Int(widening: index)
    self.address = address
    self.prefixLength = Int(widening: prefixLength)
    let isChecked = flags & UInt32(IFA_F_TENTATIVE) != 0 && flags & UInt32(IFA_F_OPTIMISTIC) == 0
    isUsable = !isChecked && flags & UInt32(IFA_F_DADFAILED) == 0
  }
}

extension IPFamily {
  /// The family with a kernel number, AF_INET or AF_INET6.
  init?(kernel number: UInt8) {
    switch number {
    case 2: self = .v4
    case 10: self = .v6
    default: return nil
    }
  }

  /// The kernel's number of the family.
  var kernelNumber: UInt8 { self == .v4 ? 2 : 10 }

  /// The length of its addresses in bits.
  var bitCount: UInt8 { self == .v4 ? 32 : 128 }
}

extension IPAddress {
  /// The address in the bytes of a message, or nil if there are too few.
  init?(_ bytes: ArraySlice<UInt8>, _ family: IPFamily) {
    switch family {
    case .v4:
      guard bytes.count == 4, let number = bytes.number(at: 0, as: UInt32.self) else { return nil }
      self.init(v4: UInt32(bigEndian: number))
    case .v6:
      guard bytes.count == 16, let number = bytes.number(at: 0, as: UInt128.self) else { return nil }
      self.init(v6: UInt128(bigEndian: number))
    }
  }

  /// The address in network byte order.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    switch family {
    case .v4: bytes.append(number: UInt32(truncatingIfNeeded: bits).bigEndian)
    case .v6: bytes.append(number: bits.bigEndian)
    }
    return bytes
  }
}
