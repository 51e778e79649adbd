import ProbeCore
import Testing

@testable import BlackboxExporter

/// The timeout of a probe.
@Suite struct ScrapeTimeoutTests {
  @Test(arguments: [
    (0, "15", 0.5, 14.5), (0, "15", 0, 15), (20, "15", 0.5, 14.5), (20, "15", 0, 15), (5, "15", 0, 5),
    (5, "15", 0.5, 5), (10, "", 0.5, 10), (10, "10", 0.5, 9.5), (9.5, "", 0.5, 9.5), (9.5, "", 1, 9.5),
    (0, "", 0.5, 119.5), (0, "", 0, 120),
    // A scrape without a timeout, and scrapes that leave little or no time.
    (0, "0", 0.5, 119.5), (3, "0.25", 0.5, 3), (0, "0.25", 0.5, 0), (0, "1e1", 0.5, 9.5),
  ])
  func timeoutsFollowTheRule(_ module: Double, _ field: String, _ offset: Double, _ expected: Double) throws {
    let rule = ScrapeTimeout(offset: offset)
    #expect(try rule.timeout(field: field, module: .seconds(module)) == .seconds(expected))
    if field.isEmpty {
      #expect(try rule.timeout(field: nil, module: .seconds(module)) == .seconds(expected))
    }
    if module == 0 { #expect(try rule.timeout(field: field, module: nil) == .seconds(expected)) }
  }

  @Test(arguments: ["ten", "10s", " ", "nan", "inf", "1,5"])
  func nonNumbersAreRefused(_ field: String) {
    let rule = ScrapeTimeout(offset: 0.5)
    let error = #expect(throws: InvalidInput.self) { try rule.timeout(field: field, module: nil) }
    #expect(error?.message.hasSuffix("is not a number of seconds") == true, "\(error?.message ?? "")")
  }

  @Test func anExcessiveScrapeTimeoutIsLimited() throws {
    #expect(try ScrapeTimeout(offset: 0).timeout(field: "1e300", module: nil) == .seconds(86_400))
  }
}
