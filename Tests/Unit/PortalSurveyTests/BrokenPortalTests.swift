import EngineProfiles
import FoundationEssentials
import PortalSurvey
import ProbeCore
import ProbePipeline
import Testing
import TestSupport

/// Portals with one fault each, which the report must name first.
struct BrokenPortalTests {
  struct Fault: CustomTestStringConvertible, Sendable {
    let id: String
    let change: @Sendable (inout TestPortal) -> Void
    var testDescription: String { id }

    init(_ id: String, _ change: @escaping @Sendable (inout TestPortal) -> Void) {
      self.id = id
      self.change = change
    }
  }

  static let faults = [
    Fault("http.redirectPermanent") {
      $0.status = 301
      $0.headers = ["Location: https://portal.example/login"]
    },
    Fault("http.redirectTarget") { $0.headers = ["Cache-Control: no-store"] },
    Fault("http.redirectLocal") {
      $0.headers = ["Location: http://127.0.0.1/login", "Cache-Control: no-store"]
    },
    Fault("http.status") {
      $0.status = 511
      $0.headers = ["Content-Type: text/html"]
      $0.body = $0.page
    },
    Fault("http.everyHost") {
      $0.routes = "  - when: { listener: http, host: www.msftconnecttest.com }\n    end: rst"
    },
    Fault("https.intercepted") { $0.tls = "portal.example: valid, www.google.com: self-signed" },
    Fault("login.certificate") {
      $0.announced = ""
      $0.tls = "portal.example: expired"
    },
    Fault("login.status") {
      $0.routes =
        "  - when: { host: portal.example, method: GET, path: /login }\n    respond: { status: 404 }"
    },
    Fault("login.redirectLoop") {
      $0.routes =
        "  - when: { host: portal.example, method: GET, path: /login }\n"
        + "    respond: { status: 302, headers: ['Location: https://portal.example/login'] }"
    },
    Fault("login.mixed") { $0.page += "<script src=\"http://portal.example/login.js\"></script>" },
    Fault("login.localNetwork") {
      $0.page += "<script>fetch('http://10.1.0.1:3990/json/status')</script>"
    },
    Fault("login.encrypted") {
      $0.announced = ""
      $0.headers[0] = "Location: http://portal.example/login"
    },
    Fault("api.remaining") {
      $0.api =
        #"{ "captive": true, "user-portal-url": "https://portal.example/login", "seconds-remaining": null }"#
    },
    Fault("garden.endpoints") {
      $0.routes = "  - when: { listener: http, host: test.steampowered.com }\n    respond: { status: 204 }"
    },
    Fault("garden.endpoints") {
      $0.routes =
        "  - when: { listener: http, host: captive.apple.com }\n    respond: { status: 200, body: apple.html }"
    },
    Fault("announce.https") { $0.announced = "http://portal.example/api" },
    Fault("announce.unrestricted") { $0.announced = "urn:ietf:params:capport:unrestricted" },
    Fault("api.certificate") {
      $0.announced = "https://api.example/api"
      $0.tls = "portal.example: valid, api.example: wrong-host"
    },
    Fault("dns.resolves") {
      $0.announced = ""
      $0.dns = "dns: { \"*\": nxdomain }"
    },
    Fault("dns.forged") { $0.dns = "dns: { captive.apple.com: 10.0.0.1 }" },
    // Some phones refuse the address of the host that they probe, and show nothing.
    Fault("dns.forged") {
      $0.announced = ""
      $0.dns = "dns: { connectivitycheck.gstatic.com: 10.0.0.1 }"
    },
    Fault("http.answered") {
      $0.announced = ""
      $0.listeners = "{ http: refused }"
    },
  ]

  @Test(arguments: faults) func theFirstFindingIsTheFault(_ fault: Fault) async throws {
    let report = try await TestPortal(fault.change).report()
    #expect(report.ids.first == fault.id, "\(report.findings)")
  }

  /// A substituted page is not that of a true server, even if it contains that server's text.
  @Test func aPageWithTheWordOKDoesNotPass() async throws {
    let report = try await TestPortal {
      $0.announced = ""
      $0.status = 200
      $0.headers = ["Content-Type: text/html", "Cache-Control: no-store"]
      $0.body = $0.page.replacing("Log in", with: "OK")
    }.report()
    #expect(!report.ids.contains("garden.endpoints"), "\(report.findings)")
  }

  @Test func aCorrectPortalHasNoFindings() async throws {
    let report = try await TestPortal().report()
    #expect(report.findings.isEmpty, "\(report.findings)")
    let stage = try #require(report.stages.first)
    #expect(stage.kind == .beforeLogin)
    #expect(stage.loginURL?.string == "https://portal.example/login")
    #expect(stage.engines.filter { $0.looksForPortals && !$0.showsLogin }.map(\.profile) == [])
  }

  /// A hosts file or a filter, which may be on this machine, leads the name there.
  @Test(arguments: ["0.0.0.0", "127.0.0.1", "::"])
  func aNameThatLeadsToThisMachineIsNoFinding(_ address: String) async throws {
    let report = try await TestPortal { $0.dns = "dns: { captive.apple.com: \"\(address)\" }" }.report()
    #expect(report.findings.isEmpty, "\(report.findings)")
  }

  /// The checklist for portal makers has a row for each check, in the order of the report.
  @Test func theChecklistHasEveryCheck() throws {
    let page = try String(contentsOf: projectFile("docs/recipes/portal-makers.md"), encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let expected = PortalCheck.all.map { check in
      let level = check.level.map { " (\($0.rawValue))" } ?? ""
      return "| `\(check.id)` | \(check.requirement) | \(check.reference)\(level) |"
    }
    #expect(rows.map(String.init) == expected)
  }

  /// A standard does not change; what systems do does.
  @Test func everyOtherSourceThanAStandardHasADay() {
    let standards = ["RFC ", "W3C ", "WHATWG ", "WISPr ", "settings of this machine", "ProbeKit's "]
    for check in PortalCheck.all where check.source == nil {
      for part in check.reference.split(separator: "; ") {
        #expect(standards.contains { part.hasPrefix($0) }, "\(check.id)")
      }
    }
    #expect(PortalCheck.all.compactMap(\.source?.date).allSatisfy { $0.count == 10 && $0 >= "2026-01-01" })
  }

  @Test func everyCheckHasAUniqueIdentifierAndCompleteTexts() {
    let ids = PortalCheck.all.map(\.id)
    #expect(Set(ids).count == ids.count)
    for check in PortalCheck.all {
      #expect(!check.reference.isEmpty && !check.harm.isEmpty && check.fix.hasSuffix("."), "\(check.id)")
    }
  }
}
