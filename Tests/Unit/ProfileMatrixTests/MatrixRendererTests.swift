import FixtureReplay
import ProbeCore
import ProbePipeline
import ProbeReporting
import TestSupport
import Testing

@testable import ProfileMatrix

/// A matrix as text, as a web page and as Markdown.
@Suite struct MatrixRendererTests {
  /// A matrix of this size, in which each result has both individual and shared evidence.
  private static func large(fixtures: Int, profiles: Int) throws -> VerdictMatrix {
    let names = (1...profiles).map { "profile-of-\($0)" }
    let expectation = FixtureExpectation([.captivePortal])
    let facts = (1...3).map {
      "0 of \($0) probes in the set \"http\" received the expected response: too few"
    }
    let verifications = try (0..<fixtures).map { index in
      FixtureVerification(
        path: "fixtures/portals/a-portal-with-a-really-long-name-\(index)", expectation: expectation,
        runs: try names.map { name in
          try MatrixSamples.run(
            name, index % 2 == 0 ? .captivePortal : .offline, "http://login.example/\(index)",
            facts + ["the page of \(index) says to \(name) that one must log in first"], against: expectation)
        })
    }
    return VerdictMatrix(verifications, profiles: names)
  }

  @Test func text() throws {
    let text = MatrixText(try MatrixSamples.matrix(), duration: .milliseconds(1500)).text
    #expect(try text == Snapshot("matrix", is: text).text)
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.mustBeEscapedForDisplay })
  }

  @Test(arguments: [60, 80, 100, 120])
  func manyColumnsFitTheLineWidth(_ width: Int) throws {
    let matrix = try Self.large(fixtures: 40, profiles: 14)
    let text = MatrixText(matrix, duration: .zero, width: width).text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= width && $0.last != " " }, "\(text)")
    // A long table repeats the column names at its end.
    #expect(lines.count { $0.contains(" profile-of-1 │ │") } == 2)
    #expect(lines.contains { $0.hasSuffix(" profile-of-14 │") })
    #expect(width > 80 || lines.contains { $0.hasPrefix("…") && $0.contains("name-39  ") })
  }

  @Test func inASCII() throws {
    let style = TextStyle(usesColor: false, usesASCII: true)
    let text = MatrixText(
      try Self.large(fixtures: 2, profiles: 14), duration: .zero, style: style, width: 60
    ).text
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 60 }, "\(text)")
    #expect(text.contains("\n...") && text.contains(" | |"))
  }

  @Test func evidenceIsShownOnRequest() throws {
    let text = MatrixText(try MatrixSamples.matrix(), duration: .zero, showsEvidence: true).text
    #expect(
      text.contains(
        """
            default: captive portal, log in at http://login.example/?room=1
              what default saw
              seen by all
            apple: captive portal

        """))
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.mustBeEscapedForDisplay })
  }

  @Test func colour() throws {
    let text = MatrixText(try MatrixSamples.matrix(), duration: .zero, style: TextStyle(usesColor: true)).text
    #expect(text.contains("  \u{1B}[32mP\u{1B}[0m \u{1B}[33mP*\u{1B}[0m\u{1B}[31mO!\u{1B}[0m\n"))
    #expect(text.contains("-         ? X ~\n"))
    #expect(text.contains("\u{1B}[31mnot replayed\u{1B}[0m\n"))
  }

  @Test func anEmptyMatrix() throws {
    let matrix = VerdictMatrix([], profiles: ["default"])
    #expect(MatrixText(matrix, duration: .zero).text.contains("\n0 fixtures, 1 profile, 0.0 ms\n"))
    #expect(MatrixMarkdown(matrix, by: "probekit").text.hasSuffix("| default | 0/0 | 0 | 0 | 0 | 0 |\n"))
    #expect(MatrixPage(matrix).text.contains("0 of 0 shown"))
  }

  @Test func markdown() throws {
    let text = MatrixMarkdown(try MatrixSamples.matrix(), by: "probekit").text
    #expect(try text == Snapshot("matrix", is: text, extension: "md").text)
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.mustBeEscapedForDisplay })
  }

  @Test func page() throws {
    let page = MatrixPage(try MatrixSamples.matrix()).text
    #expect(try page == Snapshot("matrix", is: page, extension: "html").text)
    #expect(page.unicodeScalars.allSatisfy { $0 == "\n" || !$0.mustBeEscapedForDisplay })
    #expect(page.ranges(of: "<script").count == 1)
    #expect(page.ranges(of: "seen by all").count == 1)
  }

  @Test func thePageReferencesNoOtherResources() throws {
    let page = MatrixPage(VerdictMatrix([], profiles: ["default"])).text
    for name in ["src=", "href=", "url(", "@import", "http:", "https:", "//"] {
      // Two slashes may only begin a comment in the script.
      let lines = page.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("// ") }
      #expect(!lines.contains { $0.contains(name) }, "\(name)")
    }
    #expect(page.contains("content=\"default-src 'none'; style-src 'sha256-"))
    #expect(!page.contains("unsafe-inline"))
  }

  @Test func thePageOfALargeMatrixIsCompact() throws {
    let page = MatrixPage(try Self.large(fixtures: 330, profiles: 15)).text
    #expect(page.utf8.count < 2_500_000)
  }

  @Test func textInHTML() {
    #expect("a<b>&\"c\"'d'".escapedForHTML == "a&lt;b&gt;&amp;&quot;c&quot;&#39;d&#39;")
    #expect("\u{0}\u{202E}é".escapedForHTML == "\\x00\\u{202e}é")
  }
}
