import BundledPlugins
import FixtureReplay
import ProbeCore
import ProbePipeline
import Testing

/// Answers that refer to much to load and to run: a probe requests only its own URL.
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
  func whatAnAnswerNamesIsNotAskedFor(status: Int, type: String, body: String) async throws {
    let fixture = Fixture(
      name: "page",
      routes: [
        ReplayRoute(
          "page",
          answer: .respond(
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
      .policy(.plaintextAllowed).request { $0.timeout = .seconds(20) }
    let result = try await network.run(pipeline)
    #expect(result.portal != nil, "the answer was read: \(result.verdict)")
    #expect(network.journal.entries.map(\.request?.head.requestTarget) == ["/health"])
  }
}
