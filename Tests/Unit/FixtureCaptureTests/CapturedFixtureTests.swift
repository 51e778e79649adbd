import FixtureReplay
import Foundation
import ProbeCore
import ProbePipeline
import SourceDocuments
import TestSupport
import Testing

@testable import FixtureCapture

/// Captures as files.
@Suite struct CapturedFixtureTests {
  /// Names and URLs from a hostile network.
  private static let hostile = [
    "plain", "with \"quotes\" and \\", "a: b # c", "- {x: [1]}", "tab\tand\u{7}bell", "\u{1b}[31mred",
    "\u{85}\u{2028}",
    "naïve 网络 🛜", "\u{FEFF}bom", "%@", "'", "null", "~", "", "yes",
  ]

  @Test(arguments: hostile)
  func hostileTextsAreReloadedOrReportedSafely(_ text: String) throws {
    let url = try ProbeURL("http://a.example/p*th?a=%22%0A&b='")
    let response = Array("HTTP/1.1 200 OK\r\n\r\n\u{0}".utf8)
    var captured = CapturedFixture(
      name: "n\(text)", source: FixtureSource(kind: .captured, reference: "r\(text)", date: "2026-11-22"),
      exchanges: [RecordedExchange(url: url, wire: WireRecord(received: response, ending: .finished))],
      redaction: .none)
    captured.vendor = "v\(text)"
    captured.finding = CapturedFixture.Finding(verdict: .captivePortal, loginURL: url)
    let files = try captured.files().map { ("net/\($0.name)", $0.bytes) }
    let loader = FixtureLoader(files: MemoryFiles(Dictionary(uniqueKeysWithValues: files)))
    let loaded = try #require(loader.load(["net"]).first)
    // Names must not contain control characters; the loader reports them without repeating an escape.
    let isLine = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
    guard isLine else {
      #expect(loaded.findings.allSatisfy { !$0.description.unicodeScalars.contains("\u{1b}") })
      return
    }
    #expect(loaded.findings.map(\.description) == [])
    let fixture = try #require(loaded.fixture)
    #expect(fixture.name == "n\(text)")
    #expect(fixture.vendor == "v\(text)")
    #expect(fixture.source.reference == "r\(text)")
    #expect(fixture.expectation?.loginURL == url.string)
    #expect(fixture.routes.first?.response == .send(response))
    #expect(fixture.routes.first?.condition.path?.pattern == url.requestTarget)
  }

  @Test func theSourceAndTheLossesAreRedactedToo() throws {
    let url = "http://a.example/?client_mac=a8-66-7f-12-34-56"
    let exchange = RecordedExchange(
      url: try ProbeURL(url), wire: WireRecord(received: Array("HTTP/1.1 200 OK\r\n\r\n".utf8)))
    var captured = CapturedFixture(
      name: "x", source: FixtureSource(kind: .captured, reference: "of \(url)"), exchanges: [exchange],
      redaction: CaptureRedaction(learningFrom: [exchange]), losses: ["the body of \(url)"])
    captured.finding = CapturedFixture.Finding(verdict: .captivePortal, loginURL: try ProbeURL(url))
    captured.pipeline = "sets: [\(url)]"
    let redacted = "http://a.example/?client_mac=00-00-5e-00-53-00"
    #expect(captured.finding?.loginURL?.string == redacted)
    #expect(captured.pipeline == "sets: [\(redacted)]")
    #expect(captured.source.reference == "of \(redacted)")
    #expect(captured.losses == ["the body of \(redacted)"])
    for file in try captured.files() {
      #expect(!String(decoding: file.bytes, as: UTF8.self).contains("a8-66"), "\(file.name)")
    }
  }

  @Test func theRecordHasDetailsThatFixturesCannotExpress() throws {
    let exchange = RecordedExchange(
      url: try ProbeURL("https://a.example/"), failure: .init(.certificateExpired, "it has expired"),
      timings: ProbeTimings(connect: .milliseconds(3)),
      tls: TLSFacts(
        version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384",
        chain: [
          CertificateFacts(
            subject: "CN=a.example", issuer: "CN=CA", alternativeNames: ["a.example"], serialNumber: "01",
            notBefore: Date(timeIntervalSince1970: 0), notAfter: Date(timeIntervalSince1970: 86_400),
            fingerprint: "ab")
        ]))
    let captured = CapturedFixture(
      name: "x", source: FixtureSource(kind: .captured, reference: "r"), exchanges: [exchange],
      redaction: .none, losses: ["the reason phrase"])
    let file = try #require(try captured.files().first { $0.name == CapturedFixture.recordName })
    let text = String(decoding: file.bytes, as: UTF8.self)
    #expect(try text == Snapshot("capture-record", is: text, extension: "json").text)
  }
}

/// The folder that a capture is written to.
@Suite struct CaptureFolderTests {
  private static let files = [
    CapturedFixture.File(name: "fixture.yaml", bytes: Array("a".utf8)),
    CapturedFixture.File(name: "01.resp", bytes: [0, 255]),
  ]

  @Test func appearsAtomically() throws {
    let parent = try TemporaryFolder()
    let folder = try CaptureFolder("\(parent.path)/new/")
    #expect(folder.name == "new")
    try folder.write(Self.files)
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path) == ["new"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(parent.path)/new").sorted()
        == ["01.resp", "fixture.yaml"])
    #expect(FileManager.default.contents(atPath: "\(parent.path)/new/01.resp") == Data([0, 255]))
  }

  @Test func replacesAnEmptyFolder() throws {
    let parent = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: "\(parent.path)/empty", withIntermediateDirectories: false)
    try CaptureFolder("\(parent.path)/empty").write(Self.files)
    #expect(readText("\(parent.path)/empty/fixture.yaml") == "a")
  }

  @Test func concurrentlyCreatedFilesAreKept() throws {
    let parent = try TemporaryFolder()
    let folder = try CaptureFolder("\(parent.path)/late")
    try FileManager.default.createDirectory(atPath: "\(parent.path)/late", withIntermediateDirectories: false)
    try Data("mine".utf8).write(to: URL(filePath: "\(parent.path)/late/fixture.yaml"))
    let late = #expect(throws: UnusableFolder.self) { try folder.write(Self.files) }
    #expect(late?.code == .taken)
    #expect(readText("\(parent.path)/late/fixture.yaml") == "mine")
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path) == ["late"])
  }

  @Test func foldersThatTheSystemRejects() throws {
    let parent = try TemporaryFolder()
    let nowhere = #expect(throws: UnusableFolder.self) { try CaptureFolder("\(parent.path)/no/such") }
    #expect(nowhere?.code == .unwritable)
    let long = String(repeating: "x", count: 256)
    let failure = #expect(throws: UnusableFolder.self) { try CaptureFolder("\(parent.path)/\(long)") }
    #expect(failure?.code == .unwritable)
    #expect(failure?.description.contains("cannot be created: File name too long") == true)
    // An error in the name of a file occurs only when the file is written.
    let folder = try CaptureFolder("\(parent.path)/new")
    let late = #expect(throws: UnusableFolder.self) { try folder.write([.init(name: long, bytes: [])]) }
    #expect(late?.code == .unwritable)
    #expect(late?.description.hasSuffix("cannot be written: File name too long") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path) == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path).isEmpty)
  }

  @Test(arguments: ["", "a\u{0}b"])
  func invalidNames(_ path: String) {
    let unusable = #expect(throws: UnusableFolder.self) { try CaptureFolder(path) }
    #expect(unusable?.code == .taken)
  }
}
