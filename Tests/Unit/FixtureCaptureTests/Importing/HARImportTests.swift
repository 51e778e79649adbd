import FixtureCapture
import ProbeCore
import Testing

/// Imports of network traffic saved by browsers.
@Suite struct HARImportTests {
  /// A file of entries, each JSON.
  private static func har(_ entries: String..., log: String = "") -> String {
    #"{ "log": { "version": "1.2", \#(log) "entries": [\#(entries.joined(separator: ",\n"))] } }"#
  }

  /// An entry with this JSON as its response.
  private static func entry(
    _ response: String, at url: String = "http://portal.example/", method: String = "GET", more: String = ""
  ) -> String {
    #"{ "request": { "method": "\#(method)", "url": "\#(url)" }, "response": \#(response) \#(more) }"#
  }

  private static func capture(_ response: String, method: String = "GET") throws(InvalidImport)
    -> ImportedCapture
  {
    try ImportedCapture(reading: har(entry(response, method: method)))
  }

  private func received(_ response: String, method: String = "GET") throws -> String {
    try #require(try Self.capture(response, method: method).received.first)
  }

  /// Times and sizes are of no use for a replay, so a number beyond the range of doubles invalidates no entry.
  @Test(arguments: ["1e400", "-1e400", "18446744073709551617", "\"x\"", "null", "1e-400"])
  func unusableTimesAndSizesAreIgnored(_ number: String) throws {
    let entry = Self.entry(
      #"{"status": 200, "content": {"size": \#(number), "text": "a"}, "_transferSize": \#(number)}"#,
      more: #", "time": \#(number), "timings": {"dns": \#(number), "connect": 2, "wait": \#(number)}"#)
    let capture = try ImportedCapture(reading: Self.har(entry, log: #""_huge": \#(number),"#))
    #expect(capture.received == ["HTTP/1.1 200 \r\n\r\na"])
    #expect(capture.loss("entries that cannot be used") == nil)
    #expect(capture.exchanges.first?.timings.connect == .milliseconds(2))
  }

  @Test(arguments: [
    ("99999999999999999999", "response.status cannot be read: the number is too large"),
    ("1e400", "response.status cannot be read: the number is too large"),
    ("1.5", "response.status is not a whole number"), ("200.5", "response.status is not a whole number"),
    ("1e-3", "response.status is not a whole number"), ("\"200\"", "response.status is not a whole number"),
  ])
  func anUnusableStatusIsReported(_ number: String, _ expected: String) {
    let reported = mistakes { () throws(InvalidImport) in
      try ImportedCapture(reading: Self.har(Self.entry(#"{"status": \#(number)}"#)))
    }
    #expect(reported == ["entry 1: \(expected)"])
  }

  /// Only CR and LF separate fields; other line separators of Unicode are content.
  @Test func linesOfFieldsEndWithLineEndsOfHTTP() throws {
    let text = try received(
      #"""
      {"status": 200, "headers": [{"name": "X", "value": "a\u2028b\u0085c\u000Bd\r\ne\nf\rg"}]}
      """#)
    #expect(
      text.utf8.elementsEqual(
        "HTTP/1.1 200 \r\nX: a\u{2028}b\u{85}c\u{B}d\r\nX: e\r\nX: f\r\nX: g\r\n\r\n".utf8))
  }

  @Test func responsesAreRebuiltInChronologicalOrder() throws {
    let text = Self.har(
      #"""
      { "startedDateTime": "2026-11-21T10:00:01.250Z", "time": 40.5,
        "request": { "method": "POST", "url": "https://portal.example/login?token=1#top", "headers": [] },
        "response": { "status": 200, "statusText": "Fine", "httpVersion": "HTTP/1.1",
          "headers": [ { "name": "CONTENT-type", "value": "text/html" }, { "name": "Content-Length", "value": "4" } ],
          "content": { "size": 4, "text": "<p>\n" } },
        "serverIPAddress": "[2001:db8::7]",
        "timings": { "blocked": 1, "dns": 2.5, "connect": 12, "ssl": 8, "send": 0.5, "wait": 9, "receive": 1 } }
      """#,
      #"""
      { "startedDateTime": "2026-11-21T11:00:01+01:00",
        "request": { "method": "GET", "url": "http://probe.example/" },
        "response": { "status": 302, "statusText": "Found", "httpVersion": "http/1.0",
          "headers": [ { "name": "Location", "value": "https://portal.example/login" } ],
          "content": { "size": 0 } },
        "serverIPAddress": "192.0.2.1", "timings": { "dns": -1, "connect": -1, "ssl": -1, "wait": 3 } }
      """#,
      log:
        #""creator": { "name": "DevTools", "version": "9" }, "browser": { "name": "Firefox", "version": "128" },"#
    )
    let capture = try ImportedCapture(reading: text)
    #expect(capture.origin == "HAR 1.2 by Firefox 128")
    #expect(
      capture.exchanges.map(\.url.string) == [
        "http://probe.example/", "https://portal.example/login?token=1",
      ])
    #expect(capture.exchanges.map(\.method) == ["GET", "POST"])
    #expect(
      capture.received == [
        "HTTP/1.0 302 Found\r\nLocation: https://portal.example/login\r\n\r\n",
        "HTTP/1.1 200 Fine\r\nCONTENT-type: text/html\r\nContent-Length: 4\r\n\r\n<p>\n",
      ])
    #expect(capture.exchanges.map(\.wire?.ending) == [.finished, .open])
    #expect(capture.exchanges.map(\.remoteAddress?.description) == ["192.0.2.1:80", "[2001:db8::7]:443"])
    #expect(
      capture.exchanges.map(\.timings) == [
        ProbeTimings(firstByte: .milliseconds(3)),
        ProbeTimings(
          resolve: .microseconds(2500), connect: .milliseconds(4), tls: .milliseconds(8),
          firstByte: .milliseconds(9), total: .microseconds(40500)),
      ])
    #expect(
      capture.losses == [
        "white space and line ends in headers, lines that are not header fields, and interim responses",
        "the bytes that were sent", "how the connections ended",
        "the TLS version, cipher suite and certificates",
      ])
  }

  @Test func codingsAreOmittedAndReported() throws {
    let capture = try Self.capture(
      #"""
      { "status": 200, "statusText": "OK", "headers": [ { "name": "transfer-encoding", "value": "chunked" },
        { "name": "Content-Encoding", "value": "gzip" }, { "name": "Server", "value": "x" } ],
        "content": { "text": "hello" } }
      """#)
    #expect(capture.received == ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\nServer: x\r\n\r\nhello"])
    #expect(
      capture.losses.suffix(2) == [
        "the chunks; a Content-Length replaces them: http://portal.example/",
        "the content coding: the body is decoded, and Content-Encoding is omitted: http://portal.example/",
      ])
  }

  @Test(arguments: ["HTTP/2", "http/2.0", "h2", "h3", "HTTP/3.0"])
  func newerVersionsBecomeHTTP1(version: String) throws {
    let capture = try Self.capture(
      #"{ "status": 200, "statusText": "", "httpVersion": "\#(version)", "headers": [ { "name": ":status", "value": "200" }, { "name": "server", "value": "x" } ], "content": { "text": "ab" } }"#
    )
    #expect(capture.received == ["HTTP/1.1 200 \r\nserver: x\r\nContent-Length: 2\r\n\r\nab"])
    #expect(
      capture.loss("the HTTP version")
        == "the HTTP version; HTTP/1.1 is written: http://portal.example/")
  }

  @Test func bodiesInBase64KeepTheirBytes() throws {
    let capture = try Self.capture(
      #"{ "status": 200, "content": { "size": 5, "encoding": "base64", "text": "AP+A\nwQo=" } }"#)
    #expect(capture.exchanges.first?.wire?.received.suffix(5) == [0x00, 0xFF, 0x80, 0xC1, 0x0A])
    #expect(capture.loss("the end of the body") == nil)
  }

  @Test func aResponseWithoutALengthEndsWithItsConnection() throws {
    let capture = try Self.capture(#"{ "status": 200, "statusText": "OK", "content": { "text": "a" } }"#)
    #expect(capture.received == ["HTTP/1.1 200 OK\r\n\r\na"])
    #expect(capture.exchanges.first?.wire?.ending == .finished)
  }

  @Test func aWrongLengthIsCorrected() throws {
    let capture = try Self.capture(
      #"{ "status": 200, "headers": [ { "name": "content-length", "value": "7" } ], "content": { "text": "abc" } }"#
    )
    #expect(capture.received == ["HTTP/1.1 200 \r\nContent-Length: 3\r\n\r\nabc"])
    #expect(capture.loss("the announced length") != nil)
  }

  @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
  func responsesWithoutContentKeepTheirLength(method: String, status: Int) throws {
    let head = #"{ "status": \#(status), "headers": [ { "name": "Content-Length", "value": "7" } ] }"#
    #expect(try received(head, method: method) == "HTTP/1.1 \(status) \r\nContent-Length: 7\r\n\r\n")
  }

  @Test func joinedFieldsAreSplit() throws {
    let text = try received(
      #"{ "status": 200, "headers": [ { "name": "Set-Cookie", "value": "a=1\nb=2\r\nc=3" } ] }"#)
    #expect(text == "HTTP/1.1 200 \r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nSet-Cookie: c=3\r\n\r\n")
  }

  @Test func aPhraseCannotEndItsLine() throws {
    let text = try received(#"{ "status": 200, "statusText": "OK\r\nX: y" }"#)
    #expect(text == "HTTP/1.1 200 OKX: y\r\n\r\n")
  }

  @Test(arguments: [
    (#"text/html; charset=windows-1251"#, "да", "text/html;charset=utf-8"),
    (#"text/html"#, "<meta charset='koi8-r'>да", "text/html;charset=utf-8"),
  ])
  func textInAnotherCharsetIsDeclaredAsUTF8(type: String, body: String, corrected: String) throws {
    let capture = try Self.capture(
      #"{ "status": 200, "headers": [ { "name": "Content-Type", "value": "\#(type)" } ], "content": { "size": 9, "text": "\#(body)" } }"#
    )
    #expect(capture.received == ["HTTP/1.1 200 \r\nContent-Type: \(corrected)\r\n\r\n\(body)"])
    #expect(capture.loss("the charset of the body") != nil)
    #expect(capture.loss("the end of the body") == nil)
  }

  @Test(arguments: [
    ("text/html; charset=UTF-8", "да"), ("text/html", "да"), ("text/html; charset=windows-1251", "yes"),
  ])
  func textThatMatchesItsHeadIsKept(type: String, body: String) throws {
    let capture = try Self.capture(
      #"{ "status": 200, "headers": [ { "name": "Content-Type", "value": "\#(type)" } ], "content": { "text": "\#(body)" } }"#
    )
    #expect(capture.received == ["HTTP/1.1 200 \r\nContent-Type: \(type)\r\n\r\n\(body)"])
    #expect(capture.loss("the charset of the body") == nil)
  }

  @Test func missingBodiesAreReported() throws {
    let capture = try ImportedCapture(
      reading: Self.har(
        Self.entry(#"{ "status": 200, "content": { "size": 12 } }"#, at: "http://a.example/x?token=1"),
        Self.entry(#"{ "status": 200, "content": { "size": 12, "text": "abc" } }"#, at: "http://b.example/")))
    #expect(capture.loss("the body") == "the body, which is not in the recording: http://a.example/x?…")
    #expect(
      capture.loss("the end of")
        == "the end of the body, which is not in the recording: http://b.example/")
  }

  @Test func theMissingBodyOfARedirectIsReported() throws {
    let capture = try Self.capture(
      #"{ "status": 302, "headers": [ { "name": "Content-Length", "value": "154" } ], "content": { "size": 0, "text": "" } }"#
    )
    #expect(capture.received == ["HTTP/1.1 302 \r\nContent-Length: 0\r\n\r\n"])
    #expect(capture.losses.last == "the body, which is not in the recording: http://portal.example/")
  }

  @Test(arguments: [
    ("net::ERR_NAME_NOT_RESOLVED", ReasonCode.noSuchHost), ("net::ERR_CONNECTION_REFUSED", .connectRefused),
    ("net::ERR_CONNECTION_RESET", .connectReset), ("net::ERR_CONNECTION_TIMED_OUT", .connectTimeout),
    ("net::ERR_CERT_DATE_INVALID", .certificateExpired), ("net::ERR_CERT_REVOKED", .certificateInvalid),
    ("net::ERR_EMPTY_RESPONSE", .httpNoResponse), ("net::ERR_INTERNET_DISCONNECTED", .connectUnreachable),
    ("NS_ERROR_UNKNOWN_HOST", .noSuchHost), ("NS_ERROR_NET_TIMEOUT", .totalTimeout),
    ("SSL_ERROR_RX_RECORD_TOO_LONG", .notTLS), ("something\u{7}else", .transportFailure),
  ])
  func failedRequestsHaveAReason(word: String, reason: ReasonCode) throws {
    let json = word == "something\u{7}else" ? #"something\u0007else"# : word
    let capture = try Self.capture(#"{ "status": 0, "_error": "\#(json)" }"#)
    let exchange = try #require(capture.exchanges.first)
    #expect(exchange.wire == nil)
    #expect(exchange.failure == .init(reason, "the browser's message: \"\(word.escapedForDisplay)\""))
  }

  @Test func failureReasonsInOtherKeysAreRead() throws {
    let capture = try ImportedCapture(
      reading: Self.har(
        Self.entry(#"{ "status": -1, "_failureText": "net::ERR_SSL_PROTOCOL_ERROR" }"#),
        Self.entry(#"{ "status": 0 }"#, more: #", "_error": "NS_ERROR_NET_RESET""#),
        Self.entry(#"{ "status": 0, "_error": "" }"#)))
    #expect(capture.exchanges.map(\.failure?.reason) == [.tlsHandshake, .connectReset, .transportFailure])
    #expect(capture.exchanges.last?.failure?.detail == "the recording gives no reason")
  }

  @Test func entriesWithoutNetworkAreSkippedAndReported() throws {
    let ok = #"{ "status": 200 }"#
    let capture = try ImportedCapture(
      reading: Self.har(
        Self.entry(ok), Self.entry(ok, at: "data:text/plain,a"),
        Self.entry(ok, at: "chrome-extension://abc/x"),
        Self.entry(ok, at: "http://a.example/", more: #", "_fromCache": "disk""#),
        Self.entry(#"{ "status": 0, "_error": "net::ERR_BLOCKED_BY_CLIENT" }"#, at: "http://b.example/"),
        Self.entry(ok, at: "portal.example:443", method: "CONNECT"),
        Self.entry(
          #"{ "status": 307, "headers": [ { "name": "Non-Authoritative-Reason", "value": "HSTS" } ] }"#,
          at: "http://c.example/")))
    #expect(capture.exchanges.map(\.url.string) == ["http://portal.example/"])
    #expect(
      capture.losses.dropFirst(3) == [
        #"URLs other than http and https; skipped: "data", "chrome-extension""#,
        "responses from the browser's cache; skipped: http://a.example/",
        "requests that the browser cancelled or blocked; skipped: http://b.example/",
        "tunnels through a proxy; skipped",
        "responses that the browser made itself; skipped: http://c.example/",
      ])
  }

  @Test func manyURLsOfOneLossAreCounted() throws {
    let entries = (1...5).map {
      Self.entry(#"{ "status": 200, "content": { "size": 1 } }"#, at: "http://h\($0).example/")
    }
    let text = #"{ "log": { "entries": [\#(entries.joined(separator: ","))] } }"#
    #expect(
      try ImportedCapture(reading: text).losses.last
        == "the body, which is not in the recording: http://h1.example/, http://h2.example/, http://h3.example/ and 2 more"
    )
  }

  @Test func everyErrorIsReportedWithItsLocation() {
    let text = Self.har(
      Self.entry(#"{ "status": "200" }"#),
      #"{ "request": { "url": "http://a/" }, "response": { "status": 200 } }"#,
      Self.entry(#"{ "status": 200 }"#, at: "http://exa mple/"),
      Self.entry(#"{ "status": 99 }"#),
      Self.entry(#"{ "status": 200, "headers": [ { "value": "d" } ] }"#),
      Self.entry(#"{ "status": 200, "content": { "text": "!", "encoding": "base64" } }"#),
      Self.entry(#"{ "status": 200, "content": { "text": "!", "encoding": "rot13" } }"#),
      Self.entry(#"{ "status": 200 }"#, method: "GET /"),
      Self.entry(#"{ "status": 200, "httpVersion": "HTTP/0.9" }"#))
    #expect(
      mistakes { () throws(InvalidImport) in try ImportedCapture(reading: text) } == [
        "entry 1: response.status is not a whole number",
        "entry 2: request.method is missing",
        "entry 3: request.url: the URL contains a space: write it as %20",
        "entry 4: response.status is 99, not a number of three digits",
        "entry 5: response.headers[0].name is missing",
        "entry 6: response.content.text is not base64",
        #"entry 7: response.content.encoding is "rot13", which is not known: use base64"#,
        #"entry 8: request.method is "GET /", not a request method"#,
        "entry 9: response.httpVersion is HTTP/0.9, whose responses have no header",
      ])
  }

  /// An unusable entry does not affect the others.
  @Test func unusableEntriesAreSkippedAndReported() throws {
    let long = "http://long.example/" + String(repeating: "a", count: 66_000)
    let capture = try ImportedCapture(
      reading: Self.har(
        Self.entry(#"{ "status": 200 }"#, at: "http://a.example/"),
        Self.entry(#"{ "status": 200 }"#, at: long),
        Self.entry(#"{ "status": "200" }"#),
        Self.entry(#"{ "status": 200, "content": { "text": "!", "encoding": "base64" } }"#), "17",
        Self.entry(#"{ "status": 204 }"#, at: "http://b.example/")))
    #expect(capture.exchanges.map(\.url.string) == ["http://a.example/", "http://b.example/"])
    let lost = try #require(capture.loss("entries that cannot be used"))
    #expect(
      lost.hasPrefix("entries that cannot be used; skipped: entry 2 (request.url: the URL "), "\(lost)")
    #expect(
      lost.hasSuffix(
        ", entry 3 (response.status is not a whole number), entry 4 (response.content.text is not base64) and 1 more"
      ), "\(lost)")
  }

  @Test func unusableValuesAreNotQuoted() throws {
    let capture = try ImportedCapture(
      reading: Self.har(
        Self.entry(#"{ "status": 204 }"#),
        Self.entry(#"{ "status": 200 }"#, method: "GET /?token=canary"),
        Self.entry(#"{ "status": 200, "content": { "text": "x", "encoding": "canary \"b\"" } }"#)))
    #expect(
      capture.loss("entries that cannot be used")
        == "entries that cannot be used; skipped: entry 2 (request.method is \"…\", not a request method), "
        + "entry 3 (response.content.encoding is \"…\", which is not known: use base64)")
  }

  /// The browsers' own keys may have values of any type.
  @Test func browserKeysOfOtherTypesDoNotLoseTheResponse() throws {
    let capture = try ImportedCapture(
      reading: Self.har(
        Self.entry(#"{ "status": 200, "_error": { "code": -105 }, "_failureText": null }"#),
        Self.entry(#"{ "status": 0, "_error": { "code": -105 } }"#, at: "http://b.example/"),
        Self.entry(#"{ "status": 200 }"#, more: #", "_serverPort": "80", "_error": 7"#),
        log: #""creator": 3,"#))
    #expect(capture.received == ["HTTP/1.1 200 \r\n\r\n", "", "HTTP/1.1 200 \r\n\r\n"])
    #expect(capture.exchanges[1].failure?.reason == .transportFailure)
    #expect(
      capture.loss("a browser's failure message")
        == "a browser's failure message that is not text: http://portal.example/, http://b.example/")
    #expect(capture.origin == "HAR 1.2")
  }

  @Test(
    arguments: [
      (#"{ "name": "A", "value": "b\r\n c\n\td\ne" }"#, "A: b\r\n c\r\n\td\r\nA: e\r\n", false),
      (#"{ "name": "A", "value": "b" }, { "name": " c", "value": "" }"#, "A: b\r\n c\r\n", false),
      (#"{ "name": "A", "value": "b" }, { "name": "\tc", "value": "d" }"#, "A: b\r\n\tc: d\r\n", false),
      (#"{ "name": " c", "value": "d" }, { "name": "A", "value": "b" }"#, "A: b\r\n", true),
      (#"{ "name": "B\nC: d" }, { "name": "A", "value": "b" }"#, "A: b\r\n", true),
      (#"{ "name": "", "value": "x" }, { "name": "A", "value": "b" }"#, "A: b\r\n", true),
      (#"{ "name": "X", "value": "\u0000" }, { "name": "A", "value": "b" }"#, "A: b\r\n", true),
      (#"{ "name": "A", "value": "b" }, { "name": " c\nd", "value": "" }"#, "A: b\r\n", true),
    ])
  func linesThatAreNotFieldsContinueOneOrAreOmitted(headers: String, lines: String, isLost: Bool) throws {
    let capture = try Self.capture(#"{ "status": 200, "headers": [ \#(headers) ] }"#)
    #expect(capture.received == ["HTTP/1.1 200 \r\n\(lines)\r\n"])
    #expect((capture.loss("header fields whose name") != nil) == isLost)
  }

  @Test func theNumberOfReportedErrorsIsLimited() {
    let text = #"{ "log": { "entries": [\#((1...25).map { "\($0)" }.joined(separator: ","))] } }"#
    let reported = mistakes { () throws(InvalidImport) in try ImportedCapture(reading: text) }
    #expect(reported.count == 21)
    #expect(reported.last == "there are 5 more errors")
  }

  @Test(arguments: [
    ("{", "the file is not JSON"), (#"{ "log": { "entries": [ ] "#, "the file is not JSON"),
    (#"{ "name": "x" }"#, "the file is not a HAR file: log is missing: save it as HAR 1.2"),
    (#"{ "log": [] }"#, "the file is not a HAR file: log is not"),
    (#"{ "log": {} }"#, "the file is not a HAR file: log.entries is missing: save it as HAR 1.2"),
    (
      #"{ "log": { "entries": {} } }"#,
      "the file is not a HAR file: log.entries is not a list: save it as HAR 1.2"
    ),
    (#"{ "log": { "entries": [] } }"#, "the file contains no exchange over http or https: reload the"),
    (#"{ "log": { "entries": [3] } }"#, "entry 1: it is not"),
  ])
  func nonHARIsRejected(text: String, start: String) throws {
    let reported = mistakes { () throws(InvalidImport) in try ImportedCapture(reading: text) }
    #expect(reported.count == 1)
    #expect(try #require(reported.first).hasPrefix(start), "\(reported)")
  }

  @Test func deepJSONIsRejected() {
    let text = #"{ "log": "# + String(repeating: "[", count: 100_000)
    #expect(!mistakes { () throws(InvalidImport) in try ImportedCapture(reading: text) }.isEmpty)
  }

  @Test func aByteOrderMarkIsSkipped() throws {
    let capture = try ImportedCapture(reading: "\u{FEFF}\n" + Self.har(Self.entry(#"{ "status": 200 }"#)))
    #expect(capture.exchanges.count == 1)
  }
}
