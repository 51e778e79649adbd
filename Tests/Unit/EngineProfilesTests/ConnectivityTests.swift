import BundledPlugins
import ProbeCore
import ProbePipeline
import Testing

/// The expectations of Connectivity's own tests for its validators, its percentages and custom validators.
///
/// The tests of the monitor cover polling.
struct ConnectivityTests {
  private static let pages = [
    "https://www.apple.com/library/test/success.html", "https://captive.apple.com/hotspot-detect.html",
  ]

  private static func network(_ body: String?) throws -> SimulatedNetwork {
    try SimulatedNetwork(["https://example.com/": body.map { .response(200, body: $0) } ?? .content(0)])
  }

  @Test(arguments: [
    ("contains: test", "a test", true), ("contains: test", "est", false), ("equals: test", "test", true),
    ("equals: test", "est", false), ("matches: 'test[0-9]+'", "test1234", true),
    ("matches: 'test[0-9]+'", "testa1234", false), ("matches: 'test[0-9]+'", nil, false),
    ("equals: Success", "Success\n", true),
    ("equals: Success", "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>", false),
  ])
  func validatorsMatchConnectivity(_ validator: String, _ body: String?, _ isAccepted: Bool) async throws {
    let pipeline = """
      version: 1
      name: test
      sets: [{ name: a, urls: [https://example.com/], classify: [{ when: { \(validator) }, outcome: accepted }] }]
      """
    let judgement = try await Judgement(running: pipeline, in: Self.network(body))
    #expect(judgement.result.sets[0].accepted == (isAccepted ? 1 : 0))
  }

  @Test(arguments: [
    (10, 2, "20%", true), (10, 2, "20.1%", false), (10, 5, "50%", true), (10, 10, "100%", true),
    (10, 9, "100%", false),
    (1, 0, "0.1%", false), (2, 1, "50%", true), (2, 0, "50%", false),
  ])
  func connectivityPercentagesWorkAsThresholds(
    _ total: Int, _ accepted: Int, _ threshold: String, _ isMet: Bool
  ) async throws {
    let urls = (0..<total).map { "https://host\($0).example/" }
    var network = try SimulatedNetwork()
    for (index, url) in urls.enumerated() { try network.add(url, .response(index < accepted ? 200 : 404)) }
    let pipeline = """
      version: 1
      name: test
      sets: [{ name: a, threshold: \(threshold), urls: [\(urls.map { "\"\($0)\"" }.joined(separator: ", "))] }]
      """
    #expect(try await Judgement(running: pipeline, in: network).result.sets[0].isMet == isMet)
  }

  /// Connectivity clamps invalid percentages, and treats an empty list of URLs as none reached.
  @Test(arguments: ["-0.1%", "0%", "100.1%"])
  func anInvalidPercentageIsRejectedInsteadOfClamped(_ threshold: String) async throws {
    let pipeline = """
      version: 1
      name: test
      sets: [{ name: a, threshold: \(threshold), urls: [https://example.com/] }]
      """
    await #expect(throws: UnusablePipeline.self) {
      try await Judgement(running: pipeline, in: SimulatedNetwork())
    }
  }

  /// Accepts a host's responses with a certain prefix and suffix.
  private struct HostedText: ConfigurableValidator {
    struct Options: Codable {
      var host: String
      var prefix: String
      var suffix: String
    }

    static let name = "hostedText"
    let options: Options

    func validate(_ response: ProbeResponse) -> Validation {
      let text = String(decoding: response.body, as: UTF8.self)
      let isRight =
        response.url.host == options.host && text.hasPrefix(options.prefix) && text.hasSuffix(options.suffix)
      return isRight ? .accepted : .rejected(expected: "the host's own text", found: "another")
    }
  }

  @Test(arguments: [
    ("example.com", "11234z", true), ("apple.com", "11234z", false), ("example.com", "21234y", false),
  ])
  func aCustomValidatorDeterminesTheResult(_ host: String, _ body: String, _ isAccepted: Bool) async throws {
    var plugins = try PluginRegistry.bundled
    try plugins.register(HostedText.self)
    let pipeline = """
      version: 1
      name: test
      sets:
        - name: a
          urls: ["https://\(host)/"]
          validate: { hostedText: { host: example.com, prefix: "1", suffix: z } }
      """
    let network = try SimulatedNetwork(["https://\(host)/": .response(200, body: body)])
    let judgement = try await Judgement(running: pipeline, in: network, plugins: plugins)
    #expect(judgement.result.sets[0].accepted == (isAccepted ? 1 : 0))
  }

  @Test func halfOfThePagesSufficeRegardlessOfStatus() async throws {
    let page = SimulatedNetwork.Ending.response(404, body: "<BODY>Success</BODY>")
    #expect(
      try await Judgement(of: "connectivity", in: SimulatedNetwork([Self.pages[0]: page])).verdict == .online)
    #expect(
      try await Judgement(of: "connectivity", in: SimulatedNetwork([Self.pages[1]: page])).verdict == .online)
  }

  @Test(arguments: [SimulatedNetwork.Ending.redirect, .tlsError, .reset, .content(400)])
  func portalsTLSFailuresAndOutagesAreAllOffline(_ ending: SimulatedNetwork.Ending) async throws {
    let network = try SimulatedNetwork([Self.pages[0]: ending, Self.pages[1]: ending])
    let judgement = try await Judgement(of: "connectivity", in: network)
    #expect(judgement.verdict == .offline)
    #expect(judgement.loginURL == nil)
  }
}
