import ProbeCore
import SourceDocuments
import TestRequirements
import TestSupport
import Testing

@Suite struct SourceFileTests {
  @Test(arguments: [
    (0, 1, 1), (1, 1, 2), (2, 2, 1), (4, 3, 1), (6, 3, 2), (7, 4, 1), (9, 5, 1), (99, 5, 1), (-1, 1, 1),
  ])
  func locationsCountLinesAndCharacters(_ offset: Int, line: Int, column: Int) {
    // LF, CRLF and CR end lines; ü has two bytes and one column.
    let file = SourceFile(path: "f", bytes: Array("a\n\r\nü\rb\n".utf8))
    #expect(file.location(at: offset) == FileLocation(line: line, column: column))
  }

  @Test func aByteOrderMarkTakesNoColumn() {
    let file = SourceFile(path: "f", bytes: Array("\u{FEFF}ab".utf8))
    #expect(file.location(at: 0) == FileLocation(line: 1, column: 1))
    #expect(file.location(at: 3) == FileLocation(line: 1, column: 1))
    #expect(file.location(at: 4) == FileLocation(line: 1, column: 2))
  }

  @Test func aFindingIsSafeToShow() {
    let file = SourceFile(path: "a\u{1B}b", bytes: Array("x: \u{1B}[31m\n".utf8))
    let finding = SourceFinding(in: file, at: 3, message: "wrong", remedy: "mend it")
    #expect(finding.description == "a\\x1bb:1:4: wrong: mend it\n  x: \\x1b[31m\n     ^")
    #expect(SourceFinding(path: "p", message: "m").description == "p: m")
  }

  @Test func aFindingInAHugeLineShowsOnlyAnExcerpt() {
    let file = SourceFile(path: "f", bytes: Array(String(repeating: "ü", count: 500_000).utf8))
    let finding = SourceFinding(in: file, at: 500_000, message: "m")
    #expect(finding.location == FileLocation(line: 1, column: 250_001))
    let shown = finding.caretLines ?? ""
    #expect(shown.count < 200)
    #expect(!shown.contains("\u{FFFD}"))
  }

  /// Files with a secret, a key that a finding is about, and the lines that show it.
  @Test(arguments: [
    ("a: 'https://me:canary@h.test/'", "a", "a: 'https://<redacted>@h.test/'", 3),
    ("b: 1 # https://me:canary@h.test/", "b", "b: 1 # https://<redacted>@h.test/", 3),
    (
      "{ u: \"HTTPS://me:c\\u0061nary@x@h.test/\", b: 1 }", "b",
      "{ u: \"HTTPS://<redacted>@h.test/\", b: 1 }", 38
    ),
    ("{ password: canary, b: 1 }", "b", "{ password: <redacted>, b: 1 }", 27),
    (
      "{ bearer: { env: TOKEN }, basic: 'canary', b: 1 }", "b",
      "{ bearer: { env: TOKEN }, basic: <redacted>, b: 1 }", 48
    ),
    (
      "{ auth: { login: { name: canary } }, b: 1 }", "b", "{ auth: { login: { name: <redacted> } }, b: 1 }",
      44
    ),
    ("auth: { canary, user: me }", "auth", "auth: <redacted>", 6),
    ("{ X-Api-Key: [ canary ], b: 1 }", "b", "{ X-Api-Key: [ <redacted> ], b: 1 }", 32),
    ("token: >-\n  some\n  canary", "token", "token: <redacted>", 7),
    ("url: \"https://me:\n  canary@h.test\"", "url", "url: <redacted>", 5),
  ])
  func aFindingShowsNoSecret(_ text: String, _ key: String, _ line: String, _ column: Int) throws {
    let findings = SourceFindings(SourceFile(path: "f", bytes: Array(text.utf8)))
    let root = try #require(SourceDocument.read(findings))
    let value = try #require(root.entry(key)?.value)
    findings.add(
      "it cannot be \(Excerpt("the canary")) or \"canary…\"", remedy: "not \(Excerpt("canary"))", at: value)
    let finding = try #require(findings.all.first)
    #expect(finding.caretLines == line + "\n" + String(repeating: " ", count: column) + "^", "\(finding)")
    if text.contains("canary,") || text.contains(" canary ") {
      #expect(finding.message == "it cannot be \"the <redacted>\" or \"<redacted>…\"")
      #expect(finding.remedy == "not \"<redacted>\"")
    }
  }

  @Test(arguments: [
    "auth:\n  bearer: canary\n\tx: y\n", "a: { password: \"canary }\n", "a: 'https://me:canary@h.test/\n",
    "a: [https://me:canary@h.test/, : x\n", "password: |\n  a\n\tcanary\nx\n", "Cookie: id=canary: x: y\n",
    "url: \"https://me:x\n  canary@h.test\\q\"\n", "url: \"https://me:canary\\q\n  x@h.test\"\n",
  ])
  func findingsInUnreadableFilesShowNoSecret(_ text: String) {
    let findings = SourceFindings(SourceFile(path: "f", bytes: Array(text.utf8)))
    _ = SourceDocument.read(findings)
    #expect(!findings.isEmpty)
    for finding in findings.all { #expect(!finding.description.contains("canary"), "\(finding)") }
  }

  /// As many secrets and findings as a file has room for.
  @Test(.heavy) func redactionHasALinearCost() {
    let cost = costGrowth { count in
      let text = (0..<count).map { "- { password: s3cret\($0)x, u: 'https://me:\($0)@h.test/' }\n" }.joined()
      let findings = SourceFindings(SourceFile(path: "f", bytes: Array(text.utf8)))
      let root = SourceDocument.read(findings)
      if case .sequence(let items)? = root?.content {
        for item in items { findings.add("\(Excerpt("s3cret1x")) must be \"y\"", at: item) }
      }
      let start = threadTime()
      #expect(!findings.all.contains { $0.description.contains("s3cret") })
      return threadTime() - start
    }
    #expect(cost < 16)
  }
}
