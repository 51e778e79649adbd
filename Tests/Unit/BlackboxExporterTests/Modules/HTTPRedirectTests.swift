import LoopbackServer
import ProbeCore
import Testing

@testable import BlackboxExporter

/// How an HTTP module follows redirects.
@Suite struct HTTPRedirectTests {
  private static func redirect(to location: String, status: Int = 302) -> LoopbackResponse {
    .response(status, headers: [(name: "Location", value: location)], body: "elsewhere")
  }

  @Test func redirectsAreFollowed() async throws {
    let server = try LoopbackServer.http { request in
      request.target == "/" ? Self.redirect(to: "/end") : .response(body: "end")
    }
    let report = try await probeHTTP(server.url())
    #expect(report.succeeded, "\(report.story)")
    #expect(report.samples["probe_http_redirects"] == 1)
    #expect(report.samples["probe_http_status_code"] == 200)
    #expect(report.samples["probe_http_uncompressed_body_length"] == 3)
  }

  @Test func redirectsAreNotFollowedIfDisabled() async throws {
    let server = try LoopbackServer.http { _ in Self.redirect(to: "/end") }
    let report = try await probeHTTP(server.url()) { module in
      module.followsRedirects = false
      module.statusCodes = [302]
    }
    #expect(report.succeeded, "\(report.story)")
    #expect(server.requests.count == 1)
    #expect(report.samples["probe_http_status_code"] == 302)
    // Go's client counts it, and does not read the body of a redirect.
    #expect(report.samples["probe_http_redirects"] == 1)
    #expect(report.samples["probe_http_content_length"] == 9)
    #expect(report.samples["probe_http_uncompressed_body_length"] == 0)
  }

  @Test func theEleventhRedirectIsTheResponse() async throws {
    let server = try LoopbackServer.http { request in
      let number = Int(request.target.dropFirst()) ?? 0
      return Self.redirect(to: "/\(number + 1)")
    }
    let report = try await probeHTTP(server.url())
    #expect(!report.succeeded)
    #expect(report.samples["probe_http_status_code"] == 302)
    #expect(report.samples["probe_http_redirects"] == 11)
    #expect(server.requests.map { LoopbackRequest($0).target } == ["/"] + (1...10).map { "/\($0)" })
    #expect(report.failure?.reason == .httpStatus, "\(report.story)")
  }

  @Test func theTenthRedirectIsFollowed() async throws {
    let server = try LoopbackServer.http { request in
      let number = Int(request.target.dropFirst()) ?? 0
      return number == 10 ? .response() : Self.redirect(to: "/\(number + 1)")
    }
    let report = try await probeHTTP(server.url())
    #expect(report.succeeded, "\(report.story)")
    #expect(report.samples["probe_http_redirects"] == 10)
  }

  @Test func aMissingLocationIsNotARedirect() async throws {
    let server = try LoopbackServer.http { _ in .response(302, body: "nowhere") }
    let report = try await probeHTTP(server.url()) { $0.statusCodes = [302] }
    #expect(report.succeeded, "\(report.story)")
    #expect(report.samples["probe_http_redirects"] == 0)
    #expect(report.samples["probe_http_uncompressed_body_length"] == 7)
  }

  @Test(arguments: ["http://[broken/", "mailto:a@example.com"])
  func aLocationThatCannotBeRequestedIsAFailure(_ location: String) async throws {
    let server = try LoopbackServer.http { _ in Self.redirect(to: location) }
    let report = try await probeHTTP(server.url()) { $0.statusCodes = [302] }
    #expect(report.failure?.reason == .httpRedirect, "\(report.story)")
    // Go's client returns no response in this case.
    #expect(report.samples["probe_http_status_code"] == 0)
    #expect(report.samples["probe_http_redirects"] == 1)
  }

  @Test func anUnreachableRedirectTargetIsAFailureWithoutAResponse() async throws {
    let location = "http://127.0.0.1:\(try LoopbackServer.refusedPort())/"
    let server = try LoopbackServer.http { _ in Self.redirect(to: location) }
    let report = try await probeHTTP(server.url()) { $0.statusCodes = [302] }
    #expect(report.failure?.reason == .connectRefused, "\(report.story)")
    #expect(report.samples["probe_http_status_code"] == 0)
    #expect(report.samples["probe_http_redirects"] == 1)
  }

  @Test func cookiesAreKeptDuringAProbe() async throws {
    let server = try LoopbackServer.http { request in
      guard request.target == "/" else { return .response() }
      return .response(
        302,
        headers: [
          (name: "Location", value: "/end"), (name: "Set-Cookie", value: "session=first; Max-Age=3600"),
        ])
    }
    // A second probe starts without cookies.
    for _ in 0..<2 { #expect(try await probeHTTP(server.url()).succeeded) }
    let cookies = server.requests.map { LoopbackRequest($0).header("Cookie") }
    #expect(cookies == [nil, "session=first", nil, "session=first"])
  }

  @Test func aRedirectToTLSUsesTheNameOfTheNewServer() async throws {
    let secure = try LoopbackServer.http(tls: try TestAuthority.server()) { _ in .response() }
    let location = secure.secureURL
    let server = try LoopbackServer.http { _ in Self.redirect(to: location) }
    let report = try await probeHTTP(server.url()) { $0.tls.authorities = try TestAuthority.pem }
    #expect(report.succeeded, "\(report.story)")
    #expect(secure.serverNames == ["localhost"])
    #expect(report.samples["probe_http_ssl"] == 1)
    #expect(report.samples["probe_http_redirects"] == 1)
  }

  @Test func theHostOfTheModuleAppliesOnlyToTheTarget() async throws {
    let other = try LoopbackServer.http { _ in .response() }
    let location = other.url("/end")
    let server = try LoopbackServer.http { request in
      Self.redirect(to: request.target == "/" ? "/next" : location)
    }
    let report = try await probeHTTP(server.url()) { $0.headers.append(name: "Host", value: "site.example") }
    #expect(report.succeeded, "\(report.story)")
    #expect(LoopbackRequest(server.requests[0]).header("Host") == "site.example")
    #expect(other.firstRequest?.header("Host") == "127.0.0.1:\(other.port)")
  }
}
