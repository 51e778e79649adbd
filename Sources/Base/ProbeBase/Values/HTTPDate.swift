package import FoundationEssentials

extension Date {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Parses a date in one of the three forms of HTTP (RFC 9110 §5.6.7).
  ///
  /// - Parameters:
  ///   - text: The date.
  ///   - now: The current time, for the century of a two-digit year.
  package init?(httpDate text: String, now: Date) {
    // Sun, 06 Nov 1994 08:49:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT; Sun Nov  6 08:49:37 1994
    let words = text.split { ", -".contains($0) }
    guard words.count == 6 && words[5] == "GMT" || words.count == 5 else { return nil }
    let (day, month, year, time) =
      words.count == 6 ? (words[1], words[2], words[3], words[4]) : (words[2], words[1], words[4], words[3])
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map {
      Int(text: $0, in: 0...60) ?? -1
    }
    guard let day = Int(text: day, in: 1...31), let month = Self.months.firstIndex(of: String(month)),
      var year = Int(text: year, in: 0...9999),
      clock.count == 3
    else { return nil }
    if words.count == 6, words[3].count == 2 {
      // A two-digit year is in this century, unless it is more than fifty years ahead.
      let thisYear = UTCTime(now).year
      year += thisYear / 100 * 100
      if year > thisYear + 50 { year -= 100 }
    }
    let unix = UTCTime.unix(
      year: year, month: month + 1, day: day, hour: clock[0], minute: clock[1], second: clock[2])
    guard let unix else { return nil }
    self.init(timeIntervalSince1970: TimeInterval(unix))
  }
}
