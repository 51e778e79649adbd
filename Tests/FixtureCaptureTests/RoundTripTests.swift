import BundledPlugins
import FixtureCapture
import OpenSSL
import ProbeCore
import ProbePipeline
import SourceDocuments
import Testing

@testable import FixtureReplay

/// Capturing a replayed fixture gives the bytes that the fixture sends, and a fixture that sends the same again.
@Suite struct RoundTripTests {
  /// What every fixture is asked; the built-in pipeline asks the same.
  private static let urls = [
    "http://captive.apple.com/hotspot-detect.html", "http://connectivitycheck.gstatic.com/generate_204",
    "http://detectportal.firefox.com/success.txt", "http://www.msftconnecttest.com/connecttest.txt",
    "https://www.google.com/generate_204", "https://www.apple.com/library/test/success.html",
  ]

  private static var fixtureFolder: String {
    #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/fixtures"
  }

  /// How many fixtures are captured at a time: each keeps a dozen threads and sockets busy.
  private static let width = 6
  /// Certificates are dear to make, and the same serve all.
  private static let options = {
    var options = ReplayOptions()
    options.certificates = (try? CertificateAuthority(name: "Round Trip")).map(ReplayCertificates.init)
    return options
  }()

  @Test func capturedBytesAreThoseOnTheWire() async throws {
    let fixtures = FixtureLoader().load([Self.fixtureFolder])
    #expect(fixtures.count > 300)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, loaded) in fixtures.enumerated() {
        if index >= Self.width { try await group.next() }
        group.addTask { try await roundTrip(loaded) }
      }
      try await group.waitForAll()
    }
  }

  private func roundTrip(_ loaded: LoadedFixture) async throws {
    let path = loaded.path
    let fixture = try #require(loaded.fixture, "\(path)")
    let first = try await Self.capture(fixture)
    // Whoever was let in has asked.
    for exchange in first.exchanges {
      let request = "GET \(exchange.url.requestTarget) HTTP/1.1\r\nHost: \(exchange.url.host)\r\n"
      #expect(exchange.wire?.sent.starts(with: request.utf8) ?? true, "\(path): \(exchange.url)")
    }
    try first.expectTrueBytes(fixture, path)

    let captured = CapturedFixture(
      name: fixture.name, source: FixtureSource(kind: .synthetic, reference: "a replay"),
      exchanges: first.exchanges, redaction: .none)
    let files = try captured.files().map { ("copy/\($0.name)", $0.bytes) }
    let again = FixtureLoader(files: MemoryFiles(Dictionary(uniqueKeysWithValues: files))).load(["copy"])
    let reloaded = try #require(again.first)
    #expect(reloaded.findings.map(\.description) == [], "\(path)")
    let copy = try #require(reloaded.fixture)
    let second = try await Self.capture(copy)
    for exchange in first.exchanges {
      let other = try #require(second.exchanges.first { $0.url == exchange.url })
      exchange.expectSame(as: other, asTold: captured.remarks, path)
    }
  }
}

/// A capture, and what the replay server did.
private struct ReplayCapture {
  var exchanges: [RecordedExchange]
  var entries: [JournalEntry]
}

extension RoundTripTests {
  private static func capture(_ fixture: Fixture) async throws -> ReplayCapture {
    let server = try ReplayServer([fixture], options: options)
    defer { server.stop() }
    let recorder = ExchangeRecorder()
    let transports = recorder.recording(try PluginRegistry.bundled.transports).led(to: server)
    let prober = Prober(transports, policy: .plaintextAllowed)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for url in urls {
        var request = ProbeRequest(try ProbeURL(url))
        request.timeout = .seconds(2)
        group.addTask { [request] in _ = try? await prober.probe(request) }
      }
      try await group.waitForAll()
    }
    return ReplayCapture(exchanges: recorder.exchanges, entries: server.journal.entries)
  }
}

extension ReplayCapture {
  /// Expects each answer to be what its route sends.
  func expectTrueBytes(_ fixture: Fixture, _ path: String) throws {
    for exchange in exchanges {
      guard let wire = exchange.wire else { continue }
      let listener: ReplayListener = exchange.url.scheme == .https ? .https : .http
      let entry = entries.first { entry in
        guard entry.hit != nil, entry.listener == listener, let request = entry.request else { return false }
        return entry.host == exchange.url.host && request.head.requestTarget == exchange.url.requestTarget
      }
      guard let hit = entry?.hit else { continue }
      let route = try #require(fixture.routes.first { $0.id == hit.route })
      let fault = route.fault.flatMap { $0.befalls(hit: hit.number) ? $0 : nil }
      let script = ScriptWriter.script(for: route, fault: fault, asker: .request)
      let (sent, isWhole) = script.sentBytes
      // Of what is too long for a probe a beginning is kept.
      let isKept = isWhole && (sent.count <= 64 * 1024 || wire.received.count == sent.count)
      if isKept, wire.ending != .open || exchange.failure == nil {
        #expect(Difference(wire.received, sent) == nil, "\(path): \(exchange.url)")
      } else {
        // The client gave up before it was through.
        let isBeginning = sent.starts(with: wire.received) || wire.received.starts(with: sent)
        #expect(isBeginning, "\(path): \(exchange.url)")
      }
    }
  }
}

extension AnswerScript {
  /// What it sends, and whether that is all of it.
  fileprivate var sentBytes: (bytes: [UInt8], isWhole: Bool) {
    var bytes: [UInt8] = []
    for step in steps {
      switch step {
      case .send(let part), .sendSlowly(let part, _, _): bytes += part
      case .sendForever(let part): return (bytes + part, false)
      case .wait: break
      }
    }
    return (bytes, true)
  }
}

extension RecordedExchange {
  /// Expects another capture to have received the same in the same way.
  fileprivate func expectSame(as other: RecordedExchange, asTold remarks: [String], _ path: String) {
    guard !remarks.contains(where: { $0.hasPrefix(url.string) }) else { return }
    #expect(
      failure?.reason == other.failure?.reason,
      "\(path): \(url): \(failure?.detail ?? "") / \(other.failure?.detail ?? "")")
    guard let wire, let copy = other.wire else {
      #expect((wire == nil) == (other.wire == nil), "\(path): \(url)")
      return
    }
    #expect(wire.ending == copy.ending, "\(path): \(url)")
    // What never ends, or came too slowly, was cut by the clock.
    let isCut = wire.ending == .open && failure != nil || wire.received.count > 64 * 1024
    if isCut {
      let isBeginning =
        wire.received.starts(with: copy.received) || copy.received.starts(with: wire.received)
      #expect(isBeginning, "\(path): \(url)")
    } else {
      #expect(Difference(wire.received, copy.received) == nil, "\(path): \(url)")
    }
  }
}

/// Where two arrays of bytes, which may be long, begin to differ.
private struct Difference: Equatable, CustomStringConvertible {
  let offset: Int
  let counts: [Int]

  init?(_ left: [UInt8], _ right: [UInt8]) {
    guard left != right else { return nil }
    offset = zip(left, right).prefix { $0 == $1 }.map { _ in 1 }.count
    counts = [left.count, right.count]
  }

  var description: String { "\(counts[0]) and \(counts[1]) bytes differ at \(offset)" }
}
