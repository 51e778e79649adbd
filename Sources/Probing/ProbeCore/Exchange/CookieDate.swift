import FoundationEssentials
import ProbeBase

extension Date {
  private static let monthsOfCookies = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Parses the date of an Expires attribute, in any order of its parts (RFC 6265bis §5.1.1).
  init?(cookieDate text: String) {
    let isDelimiter: (UInt8) -> Bool = { byte in
      switch byte {
      case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
      default: false
      }
    }
    var (time, day, month, year): ([Int]?, Int?, Int?, Int?)
    for token in text.utf8.split(whereSeparator: isDelimiter) {
      if time == nil, let found = Self.time(token) {
        time = found
      } else if day == nil, let found = Self.number(token, digits: 1...2) {
        day = found
      } else if month == nil, let found = Self.month(token) {
        month = found
      } else if year == nil, let found = Self.number(token, digits: 2...4) {
        year = found
      }
    }
    guard let time, let day, let month, var year else { return nil }
    if (70...99).contains(year) { year += 1900 } else if year < 70 { year += 2000 }
    // The standard has no leap seconds.
    guard year >= 1601, time[2] < 60,
      let seconds = UTCTime.unix(
        year: year, month: month, day: day, hour: time[0], minute: time[1], second: time[2])
    else { return nil }
    self.init(timeIntervalSince1970: Double(seconds))
  }

  /// A number with this many digits, after which anything but a digit may follow.
  private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
    let number = token.prefix { $0.isASCIIDigit }
    guard digits.contains(number.count) else { return nil }
    return String(number).flatMap { Int(text: $0) }
  }

  private static func month(_ token: Substring.UTF8View) -> Int? {
    guard let name = String(token.prefix(3))?.lowercased() else { return nil }
    return monthsOfCookies.firstIndex(of: name).map { $0 + 1 }
  }

  /// Hours, minutes and seconds, after which anything but a digit may follow.
  private static func time(_ token: Substring.UTF8View) -> [Int]? {
    let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let isWhole = parts.dropLast().allSatisfy { $0.allSatisfy { $0.isASCIIDigit } }
    let numbers = parts.compactMap { number($0, digits: 1...2) }
    return isWhole && numbers.count == 3 ? numbers : nil
  }
}
