import ProbeCore
import ProbeHTTPWire
import Testing

@testable import ProbeServer

/// The interpretation of requests, and their routing to handlers.
@Suite struct HTTPRoutesTests {
  static func request(_ text: String) throws -> HTTPServiceRequest {
    var reader = BufferedRequestReader(maximumHead: 1000, maximumBody: 1000)
    reader.receive(Array(text.utf8))
    guard case .request(let wire) = try reader.next() else { throw InvalidInput("no request") }
    return try HTTPServiceRequest(wire)
  }

  private static func request(target: String) throws -> HTTPServiceRequest {
    try request("GET \(target) HTTP/1.1\r\nHost: localhost:80\r\n\r\n")
  }

  @Test func aTargetHasPartsAndParameters() throws {
    let request = try Self.request(target: "/v1/a%2Fb/%c3%a4/?x=1&y=a%20b+c%2B&z")
    #expect(request.path == ["v1", "a/b", "ä"])
    #expect(request.query.map(\.name) == ["x", "y", "z"])
    #expect(request.query.map(\.value) == ["1", "a b c+", ""])
    #expect(try Self.request(target: "/").path.isEmpty)
    let absolute = try Self.request(target: "http://localhost:81/a?b")
    #expect(absolute.path == ["a"])
    #expect(absolute.hosts == ["localhost", "localhost"])
  }

  @Test(arguments: ["/%", "/%4", "/%zz", "/%ff", "*", "/a?%f"])
  func invalidTargetsAreRefused(_ target: String) {
    let failure = #expect(throws: HTTPServiceFailure.self) { try Self.request(target: target) }
    #expect(failure?.status == 400)
  }

  @Test func fieldsAreFoundInAnyCase() throws {
    let request = try Self.request("GET / HTTP/1.1\r\nHost: x\r\nAuthorization:  Bearer a \r\n\r\n")
    #expect(request.field("authorization") == "Bearer a")
    #expect(request.field("cookie") == nil)
  }

  @Test func thePathAndTheMethodDetermineTheHandler() async throws {
    var routes = HTTPRoutes()
    func handler(_ name: String) -> HTTPRoutes.Handler {
      { _, parts throws(HTTPServiceFailure) in
        HTTPServiceResponse(contentType: "text/plain", body: Array("\(name) \(parts)".utf8))
      }
    }
    routes.add("GET", "/v1", handler("overview"))
    routes.add("GET", "/v1/states/*", handler("get"))
    routes.add("PUT", "/v1/states/*", handler("put"))
    func text(_ method: String, _ target: String) async throws -> String {
      let request = try Self.request("\(method) \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
      return String(decoding: try await routes.response(to: request).body, as: UTF8.self)
    }
    #expect(try await text("GET", "/v1/") == "overview []")
    #expect(try await text("GET", "/v1/states/a%20b") == #"get ["a b"]"#)
    #expect(try await text("HEAD", "/v1/states/x") == #"get ["x"]"#)
    #expect(try await text("PUT", "/v1/states/x") == #"put ["x"]"#)
    let wrongPath = await #expect(throws: HTTPServiceFailure.self) { try await text("GET", "/v2") }
    #expect(wrongPath?.status == 404)
    let wrongMethod = await #expect(throws: HTTPServiceFailure.self) {
      try await text("POST", "/v1/states/x")
    }
    #expect(wrongMethod?.status == 405)
    #expect(wrongMethod?.fields == ["Allow: GET, PUT"])
    #expect(wrongMethod?.remedy == "use GET or PUT")
  }

  @Test(arguments: [
    ("127.0.0.1", "localhost", true), ("127.0.0.1", "LOCALHOST:8089", true),
    ("127.0.0.1", "127.0.0.1:1", true),
    ("127.0.0.1", "[::1]:80", true), ("127.0.0.1", "evil.example", false), ("127.0.0.1", "127.0.0.2", false),
    ("127.0.0.2", "127.0.0.2", true), ("127.0.0.1", "localhost.evil.example:80", false),
    ("::1", "[::1]", true), ("::1", "evil.example", false), ("192.0.2.1", "evil.example", true),
  ])
  func onLoopbackOnlyLocalHostsAreAllowed(_ address: String, _ host: String, _ isAllowed: Bool) throws {
    let rule = HostRule(for: try #require(IPAddress(address)))
    let request = try Self.request("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    #expect(rule.failure(of: request)?.status == (isAllowed ? nil : 421))
    // The host of an absolute target counts as well (RFC 9112 §3.2.2).
    let absolute = try Self.request("GET http://\(host)/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(rule.failure(of: absolute)?.status == (isAllowed ? nil : 421))
    #expect(HostRule.any.failure(of: request) == nil)
  }
}
