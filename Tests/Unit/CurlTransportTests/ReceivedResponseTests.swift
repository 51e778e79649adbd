import Testing

@testable import CurlTransport

/// Heads and bodies as received, line by line and piece by piece.
@Suite struct ReceivedResponseTests {
  private func answer(
    lines: [String], pieces: [String] = [], maxHead: Int = 100, maxBody: Int = 10
  ) -> (answer: ReceivedResponse, wantsMore: Bool) {
    var answer = ReceivedResponse(maxHead: maxHead, maxBody: maxBody)
    var wantsMore = true
    for line in lines where wantsMore {
      wantsMore = unsafe Array(line.utf8).withUnsafeBytes { unsafe answer.receiveHeader($0) }
    }
    for piece in pieces where wantsMore {
      wantsMore = unsafe Array(piece.utf8).withUnsafeBytes { unsafe answer.receiveBody($0) }
    }
    return (answer, wantsMore)
  }

  @Test(arguments: [
    (["HTTP/1.1 200 OK\r\n", "\r\n"], true), (["HTTP/1.1 200 OK\n", "\n"], true),
    (["HTTP/1.1 200 OK\r\n"], false), (["HTTP/1.1 200 OK\r\n", "A: b\r\n"], false),
    (["HTTP/1.1 200 OK\r\n", "\r"], false), ([], false),
  ])
  func aHeadIsCompleteAtItsEmptyLine(_ lines: [String], _ isComplete: Bool) {
    let (answer, wantsMore) = answer(lines: lines)
    #expect(answer.headIsComplete == isComplete)
    #expect(answer.head == Array(lines.joined().utf8))
    #expect(wantsMore)
  }

  @Test func theLastHeadIsKept() {
    let (answer, _) = answer(lines: [
      "HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n", "HTTP/1.1 204 No Content\r\n",
    ])
    #expect(answer.head == Array("HTTP/1.1 204 No Content\r\n".utf8))
    #expect(!answer.headIsComplete)
  }

  @Test(arguments: [
    ("HTTP/1.1 100 Continue\r\n", true), ("HTTP/2 103 \r\n", true), ("HTTP/1.1 200 OK\r\n", false),
    ("HTTP/1.1 1", false), ("HTTP/1.1 99 Odd\r\n", false), ("", false),
  ])
  func interimHeadsAreRecognized(_ line: String, _ isInterim: Bool) {
    #expect(answer(lines: [line]).answer.headIsInterim == isInterim)
  }

  @Test func trailersAreCountedButNotKept() {
    let head = ["HTTP/1.1 200 OK\r\n", "\r\n"]
    #expect(answer(lines: head + ["X: y\r\n"]).answer.head == Array(head.joined().utf8))
    let long = answer(lines: head + [String(repeating: "x", count: 100)])
    #expect(long.answer.limit == .head)
    #expect(!long.wantsMore)
  }

  @Test(arguments: [(20, true), (19, true), (18, false)])
  func aHeadMayBeAsLongAsItsLimit(_ limit: Int, _ fits: Bool) {
    let (answer, wantsMore) = answer(lines: ["HTTP/1.1 200 OK\r\n", "\r\n"], maxHead: limit)
    #expect(wantsMore == fits)
    #expect(answer.limit == (fits ? nil : .head))
  }

  @Test(arguments: [
    (["12345", "67890"], "1234567890", true), (["12345", "678901"], "1234567890", false),
    (["1234567890", "1"], "1234567890", false), ([""], "", true),
  ])
  func aBodyIsKeptUpToItsLimit(_ pieces: [String], _ kept: String, _ fits: Bool) {
    let (answer, wantsMore) = answer(lines: [], pieces: pieces)
    #expect(answer.body == Array(kept.utf8))
    #expect(wantsMore == fits)
    #expect(answer.limit == (fits ? nil : .body))
  }
}
