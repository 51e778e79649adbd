package import FoundationEssentials

/// A time in UTC by the Gregorian calendar, also before 1582 as in certificates and ISO 8601 (RFC 5280 §4.1.2.5).
///
/// Foundation's formats and calendars use the Julian calendar before 15 October 1582, which is up to some days off.
package struct UTCTime: Hashable, Sendable {
  /// The year; 0 is the one before year 1.
  package let year: Int
  /// The month, from 1.
  package let month: Int
  /// The day of the month, from 1.
  package let day: Int
  /// The day of the week; 0 is Sunday.
  package let weekday: Int
  package let hour, minute, second: Int

  /// A time in seconds since 1970-01-01T00:00:00Z; one that is extremely far away is the nearest possible.
  package init(unix seconds: Int) {
    let seconds = ExternalNumber(seconds).value
    let days = seconds.quotientRoundedDown(86_400)
    let time = seconds - days * 86_400
    (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60)
    weekday = (days + 4) - (days + 4).quotientRoundedDown(7) * 7
    // The years start in March, so that a leap day is the last of one; 719 468 days before 1970 is 0000-03-01.
    let fromMarch = days + 719_468
    let era = fromMarch.quotientRoundedDown(146_097)
    let dayOfEra = fromMarch - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let months = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * months + 2) / 5 + 1
    month = months < 10 ? months + 3 : months - 9
    year = yearOfEra + era * 400 + (months < 10 ? 0 : 1)
  }

  /// A time; a fraction of a second is dropped.
  package init(_ date: Date) {
    self.init(unix: Int(bounding: date.timeIntervalSince1970.rounded(.down)))
  }

  /// The seconds since 1970-01-01T00:00:00Z of a time; nil if there is no such day, or no such time in a day.
  ///
  /// The second 60, a leap second, is the first second of the next minute.
  package static func unix(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
  ) -> Int? {
    guard (-9999...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let (marchYear, months) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    let leapDays =
      marchYear.quotientRoundedDown(4) - marchYear.quotientRoundedDown(100)
      + marchYear.quotientRoundedDown(400)
    let days = marchYear * 365 + leapDays + (153 * months + 2) / 5 + day - 1 - 719_468
    let start = UTCTime(unix: days * 86_400)
    guard start.month == month, start.day == day else { return nil }
    return days * 86_400 + hour * 3600 + minute * 60 + second
  }

  /// The date, such as `2026-11-25`.
  package var dateText: String {
    let sign = year < 0 ? "-" : year > 9999 ? "+" : ""
    return
      "\(sign)\(Self.digits(Int(clamping: year.magnitude), 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2))"
  }

  /// The time of the day, such as `10:00:00`.
  package var timeText: String {
    "\(Self.digits(hour, 2)):\(Self.digits(minute, 2)):\(Self.digits(second, 2))"
  }

  /// A number with at least so many digits.
  package static func digits(_ number: Int, _ count: Int) -> String {
    let digits = "\(number)"
    return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
  }
}

extension Date {
  /// The time in UTC to the second, such as `2026-11-25T10:00:00Z` (RFC 3339).
  package var inUTC: String {
    let time = UTCTime(self)
    return "\(time.dateText)T\(time.timeText)Z"
  }
}

extension Int {
  fileprivate func quotientRoundedDown(_ divisor: Int) -> Int {
    let quotient = self / divisor
    return self < quotient * divisor ? quotient - 1 : quotient
  }
}

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
