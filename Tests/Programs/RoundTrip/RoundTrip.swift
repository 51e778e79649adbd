import BundledPlugins
import FixtureCapture
import FixtureReplay
import ProbeTLS
import ProbeCore
import SourceDocuments
import TestSupport

/// A fixture, its capture, the captured fixture, and the capture of that fixture.
struct RoundTrip: Sendable {
  /// The result for one fixture.
  struct Outcome: Sendable {
    /// The differences from the wire, a line each.
    var mistakes: [String]
    /// How many exchanges were compared.
    var exchanges: Int
    /// How many of them brought bytes that a route of the fixture sends.
    var responses: Int
  }

  /// The URLs to request in every fixture; they are those of the built-in pipeline.
  private static let urls = [
    "http://captive.apple.com/hotspot-detect.html", "http://connectivitycheck.gstatic.com/generate_204",
    "http://firefox-portal-detection.com/success.txt", "http://www.msftconnecttest.com/connecttest.txt",
    "https://www.google.com/generate_204", "https://www.apple.com/library/test/success.html",
  ]

  private let options: ReplayOptions

  init() throws {
    var options = ReplayOptions()
    options.authority = try CertificateAuthority(name: "Round Trip Authority")
    self.options = options
  }

  /// Makes the round trip; again with longer timeouts if there are differences, which are usual where a busy
  /// machine exceeds them.
  func outcome(of loaded: LoadedFixture) async throws -> Outcome {
    // Twice as long as the longest delay of a fixture.
    try await withGrowingLimit(from: .seconds(4), while: { (outcome: Outcome) in !outcome.mistakes.isEmpty })
    {
      try await outcome(of: loaded, timeout: $0)
    }
  }

  private func outcome(of loaded: LoadedFixture, timeout: Duration) async throws -> Outcome {
    guard let fixture = loaded.fixture else {
      return Outcome(mistakes: ["\(loaded.path): cannot be loaded"], exchanges: 0, responses: 0)
    }
    let first = try await capture(fixture, timeout)
    var (mistakes, responses) = first.comparisonWithRoutes(of: fixture)
    let captured = CapturedFixture(
      name: fixture.name, source: FixtureSource(kind: .synthetic, reference: "a replay"),
      exchanges: first.exchanges, redaction: .none)
    let files = try captured.files().map { ("copy/\($0.name)", $0.bytes) }
    let memory = MemoryFiles(Dictionary(files, uniquingKeysWith: { first, _ in first }))
    let copy = FixtureLoader(files: memory).load(["copy"])
    for finding in copy.flatMap({ $0.findings }) { mistakes.append("\(finding.path): \(finding.message)") }
    if let copied = copy.first?.fixture {
      let second = try await capture(copied, timeout)
      for exchange in first.exchanges {
        guard let other = second.exchanges.first(where: { $0.url == exchange.url }) else {
          mistakes.append("\(exchange.url): not in the second capture")
          continue
        }
        // What a fixture cannot express has a remark.
        guard !captured.remarks.contains(where: { $0.contains(exchange.url.string) }) else { continue }
        mistakes += exchange.differences(from: other).map { "\(exchange.url): \($0)" }
      }
    }
    return Outcome(
      mistakes: mistakes.map { "\(loaded.path): \($0)" }, exchanges: first.exchanges.count,
      responses: responses)
  }

  private func capture(_ fixture: Fixture, _ timeout: Duration) async throws -> ReplayCapture {
    let server = try ReplayServer([fixture], options: options)
    defer { server.stop() }
    let recorder = ExchangeRecorder()
    let transports = recorder.recording(try PluginRegistry.bundled.transports).routed(to: server)
    let prober = Prober(transports, policy: .plaintextAllowed)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for url in Self.urls {
        var request = ProbeRequest(try ProbeURL(url))
        request.timeout = timeout
        group.addTask { [request] in _ = try? await prober.probe(request) }
      }
      try await group.waitForAll()
    }
    return ReplayCapture(exchanges: recorder.exchanges, entries: server.journal.entries)
  }
}
