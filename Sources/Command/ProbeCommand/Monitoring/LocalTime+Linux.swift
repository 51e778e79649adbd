import FoundationEssentials
import Glibc
import ProbeBase

/// Formats times in the local time zone.
enum LocalTime {
  /// The date and the time of day, such as `2026-11-22 13:05:09`.
  static func dateAndTime(_ date: Date) -> String {
    format(date, "%Y-%m-%d %H:%M:%S")
  }

  /// The time of day, such as `13:05:09`.
  static func time(_ date: Date) -> String {
    format(date, "%H:%M:%S")
  }

  private static func format(_ date: Date, _ pattern: String) -> String {
    var seconds = time_t(bounding: date.timeIntervalSince1970.rounded(.down))
    var parts = unsafe tm()
    var text = [CChar](repeating: 0, count: 64)
    unsafe localtime_r(&seconds, &parts)
    let length = unsafe strftime(&text, text.count, pattern, &parts)
    return String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
