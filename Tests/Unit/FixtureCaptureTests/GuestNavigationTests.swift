import PortalAnalysis
import ProbeCore
import Testing

@testable import FixtureCapture

/// Where a capture that follows the login goes, and where it does not.
@Suite struct GuestNavigationTests {
  private static func response(
    _ url: ProbeURL, _ body: String = "", status: Int = 200, to target: String? = nil
  ) -> ProbeResponse {
    let fields: HeaderFields = target.map { ["Location": $0] } ?? [:]
    let head = HTTPResponseHead(status: status, fields: fields)
    let hop = target.map { RedirectHop(url: url, status: status, location: $0, target: url.resolve($0)) }
    return ProbeResponse(url: url, head: head, body: Array(body.utf8), redirects: hop.map { [$0] } ?? [])
  }

  /// Walks through a site: pages by URL, and redirects as `-> TARGET`.
  private static func navigation(_ start: String, _ site: [String: String]) throws -> (
    requested: [String], navigation: GuestNavigation
  ) {
    var navigation = GuestNavigation(at: response(try ProbeURL(start), site[start] ?? ""))
    var requested: [String] = []
    while case let batch = navigation.next(), !batch.isEmpty {
      #expect(batch.count <= GuestNavigation.together)
      for reference in batch {
        requested.append(reference.url.string)
        guard let body = site[reference.url.string] else { continue }
        let target = body.hasPrefix("-> ") ? String(body.dropFirst(3)) : nil
        let received = response(
          reference.url, target == nil ? body : "", status: target == nil ? 200 : 302, to: target)
        navigation.received(received, to: reference)
      }
    }
    return (requested, navigation)
  }

  private static let login = "http://portal.example/in"

  @Test func filesOfFilesAreRequestedOnce() throws {
    let (requested, navigation) = try Self.navigation(
      Self.login,
      [
        Self.login:
          "<link rel=stylesheet href=a.css><img src=a.png><img src='a.png#top'><iframe src=b.html></iframe>",
        "http://portal.example/a.css": "@import 'b.css'; p { x: url(a.png) url(c.png) }",
        "http://portal.example/b.html": "<img src=d.png><iframe src=in></iframe>",
        "http://portal.example/c.png": "@import 'no.css'",
      ])
    let names = ["a.css", "a.png", "b.html", "b.css", "c.png", "d.png"]
    #expect(requested == names.map { "http://portal.example/\($0)" })
    #expect(navigation.losses == [])
  }

  @Test func otherServersAreNotRequested() throws {
    let (requested, navigation) = try Self.navigation(
      Self.login,
      [
        Self.login: """
        <script src=http://cdn.example/a.js></script><script src=http://cdn.example/b.js></script>
        <img src=http://127.0.0.1/a.png><img src=http://169.254.169.254/latest/meta-data>
        <img src=http://portal.example:22/><img src=http://www.portal.example/a.png>
        <img src=http://portal.example./a.png><img src=https://portal.example/a.png>
        <iframe src=http://router.local/></iframe><img src=moved.png>
        """,
        "http://portal.example/moved.png": "-> http://10.0.0.1/inner.png",
      ])
    #expect(requested == ["https://portal.example/a.png", "http://portal.example/moved.png"])
    #expect(
      navigation.losses.first == "2 files of http://cdn.example were not requested: it is another server")
    #expect(navigation.losses.last == "1 file of http://10.0.0.1 was not requested: it is another server")
    #expect(navigation.losses.count == 8)
  }

  @Test func aRedirectOnTheServerIsFollowed() throws {
    let (requested, _) = try Self.navigation(
      Self.login,
      [
        Self.login: "<link rel=stylesheet href=a.css>", "http://portal.example/a.css": "-> /v2/a.css",
        "http://portal.example/v2/a.css": "p { x: url(i.png) }",
      ])
    #expect(
      requested == [
        "http://portal.example/a.css", "http://portal.example/v2/a.css", "http://portal.example/v2/i.png",
      ])
  }

  @Test func anEncryptedPageLoadsNothingInClearText() throws {
    let start = "https://portal.example:8443/in"
    let (requested, _) = try Self.navigation(
      start,
      [
        start:
          "<img src=http://portal.example/a.png><img src=http://portal.example:8443/b.png><img src=c.png>"
          + "<img src=https://portal.example/d.png>"
      ])
    #expect(requested == ["https://portal.example:8443/c.png"])
  }

  @Test func linksAreNotFollowedAndFormsNotSent() throws {
    let (requested, navigation) = try Self.navigation(
      Self.login,
      [
        Self.login:
          "<a href=/grant>Connect</a><a href=/terms>Terms</a><form action=/login method=post></form>"
          + "<form action=http://10.0.0.1:3990/logon></form><form action=/login method=post></form>"
      ])
    #expect(requested == [])
    #expect(
      navigation.forms == [
        PageReferences.Form("POST", try ProbeURL("http://portal.example/login")),
        PageReferences.Form("GET", try ProbeURL("http://10.0.0.1:3990/logon")),
      ])
    #expect(
      navigation.losses.first
        == "the form POST http://portal.example/login was not sent: the replay responds with status 501")
  }

  @Test func filesAndPagesAreLimited() throws {
    let images = (0..<100).map { "<img src=\($0).png>" }.joined()
    let frames = (0..<20).map { "<iframe src=\($0).html></iframe>" }.joined()
    let (requested, navigation) = try Self.navigation(Self.login, [Self.login: images + frames])
    #expect(requested.filter { $0.hasSuffix(".png") }.count == GuestNavigation.maximumFiles)
    #expect(requested.filter { $0.hasSuffix(".html") }.count == GuestNavigation.maximumPages)
    #expect(navigation.losses == ["48 files beyond the limits were not requested"])
  }

  @Test func endlessRedirectsAreLimited() throws {
    var navigation = GuestNavigation(at: Self.response(try ProbeURL(Self.login), "<img src=/0>"))
    var count = 0
    while let reference = navigation.next().first {
      count += 1
      navigation.received(Self.response(reference.url, status: 302, to: "/\(count)"), to: reference)
    }
    #expect(count == GuestNavigation.maximumFiles)
  }

  @Test func bytesAreLimited() throws {
    let images = (0..<30).map { "<img src=\($0).png>" }.joined()
    var navigation = GuestNavigation(at: Self.response(try ProbeURL(Self.login), images))
    var count = 0
    while case let batch = navigation.next(), !batch.isEmpty {
      for reference in batch {
        count += 1
        let body = [UInt8](repeating: 0, count: GuestNavigation.maximumFileBytes)
        navigation.received(
          ProbeResponse(url: reference.url, head: HTTPResponseHead(status: 200), body: body), to: reference)
      }
    }
    #expect(count == 12)
    #expect(navigation.losses == ["18 files beyond the limits were not requested"])
  }
}

/// The routes of forms that were not sent.
@Suite struct UnsentFormTests {
  private static func network(_ forms: [(String, String)]) throws -> CapturedNetwork {
    let urls = ["http://portal.example/in", "http://portal.example/find?q=1"]
    return CapturedNetwork(
      try urls.map { try exchange($0, received: "HTTP/1.1 200 OK\r\n\r\n") },
      forms: try forms.map { PageReferences.Form($0.0, try ProbeURL($0.1)) })
  }

  @Test func aFormToThePageItselfComesBeforeThePage() throws {
    let network = try Self.network([("POST", "http://portal.example/in?session=1")])
    #expect(network.routes.map(\.method) == ["POST", nil, nil])
    #expect(network.routes.map(\.isUnsentForm) == [true, false, false])
  }

  @Test func aQueryThatWasRecordedComesBeforeItsForm() throws {
    let network = try Self.network([("GET", "http://portal.example/find")])
    #expect(network.routes.map(\.url.requestTarget) == ["/find?q=1", "/in", "/find"])
    #expect(network.routeOfExchange == [1, 0])
  }

  @Test func aFormWithAResponseHasNoRoute() throws {
    let forms = [
      ("GET", "http://portal.example/in"), ("POST", "http://portal.example/a"),
      ("POST", "http://portal.example/a?b=c"),
    ]
    #expect(try Self.network(forms).routes.count == 3)
  }

  @Test func theRouteSaysThatItIsNotRecorded() throws {
    let network = try Self.network([("POST", "https://[2001:db8::1]:8443/go?token=1")])
    let route = try #require(network.routes.first { $0.isUnsentForm })
    #expect(
      UnsentForm.lines(of: route).dropFirst(2).joined(separator: "\n") == """
            when: { listener: https, method: POST, host: "2001:db8::1", port: 8443, path: "/go" }
            respond: { status: 501, headers: ["Content-Type: text/html; charset=utf-8"], body: not-recorded.html }
        """)
  }
}
