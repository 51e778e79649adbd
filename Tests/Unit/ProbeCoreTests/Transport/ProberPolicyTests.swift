import ProbeCore
import Synchronization
import Testing

@Suite struct ProberPolicyTests {
  static func accepting(_ schemes: [URLScheme: Encryption]) -> RecordingTransport {
    RecordingTransport(schemes) { ProbeResponse(url: $0.url, head: HTTPResponseHead(status: 200)) }
  }

  @Test func plainURLsAreRefusedForEveryTransport() async throws {
    for scheme in ["http", "tcp", "own"] {
      let transport = Self.accepting([URLScheme(scheme): .plaintext])
      let failure = try await transport.failure("\(scheme)://h:1/", policy: .httpsOnly)
      #expect(
        failure?.description
          == "policy.plaintext: \(scheme) is not encrypted, and the policy is HTTPS-only: allow it with --allow-http, "
          + "or in a pipeline with policy: { https: optional }")
      #expect(transport.seen.isEmpty, "nothing is sent")
      _ = try await transport.probe("\(scheme)://h:1/", policy: .plaintextAllowed)
    }
  }

  @Test func encryptedURLsAreAllowed() async throws {
    for scheme in ["https", "own"] {
      let transport = Self.accepting([URLScheme(scheme): .encrypted])
      #expect(try await transport.probe("\(scheme)://h:1/", policy: .httpsOnly).status == 200)
    }
  }

  /// The policy does not apply to other programs, but redirects to a check or from a check are not followed.
  @Test func checksAreAllowedButNotTheirPlainRedirects() async throws {
    let transport = Self.accepting([.check: .unknown])
    #expect(try await transport.probe("check://check_ssh", policy: .httpsOnly).status == 200)

    let away = RecordingTransport([.check: .unknown, .http: .plaintext]) { request in
      ProbeResponse(
        url: request.url, head: HTTPResponseHead(status: 302, fields: ["Location": "http://plain/"]))
    }
    let failure = try await away.failure("check://check_ssh", policy: .httpsOnly) { $0.redirects = 1 }
    #expect(failure?.reason == .plaintext)
    #expect(away.urls == ["check://check_ssh"])
  }

  @Test(arguments: [ProbePolicy.httpsOnly, .plaintextAllowed])
  func redirectsToChecksAreNotFollowed(_ policy: ProbePolicy) async throws {
    let transport = RecordingTransport([.https: .encrypted, .check: .unknown]) { request in
      ProbeResponse(
        url: request.url, head: HTTPResponseHead(status: 302, fields: ["Location": "check://check_ssh"]))
    }
    if policy.httpsOnly {
      let failure = try await transport.failure("https://h/", policy: policy) { $0.redirects = 3 }
      #expect(failure?.reason == .downgrade)
    } else {
      #expect(try await transport.probe("https://h/", policy: policy) { $0.redirects = 3 }.status == 302)
    }
    #expect(transport.urls == ["https://h/"])
  }

  @Test func unknownSchemesAreNamed() async throws {
    let failure = try await Self.accepting([.https: .encrypted, .http: .plaintext]).failure("gopher://h/")
    #expect(failure?.description == "request.invalid: the scheme gopher is unknown: use one of http, https")
  }

  @Test func theTransportChecksFirst() async throws {
    let transport = Self.accepting([.https: .encrypted])
    let failure = try await transport.failure("https://h/") { $0.maxBody = -1 }
    #expect(failure?.description == "request.invalid: a body cannot be that short")
    #expect(transport.seen.isEmpty)
  }

  @Test func aTransportDoesNotCheckARequestTwice() async throws {
    /// Responds to requests that were checked, and counts the checks.
    final class Counting: CheckedTransport {
      let schemes: [URLScheme: Encryption] = [.https: .encrypted]
      let checks = Atomic(0)

      func check(_ request: ProbeRequest) throws(InvalidInput) {
        checks.add(1, ordering: .relaxed)
        if request.maxBody < 0 { throw InvalidInput("a body cannot be that short") }
      }

      func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
        try refuseInvalid(request)
        return try await probe(checked: request)
      }

      func probe(checked request: ProbeRequest) async throws -> ProbeResponse {
        ProbeResponse(url: request.url, head: HTTPResponseHead(status: 204))
      }
    }
    let transport = Counting()
    var transports = TransportRegistry()
    try transports.register(transport)
    var request = ProbeRequest(try ProbeURL("https://a/"))
    #expect(try await Prober(transports).probe(request).status == 204)
    #expect(transport.checks.load(ordering: .relaxed) == 1)
    request.maxBody = -1
    await #expect(throws: ProbeFailure(.invalidRequest, "a body cannot be that short")) {
      try await Prober(transports).probe(request)
    }
    await #expect(throws: ProbeFailure(.invalidRequest, "a body cannot be that short")) {
      try await transport.probe(request)
    }
  }

  @Test(arguments: [0, 3], ["http://plain/", "gopher://h/", "file://h/x", "HTTP:\\\\plain"])
  func downgradesEndTheProbe(redirects: Int, location: String) async throws {
    let transport = RecordingTransport(redirects: ["https://h/": location])
    let failure = try await transport.failure("https://h/", policy: .httpsOnly) { $0.redirects = redirects }
    #expect(failure?.reason == .downgrade)
    #expect(failure?.partial?.status == 302)
    #expect(failure?.partial?.redirects.map(\.location) == [location])
    #expect(transport.urls == ["https://h/"], "the plain URL is never requested")
  }

  /// The policy of a request replaces that of the prober, for its URL and for its redirects.
  @Test func aRequestCanHaveItsOwnPolicy() async throws {
    let transport = RecordingTransport(redirects: ["https://h/": "http://plain/"])
    func failure(_ url: String, _ prober: ProbePolicy, _ own: ProbePolicy) async throws -> ReasonCode? {
      try await transport.failure(url, policy: prober) {
        $0.redirects = 1
        $0.policy = own
      }?.reason
    }
    #expect(try await failure("https://h/", .plaintextAllowed, .httpsOnly) == .downgrade)
    #expect(try await failure("http://plain/", .plaintextAllowed, .httpsOnly) == .plaintext)
    let allowed = try await transport.probe("https://h/", policy: .httpsOnly) {
      $0.redirects = 1
      $0.policy = .plaintextAllowed
    }
    #expect(allowed.url.string == "http://plain/")
  }

  @Test func aLaterDowngradeKeepsThePreviousRedirects() async throws {
    let transport = RecordingTransport(redirects: ["https://h/": "https://g/", "https://g/": "http://plain/"])
    let failure = try await transport.failure("https://h/", policy: .httpsOnly) { $0.redirects = 5 }
    #expect(failure?.reason == .downgrade)
    #expect(
      failure?.detail == "an encrypted exchange was redirected to http://plain/, and the policy is HTTPS-only"
    )
    #expect(failure?.partial?.redirects.map(\.url.string) == ["https://h/", "https://g/"])
    #expect(transport.urls == ["https://h/", "https://g/"])
  }

  @Test func downgradesAreAllowedWithoutThePolicy() async throws {
    let transport = RecordingTransport(redirects: ["https://h/": "http://plain/"])
    #expect(try await transport.probe("https://h/") { $0.redirects = 1 }.url.string == "http://plain/")
  }

  @Test func downgradesFollowedByATransportAreFound() async throws {
    let (start, plain) = (try ProbeURL("https://h/"), try ProbeURL("http://plain/"))
    let hop = RedirectHop(url: start, status: 302, location: plain.string, target: plain)
    let back = RedirectHop(url: plain, status: 302, location: start.string, target: start)
    let ways: [(end: ProbeURL, redirects: [RedirectHop])] = [
      (plain, [hop]), (start, [hop, back]), (start, [back]), (plain, []),
    ]
    for way in ways {
      let transport = RecordingTransport { _ in
        ProbeResponse(url: way.end, head: HTTPResponseHead(status: 200), redirects: way.redirects)
      }
      let failure = try await transport.failure("https://h/", policy: .httpsOnly)
      #expect(failure?.reason == .downgrade)
      #expect(failure?.partial?.redirects == way.redirects)
    }
  }

  @Test func downgradesInAFailureAreFound() async throws {
    let transport = RecordingTransport { request in
      throw ProbeFailure(
        .bodyShort, "cut",
        partial: ProbeResponse(
          url: request.url, head: HTTPResponseHead(status: 302, fields: ["Location": "http://plain/"])))
    }
    let refused = try await transport.failure("https://h/", policy: .httpsOnly)
    #expect(refused?.reason == .downgrade)
    let failure = try await transport.failure("https://h/")
    #expect(failure?.reason == .bodyShort)
    #expect(failure?.partial?.redirects.map(\.location) == ["http://plain/"])
  }

  @Test func aRedirectThatCannotBeFollowedIsNotADowngrade() async throws {
    for location in ["javascript:alert(1)", "file:///etc/passwd", "http://"] {
      let transport = RecordingTransport(redirects: ["https://h/": location])
      let response = try await transport.probe("https://h/", policy: .httpsOnly) { $0.redirects = 1 }
      #expect(response.redirects.map(\.target) == [nil])
    }
  }
}
