import FoundationEssentials
import LoopbackServer
import ProbeCore
import Testing

/// The credentials in a request.
@Suite(.eachClient) struct CredentialsTests {
  private static let cases: [(HTTPCredentials, String)] = [
    (.bearer(Secret("abc.DEF-_~+/=")), "Bearer abc.DEF-_~+/="),
    // The example of RFC 7617 §2.
    (.basic(user: "Aladdin", password: Secret("open sesame")), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
    (.basic(user: "test", password: Secret("123£")), "Basic dGVzdDoxMjPCow=="),
    (.basic(user: "", password: Secret("")), "Basic Og=="),
    (.authorization(Secret("ApiKey 0123, more")), "ApiKey 0123, more"),
  ]

  @Test(arguments: cases)
  func credentialsAreSentWithoutAChallenge(_ credentials: HTTPCredentials, _ value: String) async throws {
    let server = try LoopbackServer.http { _ in .response() }
    _ = try await transport.probe(try request(server.url()) { $0.http.credentials = credentials })
    #expect(server.requests.map { LoopbackRequest($0).header("Authorization") } == [value])
  }

  @Test func credentialsAreNotSentToAnotherOrigin() async throws {
    let other = try LoopbackServer.http { _ in .response(body: "ok") }
    let location = other.url("/elsewhere")
    let server = try LoopbackServer.http { request in
      request.target == "/"
        ? .response(302, headers: [(name: "Location", value: "/again")])
        : .response(302, headers: [(name: "Location", value: location)])
    }
    var transports = TransportRegistry()
    try transports.register(transport)
    let probe = try request(server.url()) {
      $0.redirects = 5
      $0.http.credentials = .bearer(Secret("token"))
    }
    let response = try await Prober(transports, policy: .plaintextAllowed).probe(probe)
    #expect(response.url.string == location)
    #expect(
      server.requests.map { LoopbackRequest($0).header("Authorization") } == ["Bearer token", "Bearer token"])
    #expect(other.requests.map { LoopbackRequest($0).header("Authorization") } == [nil])
  }

  @Test(arguments: [
    (HTTPCredentials.bearer(Secret("two words")), "the bearer token is empty or contains"),
    (.bearer(Secret("")), "the bearer token is empty"),
    (.bearer(Secret("line\r\nX: y")), "the bearer token is empty or contains"),
    (
      .authorization(Secret("ApiKey 1\r\nX: y")),
      "the value of the Authorization field is empty or has a char"
    ),
    (.authorization(Secret("")), "the value of the Authorization field is empty"),
    (.authorization(Secret("ApiKey 1 ")), "the value of the Authorization field is empty or has a character"),
    (.basic(user: "a:b", password: Secret("p")), "the user name of the basic credentials has a colon"),
    (.basic(user: "a\n", password: Secret("p")), "the user name of the basic credentials contains a control"),
    (
      .basic(user: "a", password: Secret("p\r\n")), "the password of the basic credentials contains a control"
    ),
  ])
  func unsendableCredentialsAreRefused(_ credentials: HTTPCredentials, _ words: String) throws {
    let bad = try request("https://example.com/") { $0.http.credentials = credentials }
    let error = #expect(throws: InvalidInput.self) { try transport.check(bad) }
    #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: ["Authorization", "AUTHORIZATION"])
  func anAuthorizationFieldWithCredentialsIsRefused(_ name: String) throws {
    let bad = try request("https://example.com/") {
      $0.http.credentials = .bearer(Secret("token"))
      $0.http.headers.append(name: name, value: "Basic x")
    }
    let error = #expect(throws: InvalidInput.self) { try transport.check(bad) }
    #expect(error?.message == "the header field Authorization cannot be combined with credentials")
  }
}
