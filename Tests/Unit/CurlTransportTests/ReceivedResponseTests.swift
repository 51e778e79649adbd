import Testing

@testable import CurlTransport

/// Heads and bodies as received, line by line and piece by piece.
@Suite struct ReceivedResponseTests {
  private func received(
    lines: [String], pieces: [String] = [], maxHead: Int = 100, maxBody: Int = 10
  ) -> (response: ReceivedResponse, wantsMore: Bool) {
    var response = ReceivedResponse(maxHead: maxHead, maxBody: maxBody)
    var wantsMore = true
    for line in lines where wantsMore {
      wantsMore = unsafe Array(line.utf8).withUnsafeBytes { unsafe response.receiveHeader($0) }
    }
    for piece in pieces where wantsMore {
      wantsMore = unsafe Array(piece.utf8).withUnsafeBytes { unsafe response.receiveBody($0) }
    }
    return (response, wantsMore)
  }

  @Test(arguments: [
    (["HTTP/1.1 200 OK\r\n", "\r\n"], true), (["HTTP/1.1 200 OK\n", "\n"], true),
    (["HTTP/1.1 200 OK\r\n"], false), (["HTTP/1.1 200 OK\r\n", "A: b\r\n"], false),
    (["HTTP/1.1 200 OK\r\n", "\r"], false), ([], false),
  ])
  func aHeadIsCompleteAtItsEmptyLine(_ lines: [String], _ isComplete: Bool) {
    let (response, wantsMore) = received(lines: lines)
    #expect(response.headIsComplete == isComplete)
    #expect(response.head == Array(lines.joined().utf8))
    #expect(wantsMore)
  }

  @Test func theLastHeadIsKept() {
    let (response, _) = received(lines: [
      "HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n", "HTTP/1.1 204 No Content\r\n",
    ])
    #expect(response.head == Array("HTTP/1.1 204 No Content\r\n".utf8))
    #expect(!response.headIsComplete)
  }

  @Test(arguments: [
    ("HTTP/1.1 100 Continue\r\n", true), ("HTTP/2 103 \r\n", true), ("HTTP/1.1 200 OK\r\n", false),
    ("HTTP/1.1 1", false), ("HTTP/1.1 99 Odd\r\n", false), ("", false),
  ])
  func interimHeadsAreRecognized(_ line: String, _ isInterim: Bool) {
    #expect(received(lines: [line]).response.headIsInterim == isInterim)
  }

  @Test func trailersAreCountedButNotKept() {
    let head = ["HTTP/1.1 200 OK\r\n", "\r\n"]
    #expect(received(lines: head + ["X: y\r\n"]).response.head == Array(head.joined().utf8))
    let long = received(lines: head + [String(repeating: "x", count: 100)])
    #expect(long.response.limit == .head)
    #expect(!long.wantsMore)
  }

  @Test(arguments: [(20, true), (19, true), (18, false)])
  func aHeadMayBeAsLongAsItsLimit(_ limit: Int, _ fits: Bool) {
    let (response, wantsMore) = received(lines: ["HTTP/1.1 200 OK\r\n", "\r\n"], maxHead: limit)
    #expect(wantsMore == fits)
    #expect(response.limit == (fits ? nil : .head))
  }

  @Test(arguments: [
    (["12345", "67890"], "1234567890", true), (["12345", "678901"], "1234567890", false),
    (["1234567890", "1"], "1234567890", false), ([""], "", true),
  ])
  func aBodyIsKeptUpToItsLimit(_ pieces: [String], _ kept: String, _ fits: Bool) {
    let (response, wantsMore) = received(lines: [], pieces: pieces)
    #expect(response.body == Array(kept.utf8))
    #expect(wantsMore == fits)
    #expect(response.limit == (fits ? nil : .body))
  }
}
