import Testing

@testable import FixtureReplay

/// Parsing and composing responses.
@Suite struct ResponseBytesTests {
  @Test(arguments: ["", "\r", "\r\n", "\n", "\r\nA: b", "\r\nA: b\r", "\r\nA: b\r\n\r"])
  func aLineCanBeAddedToATruncatedHead(_ cut: String) {
    let response = ResponseBytes(http: Array("HTTP/1.1 200\(cut)".utf8))
    let head = response.head(adding: ["X-Last: 1"])
    let added = ResponseBytes(http: head + response.body)
    #expect(added.body == response.body)
    #expect(added.head == head)
    #expect(head.suffix(14) == Array("\nX-Last: 1\r\n\r\n".utf8)[...])
  }
}
