import FoundationEssentials
import ProbeBase
import TestRequirements
import TestSupport
import Testing

/// Dates of the Gregorian calendar, also before it was introduced.
@Suite struct UTCTimeTests {
  @Test(arguments: [
    (-62_167_219_200, "0000-01-01T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
    (-62_135_596_801, "0000-12-31T23:59:59Z"), (-12_219_292_801, "1582-10-14T23:59:59Z"),
    (-12_219_292_800, "1582-10-15T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (0, "1970-01-01T00:00:00Z"),
    (951_782_399, "2000-02-28T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
    (4_107_542_400, "2100-03-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
    (253_402_300_800, "+10000-01-01T00:00:00Z"), (-62_167_219_201, "-0001-12-31T23:59:59Z"),
  ])
  func datesAreWritten(_ unix: Int, _ text: String) {
    #expect(Date(timeIntervalSince1970: TimeInterval(unix)).inUTC == text)
  }

  @Test(arguments: [Int.min, .max, 0])
  func extremeTimesAreBounded(_ unix: Int) {
    let time = UTCTime(unix: unix)
    #expect((1...12).contains(time.month) && (1...31).contains(time.day) && (0...6).contains(time.weekday))
    #expect(!Date(timeIntervalSince1970: .greatestFiniteMagnitude).inUTC.isEmpty)
    #expect(!Date(timeIntervalSince1970: -.infinity).inUTC.isEmpty)
  }

  @Test(arguments: [
    (2025, 2, 29, 0, 0, 0), (1900, 2, 29, 0, 0, 0), (2026, 4, 31, 0, 0, 0), (2026, 0, 1, 0, 0, 0),
    (2026, 13, 1, 0, 0, 0), (2026, 1, 0, 0, 0, 0), (2026, 1, 1, 24, 0, 0), (2026, 1, 1, 0, 60, 0),
    (2026, 1, 1, 0, 0, 61), (Int.max, 1, 1, 0, 0, 0), (Int.min, 1, 1, 0, 0, 0),
  ])
  func timesThatDoNotExistAreRefused(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int
  ) {
    #expect(
      UTCTime.unix(year: year, month: month, day: day, hour: hour, minute: minute, second: second) == nil)
  }

  /// Python's dates are those of the proleptic Gregorian calendar (PEP 3101, "datetime").
  @Test func datesAreThoseOfPython() throws {
    let seed: UInt64 = 18
    var random = SeededNumbers(seed: seed)
    let times = (0..<2000).map { _ in Int.random(in: -62_135_596_800...253_402_300_799, using: &random) }
    for unix in times {
      let time = UTCTime(unix: unix)
      #expect(
        UTCTime.unix(
          year: time.year, month: time.month, day: time.day, hour: time.hour, minute: time.minute,
          second: time.second) == unix)
    }
    let lines = times.map {
      "\($0) \(Date(timeIntervalSince1970: TimeInterval($0)).inUTC) \(UTCTime(unix: $0).weekday)\n"
    }
    let files = try TemporaryFolder(["times": lines.joined()])
    let script = """
      import sys
      from datetime import datetime, timedelta
      for line in open(sys.argv[1]):
          unix, text, weekday = line.split()
          time = datetime(1970, 1, 1) + timedelta(seconds=int(unix))
          if time.isoformat() + "Z" != text or time.isoweekday() % 7 != int(weekday):
              sys.exit(f"{line.strip()}, not {time.isoformat()}")
      """
    guard let code = try runProgram("python3", ["-c", script, "\(files.path)/times"]) else {
      try skipTest("there is no python3")
    }
    #expect(code == 0, "seed \(seed)")
  }

  @Test(arguments: [
    ("Mon, 01 Jan 0001 00:00:00 GMT", -62_135_596_800), ("Thu, 14 Oct 1582 23:59:59 GMT", -12_219_292_801),
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
  ])
  func fieldsOfHTTPAreRead(_ text: String, _ unix: Int) {
    #expect(Date(httpDate: text, now: Date())?.timeIntervalSince1970 == TimeInterval(unix))
  }
}
