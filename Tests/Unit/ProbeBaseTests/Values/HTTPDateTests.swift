import FoundationEssentials
import ProbeBase
import Testing

/// Dates of HTTP header fields.
@Suite struct HTTPDateTests {
  private static let now = Date(timeIntervalSince1970: 1_764_000_000)

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
  ])
  func allFormsAreRead(_ text: String, _ seconds: Double) {
    #expect(Date(httpDate: text, now: Self.now)?.timeIntervalSince1970 == seconds)
  }

  @Test(arguments: [
    "9223372036854775807", "-9223372036854775808", "9999999999999", "99999999999999999999", "10000", "nan",
  ])
  func extremesAreNoDates(_ number: String) {
    for text in [
      "Sun, 06 Nov \(number) 08:49:37 GMT", "Sun, \(number) Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 \(number):49:37 GMT", "Sun, 06 Nov 1994 08:\(number):37 GMT",
      "Sun, 06 Nov 1994 08:49:\(number) GMT", "Sun Nov 06 08:49:37 \(number)",
    ] {
      #expect(Date(httpDate: text, now: Self.now) == nil, "\(text)")
    }
  }
}
