import FixtureCapture
import ProbeCore
import Testing

/// Lint accepts what a capture writes, whatever was received; these cases once failed.
@Suite struct RedactionCompletenessTests {
  @Test(
    arguments: [
      // An address that starts in the status line, or is in a field that frames the response.
      ("HTTP/1.1jo%40inn.org\r\n\r\n", "HTTP/1.1xx1%40x.test\r\n\r\n"),
      ("HTTP/1.1 302jo@inn.org\r\n\r\n", "HTTP/1.1 302xx1@x.test\r\n\r\n"),
      (
        "HTTP/1.1 200 OK\r\nConnection: jo@inn.org\r\n\r\n",
        "HTTP/1.1 200 OK\r\nConnection: xx1@x.test\r\n\r\n"
      ),
      (
        "HTTP/1.1 200 OK\r\nKeep-Alive: a8-66-7f-12-34-56\r\n\r\n",
        "HTTP/1.1 200 OK\r\nKeep-Alive: 00-00-5e-00-53-00\r\n\r\n"
      ),
      // A token with letters at positions where hardware addresses have digits.
      ("HTTP/1.1 200 OK\r\n\r\n?mac=A8-66-7F-12-34-u6", "HTTP/1.1 200 OK\r\n\r\n?mac=G0-00-0G-00-00-g1"),
      // A file's name that looks like an address once its ending is another.
      ("HTTP/1.1 200 OK\r\n\r\n?token=logo7@2x.png", "HTTP/1.1 200 OK\r\n\r\n?token=logo7@2x.png"),
      // Content that only seems to be chunked, or in UTF-16, before the address in its name is replaced.
      (
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: jo@inn.chunked\r\n\r\n5\r\njo@in\r\n5\r\nn.org\r\n0\r\n\r\n",
        nil
      ),
      ("HTTP/1.1 200 OK\r\nContent-Type: x; charset=utf-16lejo@inn.org\r\n\r\n.jo@inn.org", nil),
      (
        "HTTP/1.1x1jo@inn.org\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\njo@in\r\n5\r\nn.org\r\n0\r\n\r\n",
        nil
      ),
    ] as [(String, String?)])
  func noPrivateDataIsLeft(_ received: String, _ expected: String?) throws {
    let redacted = try #require(try exchange(received: received).redactedAlone.wire?.received)
    #expect(redacted.count == received.utf8.count)
    #expect(PrivateData.found(in: redacted) == [])
    if let expected { #expect(String(decoding: redacted, as: UTF8.self) == expected) }
  }
}
