import LoopbackServer
import ProbeCore
import TestSupport
import Testing

@testable import BlackboxExporter

/// The requests of an HTTP module.
@Suite struct HTTPRequestTests {
  private func request(
    _ adjust: (inout HTTPModule) throws -> Void
  ) async throws -> (report: ProbeReport, request: LoopbackRequest) {
    let server = try LoopbackServer.http { _ in .response() }
    let report = try await probeHTTP(server.url("/path?a=%2F&b"), adjust)
    #expect(report.succeeded, "\(report.story)")
    return (report, try #require(server.firstRequest))
  }

  @Test(arguments: ["GET", "POST", "HEAD", "OPTIONS"])
  func hasTheMethodAndThePath(_ method: String) async throws {
    let request = try await request { $0.method = method }.request
    #expect(request.method == method)
    #expect(request.target == "/path?a=%2F&b")
  }

  @Test func hasNoBrowserFields() async throws {
    let request = try await request { _ in }.request
    for name in ["Accept", "Accept-Encoding", "Cache-Control", "Pragma", "Authorization", "Cookie"] {
      #expect(request.header(name) == nil, "\(name)")
    }
    #expect(request.header("User-Agent")?.isEmpty == false)
  }

  @Test func hasBasicCredentials() async throws {
    let file = try TemporaryFile("from the file\n")
    let cases: [(ModuleText?, String)] = [
      (.text(Secret("open sesame")), "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
      // Without the line end of the file.
      (.file(file.path), "Basic QWxhZGRpbjpmcm9tIHRoZSBmaWxl"),
      (nil, "Basic QWxhZGRpbjo="),
    ]
    for (password, value) in cases {
      let request = try await request {
        $0.credentials = .basic(user: .text(Secret("Aladdin")), password: password)
      }.request
      #expect(request.header("Authorization") == value)
    }
  }

  @Test func hasATokenOrOtherCredentials() async throws {
    let file = try TemporaryFile(" token-of-a-file\n")
    let cases: [(String, ModuleText, String)] = [
      ("Bearer", .text(Secret("token")), "Bearer token"),
      ("Bearer", .file(file.path), "Bearer token-of-a-file"),
      ("ApiKey", .text(Secret("0123")), "ApiKey 0123"),
    ]
    for (scheme, credentials, value) in cases {
      let request = try await request {
        $0.credentials = .authorization(scheme: scheme, credentials: credentials)
      }.request
      #expect(request.header("Authorization") == value)
    }
  }

  @Test func aFieldOfTheModuleReplacesTheCredentials() async throws {
    let request = try await request {
      $0.credentials = .authorization(scheme: "Bearer", credentials: .text(Secret("token")))
      $0.headers.append(name: "authorization", value: "ApiKey 0123")
    }.request
    #expect(request.header("Authorization") == "ApiKey 0123")
    let other = try await self.request {
      $0.credentials = .authorization(scheme: "Bearer", credentials: .text(Secret("token")))
      $0.headers.append(name: "Authorization", value: "")
    }.request
    #expect(other.header("Authorization") == "Bearer token")
  }

  @Test func anUnreadableFileIsNamedInTheFailure() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let missing = ModuleText.file("/nonexistent/token")
    for adjust in [
      { $0.credentials = .authorization(scheme: "Bearer", credentials: missing) },
      { $0.credentials = .basic(user: .text(Secret("a")), password: missing) }, { $0.body = missing },
      { $0.tls.authorities = .file("/nonexistent/token") },
    ] as [(inout HTTPModule) -> Void] {
      let report = try await probeHTTP(server.url(), adjust)
      #expect(report.failure?.reason == .invalidRequest)
      #expect(report.failure?.detail.contains("/nonexistent/token") == true, "\(report.story)")
    }
    #expect(server.connectionCount == 0)
  }

  @Test func hasTheFieldsOfTheModule() async throws {
    let request = try await request {
      $0.headers = ["host": "site.example", "user-agent": "watcher/1.0", "Accept-Language": "de"]
    }.request
    #expect(request.header("Host") == "site.example")
    #expect(request.header("User-Agent") == "watcher/1.0")
    #expect(request.header("Accept-Language") == "de")
    let text = String(decoding: request.bytes, as: UTF8.self).lowercased()
    for name in ["host:", "user-agent:"] {
      #expect(text.components(separatedBy: "\r\n" + name) == 2, "\(name)")
    }
  }

  @Test func hasTheBodyOfTheModuleOrFile() async throws {
    let file = try TemporaryFile("some content\n")
    for (body, text) in [
      (ModuleText.text(Secret("some content")), "some content"), (.file(file.path), "some content\n"),
    ] {
      let request = try await request {
        $0.body = body
        $0.method = "POST"
      }.request
      #expect(request.body == Array(text.utf8))
    }
  }

  @Test(arguments: [
    ("http://", false, true), ("https://", true, true), ("HTTP://", false, true), ("HtTpS://", true, true),
    ("", false, true), ("invalid://", false, false),
  ])
  func theSchemeIsCaseInsensitive(_ scheme: String, _ isTLS: Bool, _ succeeds: Bool) async throws {
    let server = try LoopbackServer.http(tls: isTLS ? try TestAuthority.server() : nil) { _ in .response() }
    let report = try await probeHTTP(scheme + server.hostAndPort) {
      $0.tls.checks.observesCertificates = true
    }
    #expect(report.succeeded == succeeds, "\(report.story)")
    #expect(report.samples["probe_http_ssl"] == (isTLS ? 1 : 0))
    if !succeeds { #expect(server.connectionCount == 0) }
  }

  @Test(arguments: [
    "http://", "http://:80", "http://a b/", "http://127.0.0.1:99999/", "http://[::1", "http://2852039166/",
    "",
  ])
  func anInvalidURLIsAFailure(_ target: String) async throws {
    let report = try await probeHTTP(target)
    #expect(report.failure?.reason == .invalidRequest, "\(report.story)")
    #expect(report.samples["probe_http_status_code"] == 0)
  }
}

extension String {
  /// The number of the parts between the separators.
  fileprivate func components(separatedBy separator: String) -> Int { ranges(of: separator).count + 1 }
}
