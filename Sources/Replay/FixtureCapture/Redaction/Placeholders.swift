internal import ProbeCore

/// Assigns each private value a placeholder of the same length, from counters, never from the value.
struct Placeholders {
  /// The texts that must not be assigned: placeholders in use, and texts that occur in the capture.
  private var taken: Set<[UInt8]> = []
  private var next: [TokenShape: Int] = [:]
  private var nextAddress: [String: Int] = [:]
  /// The numbers of IPv6 placeholders, from which their other notations are made.
  private(set) var numbers: [PrivateValue: Int] = [:]

  /// Excludes a text from being assigned.
  mutating func reserve(_ bytes: [UInt8]) {
    taken.insert(bytes)
  }

  /// The placeholder of a value, in the same normalized form.
  mutating func placeholder(for value: PrivateValue) -> [UInt8] {
    let bytes = value.bytes
    switch value.kind {
    case .token: return token(TokenShape(bytes))
    case .email:
      let address = unused("e-mail \(bytes.count)", of: 1000) {
        Self.mail(length: bytes.count, number: $0 + 1)
      }
      return address ?? Self.mail(length: bytes.count, number: 1)
    case .mac:
      let address = unused("mac", of: 256) { Array("00005e0053\($0.hexText(atLeast: 2))".utf8) }
      return address ?? Array("00005e0053ff".utf8)
    case .clientAddress where bytes.contains(UInt8(ascii: ":")):
      let address = unused("v6", of: 1000) { AddressPlaceholders.v6(like: bytes, number: $0 + 1) }
      numbers[value] = nextAddress["v6", default: 1]
      return address ?? AddressPlaceholders.v6(like: bytes, number: 1)
    case .clientAddress:
      return unused("v4 \(bytes.count)", of: 310) { AddressPlaceholders.v4(length: bytes.count, number: $0) }
        ?? AddressPlaceholders.v4(length: bytes.count, number: 0) ?? bytes
    }
  }

  /// If none are left, the last one is reused: less information, but nothing private.
  private mutating func token(_ shape: TokenShape) -> [UInt8] {
    var number = next[shape, default: 0]
    var token: [UInt8]
    repeat {
      number += 1
      token = shape.placeholder(min(number, max(shape.count, 0)))
    } while number < shape.count && taken.contains(token)
    next[shape] = number
    taken.insert(token)
    return token
  }

  private mutating func unused(
    _ series: String, of count: Int, _ placeholder: (Int) -> [UInt8]?
  ) -> [UInt8]? {
    var number = nextAddress[series, default: 0]
    while number < count, let bytes = placeholder(number) {
      number += 1
      nextAddress[series] = number
      if taken.insert(bytes).inserted { return bytes }
    }
    return nil
  }

  /// An e-mail address of RFC 2606: `xxx1@example.com`, `x1@x.test`, or only `x` if those are too long.
  static func mail(length: Int, number: Int) -> [UInt8] {
    let domain = length >= 13 ? "@example.com" : "@x.test"
    let room = length - domain.utf8.count
    guard room > 0 else { return [UInt8](repeating: UInt8(ascii: "x"), count: length) }
    let digits = Array(String(number, radix: 36).utf8.suffix(room))
    return [UInt8](repeating: UInt8(ascii: "x"), count: room - digits.count) + digits + Array(domain.utf8)
  }
}

/// Placeholders for IP addresses: documentation and reserved addresses of every length.
enum AddressPlaceholders {
  private static func v4(_ bytes: UInt32...) -> UInt32 { bytes.reduce(0) { $0 << 8 | $1 } }

  /// The IPv4 placeholders of a length: blocks of RFC 5737 or, for lengths they do not have, of RFC 1122
  /// §3.2.1.3 (this network) and RFC 1112 §4 (reserved).
  private static func ranges(length: Int) -> [ClosedRange<UInt32>] {
    func last(_ start: UInt32, _ range: ClosedRange<UInt32>) -> ClosedRange<UInt32> {
      (start + range.lowerBound)...(start + range.upperBound)
    }
    let (one, two, three) = (v4(192, 0, 2, 0), v4(198, 51, 100, 0), v4(203, 0, 113, 0))
    return switch length {
    case 7: [last(0, 1...9)]
    case 8: [last(0, 10...99)]
    case 9: [last(one, 1...9)]
    case 10: [last(one, 10...99)]
    case 11: [last(one, 100...254), last(three, 1...9)]
    case 12: [last(three, 10...99), last(two, 1...9)]
    case 13: [last(three, 100...254), last(two, 10...99)]
    case 14: [last(two, 100...254)]
    default: [last(v4(240, 100, 100, 0), 100...254), last(v4(240, 100, 101, 0), 100...254)]
    }
  }

  static func isPlaceholder(_ address: IPAddress) -> Bool {
    switch address.family {
    case .v4:
      let network = UInt32(truncatingIfNeeded: address.bits) >> 8
      return [v4(192, 0, 2), v4(198, 51, 100), v4(203, 0, 113), 0].contains(network) || network >> 16 == 240
    case .v6:
      // 2001:db8::/32 (RFC 3849), 100::/64 (RFC 6666), and those for spellings that are too short for either.
      return address.bits >> 96 == 0x2001_0DB8 || address.bits >> 64 == 0x0100_0000_0000_0000
        || address.bits >> 32 == 0
    }
  }

  /// An IPv4 placeholder of a length, or nil if none are left.
  static func v4(length: Int, number: Int) -> [UInt8]? {
    var rest = UInt32(clamping: number)
    for range in ranges(length: length) {
      let count = range.upperBound - range.lowerBound + 1
      if rest < count { return Array(IPAddress(v4: range.lowerBound + rest).description.utf8) }
      rest -= count
    }
    return nil
  }

  /// An IPv6 placeholder with the same number of digits and colons as a spelling.
  ///
  /// - Parameters:
  ///   - spelling: The address as written.
  ///   - number: The number of the placeholder.
  /// - Returns: The placeholder.
  static func v6(like spelling: [UInt8], number: Int) -> [UInt8] {
    // An IPv4 address at the end is a notation of two groups; its points are kept, and all digits become
    // zeros.
    if spelling.contains(UInt8(ascii: ".")) {
      return spelling.map { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") ? $0 : UInt8(ascii: "0") }
    }
    let colons = spelling.count { $0 == UInt8(ascii: ":") }
    let digits = spelling.count - colons
    for prefix in [["2001", "db8"], ["2001", "0db8"], ["100"], ["0100"]] {
      let used = prefix.joined().utf8.count
      // The prefix is followed by `::` and as many groups as colons remain; without `::` there are eight
      // groups.
      let isDocumentation = prefix.count == 2
      let groups = colons == 7 && isDocumentation ? 6 : colons - prefix.count
      let gap = colons == 7 && isDocumentation ? ":" : "::"
      guard digits >= used, let tail = tail(groups: groups, digits: digits - used, number: number) else {
        continue
      }
      let text = prefix.joined(separator: ":") + gap + tail
      if text.utf8.count == spelling.count, let address = IPAddress(text), isPlaceholder(address) {
        return Array(text.utf8)
      }
    }
    return spelling.map { $0 == UInt8(ascii: ":") ? $0 : UInt8(ascii: "0") }
  }

  /// Groups with this many digits in total, which end in the number.
  private static func tail(groups: Int, digits: Int, number: Int) -> String? {
    guard groups >= 0, digits >= groups, digits <= 4 * groups else {
      return groups == 0 && digits == 0 ? "" : nil
    }
    let all = Array(number.hexText(atLeast: digits).utf8.suffix(digits))
    var parts: [String] = []
    var index = 0
    for group in 0..<groups {
      // Each later group needs one digit; earlier groups are filled first, so that the number is in the last
      // ones.
      let size = min(4, digits - index - (groups - group - 1))
      parts.append(all[index..<(index + size)].text)
      index += size
    }
    return parts.joined(separator: ":")
  }
}
