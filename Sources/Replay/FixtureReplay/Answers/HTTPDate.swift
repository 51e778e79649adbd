import ProbeCore

/// A time as in a Date field (RFC 9110 §5.6.7).
struct HTTPDate {
  /// The date and time, such as `Wed, 25 Nov 2026 10:00:00 GMT`.
  let text: String

  /// Writes a time in seconds since 1970-01-01T00:00:00Z.
  init(unix: Int) {
    let time = UTCTime(unix: unix)
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let day = "\(UTCTime.digits(time.day, 2)) \(months[time.month - 1]) \(UTCTime.digits(time.year, 4))"
    text = "\(weekdays[time.weekday]), \(day) \(time.timeText) GMT"
  }
}
