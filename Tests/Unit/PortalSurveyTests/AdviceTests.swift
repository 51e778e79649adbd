import FixtureReplay
import PortalSurvey
import ProbeCore
import Testing

/// Advice, and findings whose severity depends on the portal.
struct AdviceTests {
  @Test func advicesAreNoFindings() async throws {
    let report = try await TestPortal().report()
    #expect(report.findings.isEmpty, "\(report.findings)")
    #expect(report.advice.map(\.check.id) == ["api.customTabs"])
    let offered = try await TestPortal { $0.api = Self.api(#""x-android-use-custom-tabs": 361335020"#) }
      .report()
    #expect(offered.advice.isEmpty && offered.result(of: "api.customTabs") == .met, "\(offered.advice)")
    let asText = try await TestPortal { $0.api = Self.api(#""x-android-use-custom-tabs": "361335020""#) }
      .report()
    #expect(asText.result(of: "api.customTabs") == .met)
  }

  @Test func aWrongValueForCustomTabsIsAWarning() async throws {
    let report = try await TestPortal { $0.api = Self.api(#""x-android-use-custom-tabs": 1"#) }.report()
    #expect(
      report.ids == ["api.customTabs"] && report.findings.first?.severity == .warning, "\(report.findings)")
    #expect(report.advice.isEmpty)
  }

  private static func api(_ member: String) -> String {
    #"{ "captive": true, "user-portal-url": "https://portal.example/login", \#(member) }"#
  }

  /// Chrome exempts private addresses and names without a dot from its warning.
  @Test(arguments: [
    ("portal.example", PortalCheck.Severity.error), ("10.0.0.1", .warning), ("gateway", .warning),
    ("router.lan", .warning), ("192.0.2.1", .warning), ("fd00::1", .warning),
  ])
  func anUnencryptedLoginIsAnErrorForPublicNames(_ host: String, _ severity: PortalCheck.Severity)
    async throws
  {
    let report = try await TestPortal {
      $0.announced = ""
      $0.headers[0] = "Location: http://\(host.contains("::") ? "[\(host)]" : host)/login"
      $0.routes = """
          - when: { listener: http, host: "\(host)", path: /login }
            respond: { status: 200, headers: ["Content-Type: text/html"], body: login.html }
        """
    }.report()
    let finding = try #require(
      report.findings.first { $0.check.id == "login.encrypted" }, "\(report.findings)")
    #expect(finding.severity == severity)
  }

  /// A page that only asks for consent is no risk on a private address, and a warning of the browser elsewhere.
  @Test func anUnencryptedPageOfTerms() async throws {
    for (host, isFinding) in [("portal.example", true), ("10.0.0.1", false)] {
      let report = try await TestPortal {
        $0.announced = ""
        $0.headers[0] = "Location: http://\(host)/login"
        $0.page =
          "<title>Guest Wi-Fi terms of use</title><form method=post><button>Accept and connect</button></form>"
        $0.routes = """
            - when: { listener: http, host: "\(host)", path: /login }
              respond: { status: 200, headers: ["Content-Type: text/html"], body: login.html }
          """
      }.report()
      #expect(report.ids.contains("login.encrypted") == isFinding, "\(host): \(report.findings)")
    }
  }

  @Test(arguments: [
    ("login?mac=00-00-5E-00-53-42", true), ("login?m=00%3A00%3a5e%3A00:53:42", true),
    ("guest/s/00:00:5e:00:53:42/", true), ("login?client_mac=00005e005342", true),
    ("login?cid=00005e005342", true), ("login?sta=0000.5e00.5342", true),
    ("login?mac=00%2D00%2D5e%2d00-53-42", true),
    ("login?mac=", false), ("login?time=12:30:45", false), ("login?id=00005e005342", false),
    ("2026-11-30-12-00-00", false), ("login?ip=fe80::200:5eff:fe00:5342", false),
    ("login?ap_mac=00-00-5E-00-53-42", false), ("login?called=00-00-5E-00-53-42", false),
    ("login?ts=26-11-30-12-05-09", false), ("login?hmac=0123456789ab", false),
    ("login?machine=deadbeefcafe", false), ("login?bssid=00:00:5e:00:53:42&client=7", false),
  ])
  func aLoginByHardwareAddressIsAdvice(_ path: String, _ isAdvice: Bool) async throws {
    let report = try await TestPortal {
      $0.announced = ""
      $0.headers[0] = "Location: https://portal.example/\(path)"
      $0.routes = """
          - when: { listener: https, host: portal.example }
            respond: { status: 200, headers: ["Content-Type: text/html"], body: login.html }
        """
    }.report()
    #expect(report.advice.map(\.check.id).contains("login.hardwareAddress") == isAdvice, "\(report.advice)")
    #expect(!report.ids.contains("login.hardwareAddress"))
  }
}
