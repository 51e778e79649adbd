import BundledPlugins
import EngineProfiles
import FixtureReplay
import ProbePipeline
import Testing

/// The conclusions that docs/profiles.md draws from the matrix of all fixtures and all profiles.
struct LessonTests {
  /// A fixture, and the engines with their verdicts.
  struct Lesson: CustomTestStringConvertible {
    let fixture: String
    let verdicts: [Verdict: [String]]
    var testDescription: String { fixture }

    init(_ fixture: String, _ verdicts: [Verdict: [String]]) {
      self.fixture = fixture
      self.verdicts = verdicts
    }
  }

  private static let plainOnly = ["apple", "chromium", "connman", "firefox-esr", "networkmanager", "windows"]

  static let lessons = [
    Lesson(
      "portals/rfc6585-511",
      [
        .offline: ["android", "chromeos", "windows"], .inconclusive: ["connman"], .captivePortal: ["default"],
      ]),
    Lesson(
      "portals/forbidden-with-login",
      [
        .offline: ["android", "chromeos", "chromium", "windows"], .inconclusive: ["connman", "firefox-esr"],
        .captivePortal: ["default", "apple", "networkmanager"],
      ]),
    Lesson(
      "portals/not-found-with-login",
      [
        .offline: ["android", "chromeos", "chromium", "connman", "windows"], .inconclusive: ["firefox-esr"],
        .captivePortal: ["default", "apple", "networkmanager"],
      ]),
    Lesson(
      "portals/redirect-308",
      [.offline: ["chromeos"], .captivePortal: ["android", "chromium", "firefox-esr"]]),
    Lesson(
      "portals/pfsense-https",
      [.offline: ["chromium"], .captivePortal: ["android", "apple", "chromeos", "connman", "firefox-esr"]]),
    Lesson("worlds/portal-apple-allowed", [.online: ["apple"], .captivePortal: ["default", "android"]]),
    Lesson("worlds/portal-imitates-apple", [.online: ["apple"], .captivePortal: ["default", "android"]]),
    Lesson(
      "worlds/portal-google-allowed",
      [.online: ["android", "chromeos", "chromium"], .captivePortal: ["default", "apple"]]),
    Lesson(
      "blocked/block-page",
      [
        .captivePortal: [
          "apple", "networkmanager", "android", "chromeos", "chromium", "firefox-esr", "windows",
        ],
        .intercepted: ["default"],
      ]),
    Lesson(
      "blocked/block-page-403",
      [
        .captivePortal: ["apple", "networkmanager"],
        .offline: ["android", "chromeos", "chromium", "windows"],
        .inconclusive: ["connman", "firefox-esr"], .intercepted: ["default"],
      ]),
    Lesson(
      "worlds/clock-behind",
      [.online: plainOnly, .partial: ["default", "android"], .offline: ["chromeos", "connectivity"]]),
    Lesson(
      "worlds/tls-interception-untrusted",
      [
        .online: plainOnly, .partial: ["android"], .offline: ["chromeos", "connectivity"],
        .intercepted: ["default"],
      ]),
    Lesson("worlds/portal-https-open", [.online: ["connectivity"], .captivePortal: ["default", "android"]]),
    Lesson("portals/mikrotik", [.offline: ["connectivity"]]),
  ]

  @Test(arguments: lessons) func theEnginesReachTheVerdictsOfTheLesson(_ lesson: Lesson) async throws {
    for (verdict, engines) in lesson.verdicts {
      for engine in engines {
        // Each engine starts from the network's initial state.
        let network = try ReplayedNetwork("fixtures/\(lesson.fixture)", with: .bundled)
        let plan = try #require(EngineProfile.named(engine)).patientPlan
        #expect(await network.run(plan).verdict == verdict, "\(engine)")
      }
    }
  }
}
