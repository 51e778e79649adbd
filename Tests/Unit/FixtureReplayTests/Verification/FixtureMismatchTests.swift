import FixtureReplay
import ProbeCore
import ProbePipeline
import Testing

/// The differences between findings and a fixture's expectation.
@Suite struct FixtureMismatchTests {
  private static func mismatches(
    _ verdicts: [Verdict], _ loginURL: String?, _ verdict: Verdict, _ found: String?, strict: Bool = false
  ) throws -> [FixtureMismatch.Subject] {
    let found = try found.map { try ProbeURL($0) }
    return FixtureExpectation(verdicts, loginURL: loginURL)
      .mismatches(verdict: verdict, loginURL: found, comparesQueries: strict)
      .map(\.subject)
  }

  @Test func verdicts() throws {
    #expect(try Self.mismatches([.online], nil, .online, nil) == [])
    #expect(try Self.mismatches([.captivePortal, .intercepted], nil, .intercepted, nil) == [])
    #expect(try Self.mismatches([.captivePortal, .intercepted], nil, .offline, nil) == [.verdict])
    #expect(try Self.mismatches([.captivePortal], "http://a/", .offline, nil) == [.verdict, .loginURL])
    // If none is expected, any is correct.
    #expect(try Self.mismatches([.captivePortal], nil, .captivePortal, "http://a/") == [])
  }

  static let urls: [(expected: String, found: String?, isSame: Bool, isStrictlySame: Bool)] = [
    ("http://a.example/x", "http://a.example/x", true, true),
    ("http://a.example/x?q=1", "http://a.example/x?q=2", true, false),
    ("http://a.example/x?q=1", "http://a.example/x", true, false),
    ("http://a.example/x", "http://a.example/x?", true, false),
    ("http://a.example/x#top", "http://a.example/x", true, true),
    ("http://a.example", "http://a.example/", true, true),
    ("http://a.example?q", "http://A.example:80/?q", true, true),
    ("https://a.example/", "https://a.example:443/", true, true),
    ("http://a.example/x", "https://a.example/x", false, false),
    ("http://a.example/x", "http://b.example/x", false, false),
    ("http://a.example/x", "http://a.example:8080/x", false, false),
    ("http://a.example/x", "http://a.example/X", false, false),
    ("http://a.example/x", "http://a.example/x/", false, false),
    ("http://a.example/x", nil, false, false),
    ("no URL", "http://a.example/", false, false),
  ]

  @Test(arguments: urls)
  func loginURLs(_ expected: String, found: String?, isSame: Bool, isStrictlySame: Bool) throws {
    func holds(strict: Bool) throws -> Bool {
      try Self.mismatches([.captivePortal], expected, .captivePortal, found, strict: strict).isEmpty
    }
    #expect(try holds(strict: false) == isSame)
    #expect(try holds(strict: true) == isStrictlySame)
  }

  @Test func words() {
    let verdict = FixtureMismatch(.verdict, expected: "online or partial", found: "offline")
    #expect("\(verdict)" == "expected online or partial, found offline")
    let url = FixtureMismatch(.loginURL, expected: "http://a/\u{1B}[2J", found: nil)
    #expect("\(url)" == "expected the login URL http://a/\\x1b[2J, found no login URL")
  }
}
