import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import PortalAnalysis

/// Responses designed to use up time or memory, or to make a user open a page that is not a login page.
@Suite(.heavy, .serialized, .patience(minutes: 1)) struct HostileResponseTests {
  @Test(arguments: [
    "javascript:alert(1)//http://a.example/", "JAVASCRIPT:x", "java\tscript:x", "&#106;avascript:x",
    "\u{1}javascript:x",
    "data:text/html,<form>", "file:///etc/passwd", "vbscript:x", "blob:http://a.example/x",
    "ftp://a.example/",
    "view-source:http://a.example/", "about:blank", "x-apple.systempreferences:",
    "intent://a.example/#Intent;end",
    "http://", "http://\u{202E}moc.example/", "http://a\0.example/", "mailto:a@b.example",
    "http://a.example/" + String(repeating: "x", count: 1 << 20),
  ])
  func dangerousReferencesAreNotOffered(_ reference: String) throws {
    let word = "<p>hotspot login password</p>"
    let quoted = reference.replacing("\"", with: "&quot;")
    let bodies = [
      "<meta http-equiv=refresh content=\"0;url=\(quoted)\">", "<a href=\"\(quoted)\">Log in</a>",
      "<form action=\"\(quoted)\"><input type=password><button>", "<iframe src=\"\(quoted)\"></iframe>",
      "<base href=\"\(quoted)\"><form action=login><input type=password>",
      "<script>location = \"\(quoted)\"</script>",
      "<script>document.write('<meta http-equiv=refresh content=\"0;url=\(quoted)\">')</script>",
      "<WISPAccessGatewayParam><Redirect><MessageType>100</MessageType><LoginURL>\(quoted)</LoginURL></Redirect>",
    ]
    for body in bodies {
      for status in [200, 511] {
        let url = try TestResponse(word + body, status: status).analysis().portal?.loginURL
        #expect(url.map(Self.isWebURL) ?? true, "\(body.prefix(200))")
        #expect(url?.host ?? "probe.example" == "probe.example", "\(body.prefix(200))")
      }
    }
    for name in ["Location", "Refresh", "Link"] {
      let value =
        ["Refresh": "0;url=\(reference)", "Link": "<\(reference)>; rel=captive-portal"][name] ?? reference
      for status in [200, 302, 511] {
        let url = try TestResponse(word, status: status, fields: [(name, value)]).analysis().portal?.loginURL
        #expect(url?.host ?? "probe.example" == "probe.example", "\(name), \(status)")
      }
    }
  }

  @Test(arguments: [
    ("http://bank.example@evil.example/", "http://evil.example/"),
    ("http://user:secret@evil.example/login", "http://evil.example/login"),
    ("//bank.example%2f@evil.example/", "http://evil.example/"), ("/\\evil.example/", "http://evil.example/"),
    ("http://evil.example/\u{202E}moc.knab//:ptth", "http://evil.example/%E2%80%AEmoc.knab//:ptth"),
    // The parser replaces control characters.
    ("http://evil.example/\u{1B}[2J\u{7}", "http://evil.example/%EF%BF%BD[2J%EF%BF%BD"),
    ("http://evil.example/?\u{2066}\u{FEFF}", "http://evil.example/?%E2%81%A6%EF%BB%BF"),
  ])
  func offeredURLsShowTheirRealHost(_ reference: String, _ expected: String) throws {
    for body in [
      "<meta http-equiv=refresh content=\"0;url=\(reference)\">",
      "<script>location='\(reference.replacing("\\", with: "\\\\"))'</script>",
    ] {
      let analysis = try TestResponse(body + "<p>hotspot login").analysis()
      #expect(analysis.portal?.loginURL.string == expected)
      #expect(analysis.signs.allSatisfy { Self.isSafe($0.words) })
    }
  }

  /// Pieces that are repeated to make pages of 10 MB.
  static let pieces = [
    "<div>", "<p class=login>", "<a href=/login>Log in ", "<form action=/login><input name=password>",
    "</form>",
    "<input type=password name=voucher>", "<script>location='/x'</script>", "<script>",
    "<iframe src=/login></iframe>",
    "<meta http-equiv=refresh content='0;url=/x'>", "<b id=wifi onclick='go()'><p>", "<table><tr><td><form>",
    "access denied ", "http://", "://", "://a ", ":", "&amp;", "&#x202E;", "<!--", "<WISPAccessGatewayParam>",
    "wispaccess",
    "<![CDATA[", "<LoginURL>", "\0", " ", "x", "\u{202E}", "\u{65E5}\u{672C}", "{\"captive\":", "[",
    "<base href=/x>",
  ]

  @Test(arguments: pieces)
  func findingsFromTenMegabytePagesAreBounded(_ piece: String) throws {
    var response = TestResponse()
    response.body = Array(piece.utf8)
    while response.body.count < 10 << 20 { response.body += response.body }
    try check(response.analysis())
  }

  @Test(
    arguments: [
      [0xFF], [0xC3], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF5, 0x80], [0xC0, 0xAF], [0xFE, 0xFF, 0xD8, 0x00],
      [0xFF, 0xFE, 0x00],
      [0x81], [0x1B, 0x24, 0x42], [0x80, 0x3C, 0x61, 0x3E],
    ] as [[UInt8]])
  func bytesThatAreNotTextAreHandled(_ unit: [UInt8]) throws {
    for type in [
      "text/html", "text/html; charset=utf-8", "text/html; charset=utf-16", "text/html; charset=gb18030", "x",
    ] {
      var response = TestResponse()
      response.fields = ["Content-Type": type]
      response.body = Array(repeatElement(unit, count: 2000).joined()) + Array("<p>login</p>".utf8) + unit
      try check(response.analysis())
    }
  }

  @Test func findingsFromManyAttributesAndFieldsAreBounded() throws {
    var names = "<a"
    for number in 0..<100_000 { names += " a\(number)=b" }
    for body in [
      names + ">", names + " href=/login>", "<p \(String(repeating: "class=login ", count: 100_000))>",
    ] {
      try check(TestResponse(body + "Log in").analysis())
    }
    let fields = Array(repeating: ("Link", "</login>; rel=login"), count: 5000)
    let links = try TestResponse("<p>", fields: fields).analysis()
    #expect(links.signs.count < 100)
    let refreshes = try TestResponse("<p>", fields: Array(repeating: ("Refresh", "0;url=/x"), count: 5000))
      .analysis()
    #expect(refreshes.signs.count < 100)
  }

  @Test func namesRepeatedByTheParserAreBounded() throws {
    // In each paragraph, the parser repeats the unclosed element with its 20 KB of names.
    let name = String(repeating: "login wifi ", count: 2000)
    let read = Page(Array(("<b class='\(name)'>" + String(repeating: "<p>x</p>", count: 500)).utf8).span)
    let page = try #require(read)
    #expect(page.identifiers.count <= 2 * Page.Limit.identifiers)
  }

  @Test(arguments: ["{\"captive\":", "[", "{\"a\":[", "{\"captive\":true,\"a\":"])
  func deeplyNestedDocumentsAreRejected(_ piece: String) throws {
    var response = TestResponse(String(repeating: piece, count: 100_000))
    response.fields = ["Content-Type": "application/captive+json"]
    let analysis = try response.analysis()
    #expect(!analysis.isStated)
    try check(analysis)
  }

  @Test func findingsFromManyGatewayMessagesAreBounded() throws {
    let message =
      "<WISPAccessGatewayParam><Redirect><LoginURL>http://a.example/</LoginURL></Redirect></WISPAccessGatewayParam>"
    let analysis = try TestResponse(String(repeating: message, count: 5000)).analysis()
    #expect(analysis.isStated)
    try check(analysis)
  }

  @Test func randomPagesAreRead() throws {
    var numbers = SeededNumbers(seed: 6)
    for _ in 0..<60 {
      var body = ""
      for _ in 0..<60 {
        body += Self.pieces.randomElement(using: &numbers) ?? ""
        if numbers.next() % 4 == 0 { body.removeLast() }
      }
      try check(TestResponse(body, status: numbers.next() % 2 == 0 ? 200 : 511).analysis())
    }
  }

  private func check(_ analysis: ResponseAnalysis) throws {
    #expect(analysis.signs.count < 300)
    #expect(analysis.signs.allSatisfy { Self.isSafe($0.words) && $0.words.utf8.count < 400 })
    if let portal = analysis.portal { #expect(Self.isWebURL(portal.loginURL)) }
  }

  private static func isWebURL(_ url: ProbeURL) -> Bool {
    (url.scheme == .http || url.scheme == .https) && url.string.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && url.string.utf8.count <= ProbeURL.maximumLength
  }

  /// Whether a text has no control characters, no bidirectional formatting and no invisible characters.
  private static func isSafe(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
      default: true
      }
    }
  }
}
