import Validators
import ProbeCore
import TestSupport
import TestRequirements
import Testing

@Suite struct RedirectValidatorTests {
  private func response(
    from url: String = "http://shop.example/old", to location: String?, status: Int = 302
  ) throws -> ProbeResponse {
    let head = HTTPResponseHead(status: status, fields: location.map { ["Location": $0] } ?? [:])
    let url = try ProbeURL(url)
    return ProbeResponse(
      url: url, head: head, redirects: RedirectHop(of: head, from: url).map { [$0] } ?? [])
  }

  @Test(arguments: [
    ("http://shop.example/new", "/new", true),
    ("http://shop.example/new", "http://SHOP.example:80/new", true),
    ("http://shop.example/new", "/new?a", false), ("http://shop.example/new", "/new/", false),
    ("http://shop.example/new", "https://shop.example/new", false),
    ("http://shop.example/new", "/new#top", true), ("http://shop.example/new#top", "/new", false),
    ("http://shop.example", "/", true), ("/new", "new", true), ("/new", "http://shop.example/new", true),
    ("/new", "http://other.example/new", false), ("/new", "https://shop.example/new", false),
    ("/new?a=1", "/new?a=1", true), ("/new?a=1", "/new?a=2", false), ("/items/*", "/items/7?x", true),
    ("/items/*", "http://other.example/items/7", false), ("/items/*", "/item/7", false),
    ("https://*", "https://other.example/", true), ("https://*", "http://shop.example/", false),
    ("https://*.example/in", "https://a.example/in", true),
    ("https://*.example/in", "https://a.example/in?x", false),
    ("https://*.example/in", "https://a.example/in#x", true),
    // Only the star is special.
    ("https://a.example/(in|out)*", "https://a.example/in", false),
    ("*", "ftp://other.example/", true), ("https", "https://shop.example/", true),
    ("https", "https://www.shop.example/x", true), ("https", "https://other.example/", false),
    ("https", "http://shop.example/", false),
  ])
  func targets(_ target: String, _ location: String, _ isAccepted: Bool) throws {
    let validation = try RedirectValidator(to: target).validate(response(to: location))
    #expect(validation.isAccepted == isAccepted)
    #expect(validation.rejection?.reason == (isAccepted ? nil : .httpRedirect))
  }

  /// A star matches within its part of the URL: a label of the host, the path, or the query.
  @Test(
    arguments: [
      ("https://*.example.com/login", "https://evil.test/x.example.com/login", false),
      ("https://*.example.com/login", "https://evil.test?x.example.com/login", false),
      ("https://*.example.com/login", "https://evil.test#.example.com/login", false),
      ("https://*.example.com/login", "https://evil.test\\.example.com/login", false),
      ("https://*.example.com/login", "https://evil.test:443/.example.com/login", false),
      ("https://*.example.com/login", "https://a@evil.test/x.example.com/login", false),
      ("https://*.example.com/login", "https://a.b.example.com/login", true),
      ("https://*.example.com/login", "https://A.EXAMPLE.com:443/login", true),
      ("https://*.example.com/login", "https://example.com/login", false),
      ("https://*.example.com/login", "https://evilexample.com/login", false),
      ("https://*.example.com/login", "https://a.example.com.evil.test/login", false),
      ("https://*.example.com/login", "https://a.example.com:8443/login", false),
      ("https://*.example.com/login", "http://a.example.com/login", false),
      ("https://*.example.com:*/login", "https://a.example.com:8443/login", true),
      ("https://*.example.com", "https://a.example.com/", true),
      ("https://*.example.com", "https://a.example.com/x", false),
      ("https://login-*.example.com/", "https://login-7.example.com/", true),
      ("https://login-*.example.com/", "https://login-7.evil.example.com/", false),
      ("https://login-*.example.com/", "https://login-/x.example.com/", false),
      ("https://a.*.example.com/", "https://a.b.example.com/", true),
      ("https://a.*.example.com/", "https://a.b.c.example.com/", false),
      ("https://login.example*", "https://login.example.evil.test/", false),
      ("https://login.example*", "https://login.example/in?x", true),
      ("https://*/login", "https://evil.test:8443/login", true),
      ("https://*/login", "https://evil.test/x/login", false),
      ("https://*.bücher.example/", "https://a.xn--bcher-kva.example/", true),
      ("https://*:8443/", "https://a.example:8443/", true), ("https://*:8443/", "https://a.example/", false),
      ("https://[2001:db8::*]/", "https://other.example/", nil),
      ("https://login.example/*", "https://login.example/a/b?c", true),
      ("https://login.example/*", "https://login.example.evil.test/", false),
      ("https://login.example/*", "https://evil.login.example/", false),
      ("https://a.example/x/*/y", "https://a.example/x/1/2/y", true),
      ("https://a.example/x/*/y", "https://a.example/x/1?/y", false),
      ("https://a.example/in?to=*&x=*", "https://a.example/in?to=/a?b&x=", true),
      ("https://a.example/in?to=*", "https://a.example/in", false),
      ("https://a.example/*", "https://a.example/x/..%2fb", false),
      ("/items/*", "/items/../admin", false), ("/items/*", "/items/%2e%2e/admin", false),
      ("/items/*", "/items/..;/admin", false),
      // What servers read like `..`, and dots of host names.
      ("/items/*", "/items/%c0%ae%C0%AE/admin", false), ("/items/*", "/items/..%c0%afadmin", false),
      ("/items/*", "/items/%u002e%u002E/admin", false), ("/items/*", "/items/\u{FF0E}\u{FF0E}/admin", false),
      ("/items/*", "/items/%ef%bc%8e./admin", false), ("/items/*", "/items/\u{2025}/admin", false),
      ("/items/*", "/items/\u{3002}\u{3002}/admin", true), ("/items/*", "/items/%c3%a9/x", true),
      ("https://*.example.com/", "https://evil.test\u{FF0E}example.com/", true),
      ("https://*.example.com/", "https://a.example.com\u{FF0E}evil.test/", false),
      ("https://*.example.com/", "https://a.example.com%EF%BD%A1evil.test/", false),
      ("https://login-*.example.com/", "https://login-x\u{FF0E}evil.example.com/", false),
      ("https://login-*.example.com/", "https://login-x\u{2024}evil.example.com/", false),
      // User information, which browsers send or show.
      ("https://*/login", "https://user@evil.test/login", false),
      ("https://*", "https://u:p@evil.test/", false),
      ("https://*/login", "https:\\\\user@evil.test/login", false),
      ("https://*/login", "https://@evil.test/login", false),
      ("https://*/log*", "https://evil.test/login@x", true), ("*", "https://user@evil.test/login", true),
      ("https://a.example/login", "https://user@a.example/login", false),
      ("https", "https://user@shop.example/", false), ("/new", "http://user@shop.example/new", false),
      ("/items/*", "//user@shop.example/items/1", false),
      // Schemes that no client of HTTP follows.
      ("*://*/login", "javascript://evil.test/login", false),
      ("*/login", "javascript://evil.test/login", false),
      ("*://*/login", "ftp://evil.test/login", false), ("*://*/login", "HTTP://evil.test/login", true),
      ("ftp://*/login", "ftp://evil.test/login", true), ("*s://*/login", "ftps://evil.test/login", false),
      ("*s://*/login", "https://evil.test/login", true),
      ("*.example.com/login", "http://a.example.com/login", true),
      ("*.example.com/login", "http://evil.test/x.example.com/login", false),
      ("*/login", "https://any.example/login", true), ("*/login", "https://any.example/x/login", false),
      ("*://a.example/", "https://a.example/", true), ("http*://a.example/", "https://a.example/", true),
      ("*example.com/", "https://example.com/", nil),
      ("https://*.example.com/#*", "https://a.example.com/", nil),
      ("https://user@*.example/", "https://a.example/", nil), ("https:///*", "https://a.example/", nil),
      ("https://*.a_b/é*", "https://a.example/", nil), ("*", "https://any.example/x?y", true),
      ("https://*", "https://any.example:1/x?y", true),
    ] as [(String, String, Bool?)])
  func aStarStaysWithinItsPart(_ target: String, _ location: String, _ isAccepted: Bool?) throws {
    guard let isAccepted else {
      #expect(throws: InvalidInput.self) { try RedirectValidator(to: target) }
      return
    }
    #expect(try RedirectValidator(to: target).validate(response(to: location)).isAccepted == isAccepted)
  }

  /// Whatever a Location contains, a redirect that is accepted goes to a host of the pattern.
  @Test(.heavy) func noLocationLeadsToAnotherHost() throws {
    let validator = try RedirectValidator(to: "https://*.example.com/login*")
    let seed: UInt64 = 17
    var seeded = SeededNumbers(seed: seed)
    let pieces = [
      "https://", "http://", "//", "/", "\\", "@", ":", "?", "#", ".", "..", "%2f", "%5c", "%00", " ", "\t",
      "evil.test",
      "a.example.com", ".example.com", "example.com", "login", "/login", ";", "[", "]", "é", "。", "／",
    ]
    var accepted = 0
    for turn in 0..<20_000 {
      var parts = (0..<Int.random(in: 1...6, using: &seeded)).map { _ in
        pieces.randomElement(using: &seeded) ?? ""
      }
      // Every other one has what the pattern asks for, with something around it.
      if turn % 2 == 0 {
        parts.insert(
          "https://a.example.com/login", at: Int.random(in: 0...min(1, parts.count), using: &seeded))
      }
      let location = parts.joined()
      let received = try response(to: location)
      guard validator.validate(received).isAccepted, let found = received.redirects.last?.target else {
        continue
      }
      accepted += 1
      #expect(
        found.scheme == .https && found.host.hasSuffix(".example.com") && found.path.hasPrefix("/login"),
        "seed \(seed): \(location)")
    }
    #expect(accepted > 0, "seed \(seed)")
  }

  /// Two Location fields that lead to different URLs have no common meaning.
  @Test func severalLocationsAreRejected() throws {
    let url = try ProbeURL("http://shop.example/old")
    func isAccepted(_ locations: [String], _ target: String) throws -> Bool {
      let head = HTTPResponseHead(
        status: 302, fields: HeaderFields(locations.map { (name: "Location", value: $0) }))
      let whole = ProbeResponse(
        url: url, head: head, redirects: RedirectHop(of: head, from: url).map { [$0] } ?? [])
      let bare = ProbeResponse(url: url, head: head)
      let validator = try RedirectValidator(to: target)
      #expect(validator.validate(bare).isAccepted == validator.validate(whole).isAccepted)
      return validator.validate(whole).isAccepted
    }
    for target in ["/new", "*", "http://*/new"] {
      #expect(try isAccepted(["/new"], target))
      #expect(try isAccepted(["/new", "/new"], target))
      #expect(try isAccepted(["/new", "http://shop.example/new"], target))
      #expect(try isAccepted(["HTTP://shop.example/new", "http://SHOP.example:80/new", "/./new"], target))
      #expect(try !isAccepted(["/new", "/new#top"], target))
      #expect(try !isAccepted(["/new", "/New"], target))
      #expect(try !isAccepted(["/new", "https://shop.example:80/new"], target))
      #expect(try !isAccepted(["/new", "http://user@shop.example/new"], target))
      #expect(try !isAccepted(["/new", ""], target))
      #expect(try !isAccepted(["/new", "http://evil.test/"], target))
      #expect(try !isAccepted(["http://evil.test/", "/new"], target))
    }
  }

  @Test func theStatusOfTheRedirectIsCompared() throws {
    let validator = try RedirectValidator(
      options: .init(to: "https", status: .init(statuses: ["301", "308"])))
    #expect(try validator.validate(response(to: "https://shop.example/", status: 308)).isAccepted)
    let rejection = try validator.validate(response(to: "https://shop.example/", status: 302)).rejection
    #expect(rejection?.reason == .httpStatus)
    #expect(
      rejection?.description
        == "expected a redirect to the same host over https with status 301 or 308, "
        + "found a redirect with status 302 to \"https://shop.example/\"")
  }

  @Test func theRejectionDescribesTheResponse() throws {
    let validator = try RedirectValidator(to: "/new")
    #expect(
      try validator.validate(response(to: nil, status: 200)).rejection?.description
        == "expected a redirect to \"/new\" on the same origin, found 200")
    #expect(
      try validator.validate(response(to: nil)).rejection?.found
        == "a redirect with status 302 without a Location")
    #expect(
      try validator.validate(ProbeResponse(url: ProbeURL("tcp://a.example:1"))).rejection?.found
        == "a response without an HTTP status")
  }

  @Test func theLastOfSeveralIsJudged() throws {
    var response = ProbeResponse.example(body: "the new page")
    let (first, second) = (try ProbeURL("http://a.example/"), try ProbeURL("https://a.example/"))
    response.redirects = [
      RedirectHop(url: first, status: 301, location: "https://a.example/", target: second),
      RedirectHop(url: second, status: 302, location: "/new", target: second.resolve("/new")),
    ]
    #expect(try RedirectValidator(to: "/new").validate(response).isAccepted)
    #expect(try !RedirectValidator(to: "https://a.example/").validate(response).isAccepted)
  }

  @Test func itJudgesTheStatus() throws {
    let guarded = SuccessfulStatus.guarding(try RedirectValidator(to: "/new"))
    #expect(try guarded.validate(response(to: "/new")).isAccepted)
  }
}
