/// A time as in a Date field (RFC 9110 §5.6.7).
struct HTTPDate {
  /// The date and time, such as `Wed, 25 Nov 2026 10:00:00 GMT`.
  let text: String

  /// Writes a time in seconds since 1970-01-01T00:00:00Z.
  init(unix: Int) {
    let days = unix.quotientRoundedDown(86_400)
    let second = unix - days * 86_400
    // The years start in March, so that a leap day is the last of one; 719 468 days before 1970 is 0000-03-01.
    let day = days + 719_468
    let era = day.quotientRoundedDown(146_097)
    let dayOfEra = day - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
    let names = ["Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb"]
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let weekday = weekdays[((days % 7) + 7) % 7]
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let time = "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
    text = "\(weekday), \(two(dayOfMonth)) \(names[month]) \(year) \(time) GMT"
  }
}

extension Int {
  fileprivate func quotientRoundedDown(_ divisor: Int) -> Int {
    let quotient = self / divisor
    return self < quotient * divisor ? quotient - 1 : quotient
  }
}
