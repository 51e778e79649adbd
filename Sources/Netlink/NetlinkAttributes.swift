/// The attributes in a message or in another attribute, in the order they stand there (struct rtattr, rtnetlink(7)).
///
/// They end before the first that does not fit into what is left.
struct NetlinkAttributes: Sequence, IteratorProtocol {
  private static let headerSize = 4
  private var rest: ArraySlice<UInt8>

  /// - Parameter bytes: Where they stand.
  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// The next attribute.
  mutating func next() -> (type: Int, value: ArraySlice<UInt8>)? {
    guard let length = rest.number(at: 0, as: UInt16.self).map(Int.init),
      let type = rest.number(at: 2, as: UInt16.self), length >= Self.headerSize, length <= rest.count
    else { return nil }
    let value = rest.dropFirst(Self.headerSize).prefix(length - Self.headerSize)
    rest = rest.dropFirst(length.roundedUpToFour)
    // The upper two bits say how the value is built (NLA_F_NESTED, NLA_F_NET_BYTEORDER).
    return (Int(type & 0x3FFF), value)
  }
}

extension Int {
  /// Where the next part of a message begins behind one of this length.
  var roundedUpToFour: Int { (self + 3) & ~3 }
}
