import SourceDocuments
import Testing

@Suite struct LimitTests {
  @Test func anAliasBombIsRefused() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...12 {
      let items = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(items)]\n"
    }
    let reading = Reading(text)
    #expect(reading.messages == ["4:5 the file has more than 100000 values"])
  }

  @Test func depth() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(Reading(nested(64)).findings.isEmpty)
    #expect(Reading(nested(65)).messages == ["1:65 values are nested more than 64 deep"])
    #expect(
      Reading(String(repeating: "[", count: 200_000)).messages == ["1:65 values are nested more than 64 deep"]
    )
    let blocks = String(repeating: "- ", count: 500) + "x"
    #expect(Reading(blocks).messages == ["1:129 values are nested more than 64 deep"])
  }

  @Test func aliasesCountForDepth() {
    var text = "a0: &a0 x\n"
    for level in 1...70 { text += "a\(level): &a\(level) [*a\(level - 1)]\n" }
    let reading = Reading(text)
    #expect(reading.messages.first == "65:12 values are nested more than 64 deep")
  }

  @Test func size() {
    var limits = SourceDocument.Limits()
    limits.bytes = 4
    #expect(Reading("a: 1", limits: limits).findings.isEmpty)
    let large = Reading("a: 10", limits: limits)
    #expect(large.messages == ["1:1 the file has 5 bytes, more than 4"])
    #expect(large.root == nil)
  }

  @Test func numberOfValues() {
    var limits = SourceDocument.Limits()
    limits.nodes = 4
    #expect(Reading("[1, 2, 3]", limits: limits).findings.isEmpty)
    #expect(Reading("[1, 2, 3, 4]", limits: limits).messages == ["1:1 the file has more than 4 values"])
  }

  @Test func onlyTheFirstOfManyErrorsAreReported() {
    let text = "{ " + String(repeating: "a: 1, ", count: 3000) + "}"
    let reading = Reading(text)
    #expect(reading.findings.count == 1001)
    #expect(reading.findings.last?.message == "1999 more errors are not shown")
  }
}
