import BundledPlugins
import EngineProfiles
import FixtureReplay
import Glibc
import PortalAnalysis
import ProbeCore
import ProbeBase
import ProbePipeline
import ProbeReporting

/// Prints the signs that the analysis sees in the networks of fixtures, for `Tests/Programs/PageSigns/learn`.
///
/// Each line is a JSON object: the fixture's path, its verdict and the expected ones, the login URL, and the
/// distinct responses that are not as expected. Each response has its kind, its confidence, its signs and the number
/// of probes that received it.
@main
enum Main {
  static func main() async throws {
    let folders = Array(CommandLine.arguments.dropFirst())
    guard !folders.isEmpty else {
      print("usage: page-signs FOLDER...")
      exit(2)
    }
    let own = EngineProfile.own.loaded(with: try .bundled)
    var following = own
    following.change { $0.overrides = [RequestSetting { request, _ in request.redirects = 5 }] }
    let plan = try own.plan()
    let second = try following.plan()
    for loaded in FixtureLoader().load(folders) {
      guard loaded.fixture != nil, loaded.findings.isEmpty else { continue }
      let network = try ReplayedNetwork(loaded, with: try .bundled)
      let probes = Guarded<[ProbeResult]>([])
      let behind = Guarded<[ProbeResult]>([])
      let runner = PipelineRunner(network.plugins.transports)
      let result = await runner.run(plan) { _, probe in probes.withLock { $0.append(probe) } }
      // The pages behind redirects are further responses.
      _ = await runner.run(second) { _, probe in
        if probe.response?.redirects.isEmpty == false { behind.withLock { $0.append(probe) } }
      }
      // In an order that does not depend on which probe ends first: of like responses, the first is printed.
      let found = [probes, behind].flatMap { list in list.withLock { $0 }.sorted { $0.url < $1.url } }
      print(try JSONLine.text(line(for: loaded, result, found)), terminator: "")
    }
  }

  private static func line(for loaded: LoadedFixture, _ result: RunResult, _ probes: [ProbeResult])
    -> FixtureLine
  {
    var responses: [(likeness: UInt64, line: ResponseLine)] = []
    for probe in probes {
      guard let analysis = probe.analysis, var response = probe.response,
        var requestedURL = try? ProbeURL(probe.url)
      else { continue }
      // As the page behind a redirect is analysed: on its own.
      if response.redirects.contains(where: { $0.target == response.url }) {
        requestedURL = response.url
        response.redirects = []
      }
      if let known = responses.firstIndex(where: { $0.likeness == analysis.likeness }) {
        responses[known].line.probes += 1
        continue
      }
      let seen = ResponseAnalysis.signsSeen(in: response, requested: requestedURL) {
        $0 == .http ? .plaintext : .encrypted
      }
      responses.append(
        (
          analysis.likeness,
          ResponseLine(
            probes: 1, kind: seen.kind.name, isStated: seen.isStated, portal: seen.portal,
            signs: Dictionary(uniqueKeysWithValues: seen.signs))
        ))
    }
    return FixtureLine(
      path: loaded.path, verdict: result.verdict.rawValue,
      expected: loaded.fixture?.expectation?.verdicts.map(\.rawValue) ?? [],
      loginURL: result.portal?.loginURL.string, responses: responses.map(\.line))
  }
}

/// What is printed of a fixture.
struct FixtureLine: Encodable {
  var path: String
  var verdict: String
  var expected: [String]
  var loginURL: String?
  var responses: [ResponseLine]

  private enum CodingKeys: String, CodingKey {
    case path, verdict, expected, loginURL
    case responses = "answers"
  }
}

/// What is printed of a response that is not as expected.
struct ResponseLine: Encodable {
  /// The number of probes that received it.
  var probes: Int
  var kind: String
  var isStated: Bool
  /// How probable a portal is by the present weights.
  var portal: Double
  /// How often each sign counts.
  var signs: [String: Int]
}
