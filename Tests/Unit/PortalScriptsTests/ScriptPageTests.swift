import ProbeCore
import Testing

@testable import PortalAnalysis
import PortalScripts

/// Pages whose scripts submit forms, follow links and read elements, each with the URL that Chromium opens
/// (`make script-judges`).
@Suite struct ScriptPageTests {
  @Test(arguments: try ScriptRow.below("followed", in: "pages.txt"))
  func theURLMatchesThatOfABrowser(_ row: ScriptRow) throws {
    #expect(try row.urls(Self.findings) == [row.url])
  }

  /// A page that is not followed yields an unknown URL or none, but never a wrong one.
  @Test(arguments: try ScriptRow.below("not followed", in: "pages.txt"))
  func noWrongURLIsReported(_ row: ScriptRow) throws {
    #expect(try row.urls(Self.findings).allSatisfy { $0 == row.url })
  }

  private static func findings(_ text: String) throws -> ScriptFindings {
    let bytes = Array(text.utf8)
    let page = Page(bytes.span)
    return ScriptFindings(try #require(page), at: try ProbeURL("http://probe.example/x?url=%2Fw%3Fq&b=2"))
  }
}
