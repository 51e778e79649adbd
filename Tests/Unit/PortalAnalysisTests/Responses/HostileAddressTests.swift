import PortalAnalysis
import ProbeCore
import TestRequirements
import Testing

/// Misleading addresses: a login URL is one that a browser opens, and its text shows the real destination.
@Suite(.heavy) struct HostileAddressTests {
  /// Ways to specify an address in a response.
  enum Way: CaseIterable {
    case location, refresh, script, wispr, form, capport, linkField, body511
  }

  @Test(arguments: [
    ("https://bank.example@evil.example/", "https://evil.example/"),
    ("https://bank.example:443@evil.example:8443/", "https://evil.example:8443/"),
    ("https://bank.example%2f@evil.example/a", "https://evil.example/a"),
    ("https:\\\\bank.example@evil.example\\a", "https://evil.example/a"),
    ("https://evil.example/\u{202E}moc.knab", "https://evil.example/%E2%80%AEmoc.knab"),
    (
      "https://evil.example/?\u{2066}a\u{2069}#\u{200F}",
      "https://evil.example/?%E2%81%A6a%E2%81%A9#%E2%80%8F"
    ),
    ("https://evil.example/\u{1B}[2J\u{85}", "https://evil.example/%1B[2J%C2%85"),
    ("HTTPS://EVIL.example", "https://evil.example"),
  ])
  func theRealHostOfAMisleadingAddressIsReported(_ reference: String, _ expected: String) throws {
    // In a page, the parser replaces characters that are invalid in HTML.
    let isHTML = !reference.contains("\u{1B}")
    for way in isHTML ? Way.allCases : [.location, .capport] {
      #expect(try loginURL(reference, by: way) == expected, "\(way)")
    }
  }

  @Test(arguments: [
    "127.0.0.1:631", "localhost", "a.localhost.", "0.0.0.0", "[::1]:8080", "[::ffff:127.0.0.1]",
    "169.254.169.254",
    "[fe80::1]",
  ])
  func loopbackAndLinkLocalAddressesAreRefused(_ host: String) throws {
    let url = "https://\(host)/latest/meta-data"
    for way in Way.allCases {
      let analysis = try analysis(of: url, by: way)
      #expect(analysis.kind == .login, "\(way)")
      #expect(analysis.portal == nil, "\(way)")
      #expect(analysis.refusedPortal?.loginURL.string == url, "\(way)")
    }
  }

  @Test func usableURLsAreOfferedDespiteALoopbackURL() throws {
    var response = TestResponse(
      "<form method=post action='https://portal.example/in'><input type=password><input type=submit></form>")
    response.status = 302
    response.fields = ["Location": "http://127.0.0.1/"]
    #expect(try response.analysis().portal?.loginURL.string == "https://portal.example/in")
    // Most portals have private addresses.
    #expect(try loginURL("https://192.168.1.1/in", by: .location) == "https://192.168.1.1/in")
  }

  @Test(arguments: [
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", " \tjava\nscript:alert(1)", "data:text/html,x",
    "file:///etc/passwd",
    "vbscript:x", "blob:https://evil.example/x", "about:blank", "ftp://evil.example/",
    "intent://evil.example/",
    "https://", "https://@/", "https://evil.example:0/", "https://evil.example:99999/",
    "https://b\u{1F4A9}cher.example/",
    "https://evil\u{202E}.example/", "https://[::1/", "https://1.2.3/",
    "https://evil.example\u{0}.bank.example/",
    "https://evil.example/\(String(repeating: "a", count: 1_000_000))",
  ])
  func unsafeOrInvalidURLsAreNotOffered(_ reference: String) throws {
    // A header field cannot contain a line break.
    for way in Way.allCases where way != .linkField || !reference.contains("\n") {
      let offered = try loginURL(reference, by: way)
      #expect(offered == nil || offered == "http://probe.example/", "\(way)")
    }
  }

  /// The login URL of a response with a reference; nil if the response is not from a portal.
  private func loginURL(_ reference: String, by way: Way) throws -> String? {
    try analysis(of: reference, by: way).portal?.loginURL.string
  }

  /// The analysis of a response that contains this address.
  private func analysis(of reference: String, by way: Way) throws -> ResponseAnalysis {
    var response = TestResponse(path: ["http://probe.example/"])
    let body: String
    switch way {
    case .location:
      response.status = 302
      response.fields.append(name: "Location", value: reference)
      body = ""
    case .refresh: body = "<meta http-equiv=refresh content='0;url=\(reference)'>"
    case .script:
      body =
        "<script>location = '\(reference.replacing("\\", with: "\\\\").replacing("\n", with: "\\n"))'</script>"
    case .wispr:
      body = """
        <!--<WISPAccessGatewayParam><MessageType>100</MessageType><LoginURL><![CDATA[\(reference)]]></LoginURL>-->
        """
    case .form:
      body =
        "<form method=post action='\(reference)'><input type=password name=pass><input type=submit></form>"
    case .linkField:
      response.fields.append(name: "Link", value: "<\(reference)>; rel=captive-portal")
      body = ""
    case .body511:
      response.status = 511
      body = "<a href='\(reference)'>log in</a>"
    case .capport:
      response.fields = ["Content-Type": CapportDocument.mediaType]
      let escaped = reference.unicodeScalars.map { scalar in
        scalar.value < 0x20 || scalar == "\\"
          ? "\\u00\(scalar.value < 16 ? "0" : "")\(String(scalar.value, radix: 16))" : String(scalar)
      }
      body = #"{"captive":true,"user-portal-url":"\#(escaped.joined())"}"#
    }
    response.body = Array(body.utf8)
    return try response.analysis()
  }
}
