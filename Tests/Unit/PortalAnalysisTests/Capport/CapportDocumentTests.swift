import PortalAnalysis
import ProbeCore
import Testing

@Suite struct CapportDocumentTests {
  private func response(
    _ body: String, _ status: Int = 200, type: String? = "application/captive+json"
  ) throws -> ProbeResponse {
    ProbeResponse(
      url: try ProbeURL("https://api.example/v1"),
      head: HTTPResponseHead(status: status, fields: type.map { ["Content-Type": $0] } ?? [:]),
      body: Array(body.utf8))
  }

  @Test func everyMemberIsRead() throws {
    let document = try CapportDocument(
      response(
        """
        {"captive": true, "user-portal-url": "https://portal.example/login?a=1",
         "venue-info-url": "http://venue.example/", "can-extend-session": true, "seconds-remaining": 326,
         "bytes-remaining": 65535, "org.example.more": [1, {"captive": false}]}
        """))
    #expect(
      try document
        == CapportDocument(
          captive: true, userPortalURL: ProbeURL("https://portal.example/login?a=1"),
          venueInfoURL: ProbeURL("http://venue.example/"), canExtendSession: true,
          timeRemaining: .seconds(326),
          bytesRemaining: 65535))
  }

  @Test(arguments: [
    "application/captive+json", "Application/Captive+JSON; charset=utf-8", "application/json",
    "application/json ;x",
  ])
  func onlyCaptiveIsRequired(_ type: String) throws {
    #expect(
      try CapportDocument(response(#"{"captive":false}"#, type: type)) == CapportDocument(captive: false))
  }

  /// Unusable members are ignored, as if they were missing.
  @Test(arguments: [
    #""user-portal-url": "http://portal.example/""#, #""user-portal-url": "javascript:x""#,
    #""user-portal-url": 7"#, #""user-portal-url": """#, #""venue-info-url": "ftp://a.example/""#,
    #""venue-info-url": null"#, #""can-extend-session": "yes""#, #""seconds-remaining": -1"#,
    #""seconds-remaining": "3""#, #""seconds-remaining": 1e99"#, #""bytes-remaining": -5"#,
    #""bytes-remaining": true"#,
    #""Captive": false"#,
  ])
  func unusableValuesAreIgnored(_ field: String) throws {
    #expect(try CapportDocument(response("{\"captive\": true, \(field)}")) == CapportDocument(captive: true))
  }

  @Test(arguments: ["10000000000000", "9223372036854775807"])
  func amountsAreBounded(_ number: String) throws {
    let document = try CapportDocument(
      response("{\"captive\": false, \"seconds-remaining\": \(number), \"bytes-remaining\": \(number)}"))
    let expected = min(try #require(Int(number)), 1 << 53 - 1)
    #expect(document.timeRemaining == .seconds(expected))
    #expect(document.bytesRemaining == expected)
  }

  @Test func aRelativePortalURLIsResolved() throws {
    let document = try CapportDocument(response(#"{"captive": true, "user-portal-url": "/login"}"#))
    #expect(document.userPortalURL?.string == "https://api.example/login")
  }

  @Test(
    arguments: [
      (
        "{}", 200, "application/captive+json",
        "expected a JSON object with the boolean \"captive\", found \"{}\""
      ),
      (
        "{\"captive\": 1}", 200, "application/captive+json",
        "expected a JSON object with the boolean \"captive\", found \"{\\\"captive\\\": 1}\""
      ),
      (
        "", 200, "application/json",
        "the answer is not the JSON of RFC 8259: unexpected token near end of file at line 1, column 1"
      ),
      (
        "[true]", 200, "application/json",
        "expected a JSON object with the boolean \"captive\", found \"[true]\""
      ),
      (
        #"{"captive":true}"#, 200, "text/html",
        "expected the media type application/captive+json, found \"text/html\""
      ),
      (
        #"{"captive":true}"#, 200, nil, "expected the media type application/captive+json, found \"\""
      ),
      (#"{"captive":true}"#, 404, "application/json", "expected the status 200, found 404"),
    ] as [(String, Int, String?, String)])
  func invalidAPIResponsesHaveAReason(_ body: String, _ status: Int, _ type: String?, _ words: String) throws
  {
    let error = #expect(throws: InvalidInput.self) {
      try CapportDocument(response(body, status, type: type))
    }
    #expect(error?.description == words)
  }

  /// Each is invalid for every client, wherever it occurs.
  @Test(
    arguments: [
      (#"{"captive": true, "x": nonsense}"#, "invalid token near 'nonsense' at line 1, column 31"),
      (
        #"{"captive": false, "captive": true}"#,
        "duplicate object key near '\"captive\"' at line 1, column 28"
      ),
      (
        #"{"captive": true, "user-portal-url": "https://a.example/\q"}"#,
        "invalid escape at line 1, column 58"
      ),
      ("{\n \"captive\": true,\n}", "string or '}' expected near '}' at line 3, column 1"),
      ("{\"captive\": true}\0", "a NUL byte at line 1, column 18"),
      (#"{"captive": true}{"captive": false}"#, "end of file expected near '{' at line 1, column 18"),
    ] as [(String, String)])
  func invalidJSONIsReportedWithItsLocation(_ body: String, _ words: String) throws {
    let error = #expect(throws: InvalidInput.self) { try CapportDocument(response(body)) }
    #expect(error?.description == "the answer is not the JSON of RFC 8259: \(words)")
  }

  @Test func aByteOrderMarkIsAccepted() throws {
    #expect(try CapportDocument(response("\u{FEFF}{\"captive\": true}")) == CapportDocument(captive: true))
  }

  @Test func integersMayHaveAnyJSONNotation() throws {
    let document = try CapportDocument(
      response(
        #"{"captive": false, "seconds-remaining": 6e1, "bytes-remaining": 10.0, "x": 12345678901234567890}"#))
    #expect(document == CapportDocument(captive: false, timeRemaining: .seconds(60), bytesRemaining: 10))
  }

  @Test func hostileResponsesAreRejected() throws {
    var cut = try response(#"{"captive":true}"#)
    cut.bodyIsCut = true
    #expect(throws: InvalidInput.self) { try CapportDocument(cut) }
    for (open, close) in [("[", "]"), (#"{"captive":"#, "}")] {
      let deep = String(repeating: open, count: 100_000)
      let closed = "\(deep)true\(String(repeating: close, count: 100_000))"
      for text in [deep, closed] {
        #expect(throws: InvalidInput.self) {
          try CapportDocument(response("{\"captive\":true,\"x\":\(text)}"))
        }
        #expect(throws: InvalidInput.self) { try CapportDocument(response(text)) }
      }
    }
    let room = (64 << 10) - #"{"captive":true,"x":""}"#.utf8.count
    for (length, isRead) in [(room, true), (room + 1, false)] {
      let text = #"{"captive":true,"x":"\#(String(repeating: "a", count: length))"}"#
      #expect((try? CapportDocument(response(text)))?.captive == (isRead ? true : nil))
    }
    var noHead = try response("")
    noHead.head = nil
    #expect(throws: InvalidInput.self) { try CapportDocument(noHead) }
  }
}
