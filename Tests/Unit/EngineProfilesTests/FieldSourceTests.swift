import EngineProfiles
import Foundation
import Testing

/// The age of sources.
struct FieldSourceTests {
  private static func time(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

  @Test(arguments: [
    ("2026-11-30T00:00:00Z", false), ("2027-11-30T23:59:59Z", false), ("2027-12-01T00:00:00Z", true),
    ("2099-01-01T12:00:00Z", true), ("2025-01-01T12:00:00Z", false),
  ])
  func aSourceIsOldFromTheDayAfterTheAnniversary(_ now: String, _ isOld: Bool) throws {
    #expect(try FieldSource("RFC 8908", on: "2026-11-30").isOlderThanAYear(at: Self.time(now)) == isOld)
  }

  @Test(arguments: [
    ("2028-02-29", "2029-02-28T12:00:00Z", false), ("2028-02-29", "2029-03-01T12:00:00Z", true),
    ("2027-03-01", "2028-02-29T12:00:00Z", false), ("2027-02-28", "2028-02-29T12:00:00Z", true),
  ])
  func leapDaysCountAsOtherDays(_ date: String, _ now: String, _ isOld: Bool) throws {
    #expect(try FieldSource("RFC 8908", on: date).isOlderThanAYear(at: Self.time(now)) == isOld)
  }

  @Test(arguments: [
    ("2026-11-30", true), ("2028-02-29", true), ("2026-02-29", false), ("2026-13-01", false),
    ("2026-1-1", false),
    ("30 November 2026", false), ("", false),
  ])
  func onlyADayInISO8601IsADay(_ date: String, _ isDay: Bool) {
    #expect(FieldSource("RFC 8908", on: date).isOnADay == isDay)
  }
}

extension FieldSource {
  /// Whether the date is a day of the calendar, as ISO 8601 writes it.
  var isOnADay: Bool {
    guard let day = try? Date("\(date)T00:00:00Z", strategy: .iso8601) else { return false }
    return day.formatted(.iso8601.year().month().day()) == date
  }
}
