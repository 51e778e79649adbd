import Testing

@testable import ProbeExporter

@Suite struct GoPatternTests {
  @Test func anExpressionIsKeptAsWritten() throws {
    #expect(try GoPattern("a.c").text == "a.c")
  }
}
