import FixtureReplay
import SourceDocuments
import TestRequirements
import TestSupport
import Testing

/// Fixtures with random changes: each is loaded, or its errors are reported with a location.
@Suite(.heavy) struct FixturePropertyTests {
  private static let text = Array(
    """
    version: 1
    name: coova-chilli
    source: { kind: source-derived, reference: "a \\"b\\" \\ud83d\\ude00", date: 2024-02-29 }
    expect: { verdict: [captivePortal], loginURL: "http://192.0.2.1:3990/?a=b" }
    listeners: { http: open, https: refused }
    initial: &first captive
    routes:
      - id: probe   # ü
        when: { state: *first, listener: http, method: GET, host: "*.example", port: 80*, path: "/a?*" }
        send: a.resp
        fault: { kind: rst-after, bytes: 5, requests: [1, 2] }
      - respond: { status: 302, headers: ["Location: http://a/"], body: b.html }
        goto: >-
          open
    tls: { "*": valid }
    dns: { "*": 192.0.2.1 }
    """.utf8)

  private static let pieces =
    [
      "\t", "\n", "  ", "- ", ": ", ", ", "{", "}", "[", "]", "\"", "'", "|", ">", "&a ", "*a", "!!str ",
      "? ", "#", "\\",
      "\\ud83d", "---\n", "%", "@", "\u{FEFF}", "\u{1B}", "é", "<<: *a\n", "null", "0", "-1", "1e9",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0x00], [0x0D], [0xE2, 0x80, 0xA8], [0xC2, 0x85]]

  @Test(arguments: 0..<8)
  func everyChangeIsReadOrReportedWithItsLocation(_ seed: Int) throws {
    var numbers = SeededNumbers(seed: UInt64(seed))
    for _ in 0..<60 {
      var text = Self.text
      for _ in 0..<Int.random(in: 1...4, using: &numbers) { Self.change(&text, &numbers) }
      let files = MemoryFiles([
        "f/fixture.yaml": text, "f/a.resp": Array("HTTP/1.1 200 OK\r\n\r\n".utf8), "f/b.html": [],
      ])
      let loaded = FixtureLoader(files: files).load(fixture: "f/fixture.yaml")
      let shown = String(decoding: text, as: UTF8.self)
      #expect((loaded.fixture == nil) == !loaded.findings.isEmpty, "\(shown)")
      let lines =
        text.split(separator: 0x0A, omittingEmptySubsequences: false).count + text.count { $0 == 0x0D }
      for finding in loaded.findings {
        let location = try #require(finding.location, "\(finding) in \(shown)")
        #expect((1...lines).contains(location.line) && location.column >= 1, "\(finding) in \(shown)")
        #expect(finding.caretLines?.contains("^") == true)
      }
    }
  }

  private static func change(_ text: inout [UInt8], _ numbers: inout SeededNumbers) {
    guard !text.isEmpty else { return }
    let start = Int.random(in: 0..<text.count, using: &numbers)
    let end = min(text.count, start + Int.random(in: 1...12, using: &numbers))
    switch Int.random(in: 0..<5, using: &numbers) {
    case 0: text.removeSubrange(start..<end)
    case 1: text.insert(contentsOf: text[start..<end], at: Int.random(in: 0...text.count, using: &numbers))
    case 2: text[start] = UInt8.random(in: 0...255, using: &numbers)
    default: text.insert(contentsOf: pieces.randomElement(using: &numbers) ?? [], at: start)
    }
  }
}
