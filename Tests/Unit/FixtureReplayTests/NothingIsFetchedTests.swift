import BundledPlugins
import FixtureReplay
import ProbeCore
import ProbePipeline
import Testing

/// Responses that refer to files and scripts: a probe requests only its own URL, and the target of a redirect
/// only if nothing else decides what it is.
@Suite struct NothingIsFetchedTests {
  private static let page = """
    <html><head><meta http-equiv="refresh" content="0; url=http://page.example/refresh">
    <link rel="stylesheet" href="/style.css"><script src="/script.js"></script>
    <script>location.href = "/by-script"; new Image().src = "/by-image"; fetch("/by-fetch")</script></head>
    <body onload="document.forms[0].submit()"><img src="/image.png"><iframe src="/frame"></iframe>
    <form action="/log-in" method="post"><input name="password" type="password"></form></body></html>
    """
  private static let wispr = """
    <html><!-- <WISPAccessGatewayParam><Redirect><MessageType>100</MessageType><ResponseCode>0</ResponseCode>
    <LoginURL>https://page.example/wispr</LoginURL></Redirect></WISPAccessGatewayParam> --></html>
    """

  @Test(arguments: [
    (200, "text/html", page), (511, "text/html", page), (302, "text/html", page), (200, "text/html", wispr),
    (200, "application/captive+json", #"{"captive": true, "user-portal-url": "https://page.example/api"}"#),
  ])
  func urlsInAResponseAreNotRequested(status: Int, type: String, body: String) async throws {
    let fixture = Fixture(
      name: "page",
      routes: [
        ReplayRoute(
          "page",
          response: .respond(
            ComposedResponse(
              status: status,
              headers: [
                "Content-Type: \(type)", "Location: http://page.example/location",
                "Refresh: 0; url=/refresh",
                "Link: </link>; rel=preload",
              ],
              body: Array(body.utf8))))
      ])
    let network = try ReplayedNetwork(fixture, with: .bundled)
    let health = ClosureValidator { .rejectedBody(of: $0, expected: "the word of a healthy shop") }
    let pipeline = Pipeline("shop") { ProbeSet("shop", "http://shop.example/health").validate(health) }
      .policy(.plaintextAllowed).request { $0.timeout = .seconds(600) }
    let result = try await network.run(pipeline)
    #expect(result.portal != nil, "the answer was read: \(result.verdict)")
    // The body of a redirect is not shown, so its target decides; what the body names is not requested.
    let requested = status == 302 ? ["/health", "/location"] : ["/health"]
    #expect(network.journal.entries.map(\.request?.head.requestTarget) == requested)
  }

  @Test func aRedirectAloneIsFollowedOnceAndInsideTheReplay() async throws {
    let redirect = ComposedResponse(
      status: 302, headers: ["Location: http://gate.example/p?from=shop"], body: [])
    let page = ComposedResponse(
      status: 200, headers: ["Content-Type: text/html"], body: Array(Self.page.utf8))
    let fixture = Fixture(
      name: "page",
      routes: [
        ReplayRoute("page", when: RouteCondition(host: "gate.example"), response: .respond(page)),
        ReplayRoute("probe", response: .respond(redirect)),
      ])
    let network = try ReplayedNetwork(fixture, with: .bundled)
    let health = ClosureValidator { .rejectedBody(of: $0, expected: "the word of a healthy shop") }
    let pipeline = Pipeline("shop") {
      ProbeSet("shop", "http://a.example/health", "http://b.example/health").validate(health)
    }
    .policy(.plaintextAllowed).request { $0.timeout = .seconds(600) }
    let result = try await network.run(pipeline)
    #expect(result.verdict == .captivePortal)
    #expect(result.evidence.contains { $0.summary.contains("the page at") }, "\(result.evidence)")
    let targets = network.journal.entries.compactMap(\.request?.head.requestTarget)
    #expect(targets.sorted() == ["/health", "/health", "/p?from=shop"])
  }
}
