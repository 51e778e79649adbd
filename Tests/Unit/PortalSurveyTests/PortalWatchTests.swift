import FixtureReplay
import PortalSurvey
import ProbeCore
import ProbePipeline
import TestRequirements
import Testing

/// The stages of a login.
@Suite(.patience(minutes: 1)) struct PortalWatchTests {
  private static let passing = "\"*\": valid"

  @Test func aLoginAndTheEndOfTheSessionAreStages() async throws {
    let portal = TestPortal {
      $0.tls =
        "portal.example: valid, \"*.google.com\": valid, \"*.gstatic.com\": valid, \"*.apple.com\": valid"
      $0.routes = "  - when: { state: captive, listener: https, host: '*o*.*com' }\n    end: rst"
    }
    let network = try portal.network()
    var watch = PortalWatch(try portal.survey(of: network))
    watch.interval = .milliseconds(10)
    let (kinds, continuation) = AsyncStream.makeStream(of: PortalReport.Stage.Kind.self)
    async let report = {
      // A watch that ends too early must not leave the test waiting.
      defer { continuation.finish() }
      return await watch.run { continuation.yield($0.kind) }
    }()
    var seen: [PortalReport.Stage.Kind] = []
    for await kind in kinds {
      seen.append(kind)
      switch kind {
      case .beforeLogin: try network.setState("open")
      case .afterLogin: try network.setState("captive")
      default: break
      }
    }
    #expect(seen == [.beforeLogin, .afterLogin, .sessionEnd])
    let stages = try #require(await report).stages
    #expect(stages.map(\.kind) == seen)
    #expect(stages[1].verdict == .online)
    #expect(stages[1].loginURL == nil)
    // Windows and Firefox are still intercepted, because the network has no true response for them.
    #expect(stages[1].findings.map(\.check.id).contains("after.endpoints"))
    #expect(!stages[1].findings.map(\.check.id).contains("after.https"), "\(stages[1].findings)")
  }

  @Test func anAPIThatIsStillCaptiveAfterTheLoginIsReported() async throws {
    let portal = TestPortal {
      $0.apiAfterLogin = $0.api
      $0.tls =
        "portal.example: valid, \"*.google.com\": valid, \"*.gstatic.com\": valid, \"*.apple.com\": valid"
    }
    let network = try portal.network()
    let survey = try portal.survey(of: network)
    var report = PortalReport(try #require(await survey.survey()))
    try network.setState("open")
    report.add(try #require(await survey.survey()))
    #expect(report.stages.map(\.kind) == [.beforeLogin, .afterLogin])
    #expect(
      report.stages[1].findings.map(\.check.id).contains("api.truthful"), "\(report.stages[1].findings)")
  }

  @Test func aSecondLoginAtAnotherHostIsAStage() async throws {
    let portal = TestPortal {
      $0.routes = """
          - when: { state: second, listener: http }
            respond: { status: 302, headers: ['Location: https://payment.example/login', 'Cache-Control: no-store'] }
          - when: { state: second, host: payment.example }
            respond: { status: 200, headers: ['Content-Type: text/html'], body: login.html }
          - when: { host: portal.example, path: /first }
            respond: { status: 200 }
            goto: second
        """
      $0.tls = "portal.example: valid, payment.example: valid"
    }
    let network = try portal.network()
    var survey = try portal.survey(of: network)
    survey.announcements = []
    var report = PortalReport(try #require(await survey.survey()))
    try network.setState("second")
    report.add(try #require(await survey.survey()))
    #expect(report.stages.map(\.kind) == [.beforeLogin, .secondLogin])
    #expect(report.ids.contains("login.twoStages"), "\(report.ids)")
  }
}
