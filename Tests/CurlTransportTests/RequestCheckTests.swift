import CurlTransport
import ProbeCore
import Testing

/// Requests that must not be sent.
@Suite struct RequestCheckTests {
  @Test(arguments: [
    ("line break in a value", "the header field X contains a control character"),
    ("line break in a name", "is not a header field name"),
    ("method", "is not a request method"),
    ("user agent", "the user agent contains a control character"),
    ("family", "is not an IPv6 address"),
    ("timeout", "the timeout is not positive"),
    ("connect timeout", "the connect timeout is not positive"),
    ("size", "a size limit is negative"),
  ])
  func areRefusedWithWords(_ option: String, _ words: String) throws {
    let bad = try request("http://127.0.0.1/") { request in
      switch option {
      case "line break in a value": request.http.headers = ["X": "a\r\nY: b"]
      case "line break in a name": request.http.headers = ["X\r\nY": "a"]
      case "method": request.http.method = "GET /x"
      case "user agent": request.http.userAgent = "a\u{0}b"
      case "family": request.family = .v6
      case "timeout": request.timeout = .zero
      case "connect timeout": request.connectTimeout = .seconds(-1)
      default: request.maxBody = -1
      }
    }
    #expect { try transport.check(bad) } throws: { error in
      (error as? InvalidInput)?.message.contains(words) == true
    }
  }

  @Test func aUsualRequestIsNot() throws {
    try transport.check(try request("https://example.com/") { $0.http.headers = ["Accept": "ä, b"] })
  }
}
