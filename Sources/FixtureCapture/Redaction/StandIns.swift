internal import ProbeCore

/// Gives each private value a stand-in of its length: from counters, never from the value.
struct StandIns {
  /// What may not be given any more: stand-ins that are taken, and what stands in the texts already.
  private var taken: Set<[UInt8]> = []
  private var next: [TokenShape: Int] = [:]
  private var nextAddress: [String: Int] = [:]
  /// The numbers of the IPv6 addresses, from which stand-ins in other spellings are made.
  private(set) var numbers: [PrivateValue: Int] = [:]

  /// Keeps something from being given.
  mutating func reserve(_ bytes: [UInt8]) {
    taken.insert(bytes)
  }

  /// The stand-in of a value, in the same form as the value's.
  mutating func standIn(for value: PrivateValue) -> [UInt8] {
    let bytes = value.bytes
    switch value.kind {
    case .token: return token(TokenShape(bytes))
    case .email:
      let address = unused("e-mail \(bytes.count)", of: 1000) {
        Self.mail(length: bytes.count, number: $0 + 1)
      }
      return address ?? Self.mail(length: bytes.count, number: 1)
    case .mac:
      let address = unused("mac", of: 256) { Array("00005e0053\(Self.hex($0))".utf8) }
      return address ?? Array("00005e0053ff".utf8)
    case .clientAddress where bytes.contains(UInt8(ascii: ":")):
      let address = unused("v6", of: 1000) { AddressStandIns.v6(like: bytes, number: $0 + 1) }
      numbers[value] = nextAddress["v6", default: 1]
      return address ?? AddressStandIns.v6(like: bytes, number: 1)
    case .clientAddress:
      return unused("v4 \(bytes.count)", of: 310) { AddressStandIns.v4(length: bytes.count, number: $0) }
        ?? AddressStandIns.v4(length: bytes.count, number: 0) ?? bytes
    }
  }

  /// Where there are no more, the last one serves again: then it tells less, but never what it must not.
  private mutating func token(_ shape: TokenShape) -> [UInt8] {
    var number = next[shape, default: 0]
    var token: [UInt8]
    repeat {
      number += 1
      token = shape.standIn(min(number, max(shape.count, 0)))
    } while number < shape.count && taken.contains(token)
    next[shape] = number
    taken.insert(token)
    return token
  }

  private mutating func unused(
    _ series: String, of count: Int, _ standIn: (Int) -> [UInt8]?
  ) -> [UInt8]? {
    var number = nextAddress[series, default: 0]
    while number < count, let bytes = standIn(number) {
      number += 1
      nextAddress[series] = number
      if taken.insert(bytes).inserted { return bytes }
    }
    return nil
  }

  private static func hex(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return digits.utf8.count < 2 ? "0" + digits : digits
  }

  /// An e-mail address of RFC 2606: `user1@example.com`, `x1@x.test`, and where that is too long nothing but `x`.
  static func mail(length: Int, number: Int) -> [UInt8] {
    let domain = length >= 13 ? "@example.com" : "@x.test"
    let room = length - domain.utf8.count
    guard room > 0 else { return [UInt8](repeating: UInt8(ascii: "x"), count: length) }
    let digits = Array(String(number, radix: 36).utf8.suffix(room))
    return [UInt8](repeating: UInt8(ascii: "x"), count: room - digits.count) + digits + Array(domain.utf8)
  }
}
