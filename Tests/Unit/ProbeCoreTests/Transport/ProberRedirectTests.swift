import ProbeCore
import Testing

@Suite struct ProberRedirectTests {
  @Test func withoutRedirectsTheFirstResponseCounts() async throws {
    let transport = RecordingTransport(redirects: ["http://h/": "/next"])
    let response = try await transport.probe("http://h/")
    #expect(response.status == 302)
    #expect(response.redirects.map(\.target?.string) == ["http://h/next"])
    #expect(transport.urls == ["http://h/"])
  }

  @Test func followsUpToTheLimit() async throws {
    let transport = RecordingTransport(
      redirects: ["http://h/": "/1", "http://h/1": "2", "http://h/2": "//g/3"], taking: .milliseconds(10))
    let response = try await transport.probe("http://h/") { $0.redirects = 3 }
    #expect(response.url.string == "http://g/3")
    #expect(response.status == 200)
    #expect(response.redirects.map(\.url.string) == ["http://h/", "http://h/1", "http://h/2"])
    #expect(response.timings.total == .milliseconds(40))
    let failure = try await transport.failure("http://h/") { $0.redirects = 2 }
    #expect(
      failure?.description == "http.tooManyRedirects: more than 2 redirects; the last one to http://g/3")
    #expect(failure?.partial?.redirects.count == 3)
    #expect(failure?.partial?.timings.total == .milliseconds(30))
  }

  @Test func aLoopIsRecordedHopByHop() async throws {
    let transport = RecordingTransport(redirects: ["http://h/": "http://h/"])
    let failure = try await transport.failure("http://h/") { $0.redirects = 4 }
    #expect(failure?.reason == .tooManyRedirects)
    #expect(failure?.partial?.redirects.count == 5)
    #expect(transport.seen.count == 5)
  }

  @Test(
    arguments: [
      (["file:///etc/passwd"], "the redirect's target \"file:///etc/passwd\" is not a URL"),
      (["about:blank"], "the redirect's target \"about:blank\" is not a URL"),
      (["http://["], "the redirect's target \"http://[\" is not a URL"),
      (["http://h:99999/"], "the redirect's target \"http://h:99999/\" is not a URL"),
      (["ftp://g/"], "the redirect's target has the scheme ftp, not http or https"),
      (["http://g/1", "http://g/2"], "the redirect has several Location fields that differ"),
      (["http://g/1", "http://g/1"], nil), (["http://g/"], nil), ([], nil), ([""], nil),
    ] as [([String], String?)])
  func aStrictRedirectHasOneTarget(_ locations: [String], _ problem: String?) async throws {
    let transport = RecordingTransport { request in
      let isFirst = request.url.host == "h" && request.url.path == "/2"
      let fields = request.url.path == "/1" ? ["/2"] : isFirst ? locations : []
      return ProbeResponse(
        url: request.url,
        head: HTTPResponseHead(
          status: request.url.host == "h" ? 302 : 200,
          fields: HeaderFields(fields.map { (name: "Location", value: $0) })))
    }
    // As the first and as the second redirect, followed or not.
    for (path, redirects) in [("/2", 0), ("/2", 5), ("/1", 5)] {
      let failure = try await transport.failure("http://h\(path)") {
        $0.redirects = redirects
        $0.strictRedirects = true
      }
      #expect(failure?.detail == problem)
      #expect(failure?.reason == problem.map { _ in .httpRedirect })
      #expect(failure?.partial?.status == problem.map { _ in 302 })
    }
    let lenient = try await transport.failure("http://h/2") { $0.redirects = 0 }
    #expect(lenient == nil)
  }

  /// Clients follow any of several Location fields that differ, or none; a probe follows none, unless it is to be like
  /// Go's client.
  @Test(arguments: [(["/1", "/2"], false, 302), (["/1", "/2"], true, 200), (["/1", "/1"], false, 200)])
  func anAmbiguousRedirectIsNotFollowed(_ locations: [String], _ followsFirst: Bool, _ status: Int)
    async throws
  {
    let transport = RecordingTransport { request in
      let isFirst = request.url.path == "/"
      let fields = HeaderFields(isFirst ? locations.map { (name: "Location", value: $0) } : [])
      return ProbeResponse(
        url: request.url, head: HTTPResponseHead(status: isFirst ? 302 : 200, fields: fields))
    }
    let response = try await transport.probe("http://h/") {
      $0.redirects = 5
      $0.followsFirstLocation = followsFirst
    }
    #expect(response.status == status)
    #expect(response.redirects.first?.isAmbiguous == (Set(locations).count > 1))
    #expect(
      status == 200
        || response.head?.statusForDisplay == "302, a redirect with several Location fields that differ")
  }

  /// The certificates of every server remain known, and those of a failure.
  @Test func theSessionsOfRedirectsAreKept() async throws {
    let transport = RecordingTransport { request in
      let next = ["a": "https://b/", "b": "http://c/", "c": "https://d/", "e": "https://f/"][request.url.host]
      if request.url.host == "d" { throw ProbeFailure(.tlsHandshake, "no") }
      return ProbeResponse(
        url: request.url,
        head: HTTPResponseHead(status: 302, fields: next.map { ["Location": $0] } ?? [:]),
        tls: request.url.scheme == .https ? TLSFacts(version: request.url.host) : nil)
    }
    let response = try await transport.probe("https://e/") { $0.redirects = 1 }
    #expect(response.redirectSessions.map(\.tls.version) == ["e"] && response.tls?.version == "f")
    let failure = try await transport.failure("https://a/") {
      $0.redirects = 5
      $0.policy = .plaintextAllowed
    }
    #expect(failure?.partial?.redirectSessions.map(\.tls.version) == ["a", "b"])
    #expect(failure?.partial?.redirectSessions.map(\.url.string) == ["https://a/", "https://b/"])
  }

  @Test func aStrictRedirectWithoutALocationIsAResponse() async throws {
    let transport = RecordingTransport(redirects: ["http://h/": ""])
    let response = try await transport.probe("http://h/") {
      $0.redirects = 3
      $0.strictRedirects = true
    }
    #expect(response.status == 302)
    #expect(transport.urls == ["http://h/"])
  }

  @Test func eachHopHasTheRemainingTime() async throws {
    let transport = RecordingTransport(
      redirects: ["http://h/": "/1", "http://h/1": "/2", "http://h/2": "/3"], taking: .seconds(1))
    _ = try await transport.probe("http://h/") {
      $0.redirects = 3
      $0.timeout = .seconds(5)
    }
    #expect(transport.seen.map(\.timeout) == [.seconds(5), .seconds(4), .seconds(3), .seconds(2)])
    let failure = try await transport.failure("http://h/") {
      $0.redirects = 3
      $0.timeout = .seconds(2)
    }
    #expect(failure?.description == "timeout.total: no time left to follow the redirect to http://h/2")
    #expect(failure?.partial?.redirects.count == 2)
  }

  @Test func timeIsMeasuredIfTheTransportReportsNone() async throws {
    let transport = RecordingTransport(redirects: ["http://h/": "/1"])
    _ = try await transport.probe("http://h/") { $0.redirects = 1 }
    #expect(transport.seen[1].timeout < transport.seen[0].timeout)
  }

  static let methods: [(status: Int, method: String, becomes: String)] = [
    (301, "GET", "GET"), (302, "GET", "GET"), (301, "POST", "GET"), (302, "POST", "GET"),
    (303, "POST", "GET"),
    (303, "PUT", "GET"), (303, "HEAD", "HEAD"), (301, "PUT", "PUT"), (302, "HEAD", "HEAD"),
    (307, "POST", "POST"),
    (308, "POST", "POST"),
  ]

  @Test(arguments: methods)
  func methodsChangeAccordingToRFC9110(status: Int, method: String, becomes: String) async throws {
    let transport = RecordingTransport(redirects: ["http://h/": "/1"], status: status)
    _ = try await transport.probe("http://h/") {
      $0.redirects = 1
      $0.http.method = method
      $0.http.body = [1]
      $0.http.headers = ["content-type": "text/plain", "X-Own": "kept"]
    }
    #expect(transport.seen[1].http.method == becomes)
    let keepsBody = method == becomes
    #expect((transport.seen[1].http.body != nil) == keepsBody)
    #expect((transport.seen[1].http.headers["Content-Type"] != nil) == keepsBody)
    #expect(transport.seen[1].http.headers["X-Own"] == "kept")
  }

  static let origins: [(location: String, keeps: Bool)] = [
    ("/1", true), ("http://H:80/1", true), ("http://g/", false), ("http://h:81/", false),
    ("https://h/", false),
    ("https://h:80/", false),
  ]

  @Test(arguments: origins)
  func credentialsStayWithTheirOrigin(location: String, keeps: Bool) async throws {
    let transport = RecordingTransport(redirects: ["http://h/": location])
    _ = try await transport.probe("http://h/") {
      $0.redirects = 1
      $0.http.headers = [
        "authorization": "secret", "COOKIE": "secret", "Proxy-Authorization": "secret", "Host": "other",
        "Accept": "*/*",
      ]
    }
    let names = transport.seen[1].http.headers.map(\.name)
    #expect(
      names == (keeps ? ["authorization", "COOKIE", "Proxy-Authorization", "Host", "Accept"] : ["Accept"]))
  }

  @Test func credentialsDoNotComeBack() async throws {
    let transport = RecordingTransport(redirects: ["http://h/": "http://g/", "http://g/": "http://h/2"])
    _ = try await transport.probe("http://h/") {
      $0.redirects = 2
      $0.http.headers = ["Authorization": "secret"]
    }
    #expect(transport.seen.map { $0.http.headers.count } == [1, 0, 0])
  }

  /// Everything that contains a secret is sent only to its origin.
  @Test(arguments: origins)
  func otherSecretsStayWithTheirOrigin(location: String, keeps: Bool) async throws {
    let transport = RecordingTransport(redirects: ["http://h/?a=s3cret": location], status: 307)
    _ = try await transport.probe("http://h/?a=s3cret") {
      $0.redirects = 1
      $0.otherSecrets = [Secret("s3cret"), Secret("")]
      $0.http.method = "POST"
      $0.http.headers = ["X-Own": "key s3cret", "Content-Type": "text/plain", "Accept": "*/*"]
      $0.http.body = Array("pin=s3cret".utf8)
      $0.http.userAgent = "probe s3cret"
    }
    let http = transport.seen[1].http
    #expect(http.headers.map(\.name) == (keeps ? ["X-Own", "Content-Type", "Accept"] : ["Accept"]))
    #expect(http.userAgent == (keeps ? "probe s3cret" : HTTPRequestOptions().userAgent))
    #expect(http.body == (keeps ? Array("pin=s3cret".utf8) : nil))
  }

  /// A server that copies the query of a URL into a redirect does not pass on a secret in it.
  @Test(arguments: [
    ("http://g/?a=s3cret+key", false), ("http://g/s3cret%20key", false),
    ("http://g/?next=http%3A%2F%2Fh%2F%3Fa%3Ds3cret%2520key", false), ("http://g/?a=other", true),
    ("http://h/?a=s3cret%20key", true),
  ])
  func aTargetWithASecretIsNotRequested(_ location: String, isFollowed: Bool) async throws {
    let transport = RecordingTransport(redirects: ["http://h/": location])
    let response = try await transport.probe("http://h/") {
      $0.redirects = 3
      $0.otherSecrets = [Secret("s3cret key")]
    }
    #expect(transport.seen.count == (isFollowed ? 2 : 1))
    #expect(response.status == (isFollowed ? 200 : 302))
  }

  @Test(arguments: [
    "javascript:x", "file:///etc/passwd", "file://h/x", "gopher://h/", "own://h/", "http://a b/",
  ])
  func aRedirectThatCannotBeFollowedIsTheResponse(_ location: String) async throws {
    let transport = RecordingTransport(redirects: ["http://h/": "/1", "http://h/1": location])
    let response = try await transport.probe("http://h/") { $0.redirects = 5 }
    #expect(response.status == 302)
    #expect(response.url.string == "http://h/1")
    #expect(response.redirects.map(\.location) == ["/1", location])
  }

  @Test(arguments: [
    "tcp://h:22", "tls://h:993", "udp://h:53", "dns://h/a.example", "dns+tls://h/a.example",
    "dns+https://h/a.example", "icmp://h",
  ])
  func aRedirectToAnotherProtocolIsAResponse(_ location: String) async throws {
    let schemes: [URLScheme] = [.http, .tcp, .tls, .udp, .dns, .dnsTLS, .dnsHTTPS, .icmp]
    let transport = RecordingTransport(Dictionary(uniqueKeysWithValues: schemes.map { ($0, .plaintext) })) {
      ProbeResponse(url: $0.url, head: HTTPResponseHead(status: 302, fields: ["Location": location]))
    }
    let response = try await transport.probe("http://h/") { $0.redirects = 5 }
    #expect(response.status == 302)
    #expect(transport.urls == ["http://h/"])
  }

  @Test func missingLocation() async throws {
    let transport = RecordingTransport { ProbeResponse(url: $0.url, head: HTTPResponseHead(status: 302)) }
    let response = try await transport.probe("http://h/") { $0.redirects = 5 }
    #expect(response.redirects.map(\.target) == [nil])
  }

  @Test func failuresKeepThePreviousRedirects() async throws {
    let transport = RecordingTransport { request in
      guard request.url.path == "/1" else {
        return ProbeResponse(
          url: request.url, head: HTTPResponseHead(status: 302, fields: ["Location": "/1"]),
          timings: ProbeTimings(total: .seconds(1)))
      }
      let partial = ProbeResponse(url: request.url, timings: ProbeTimings(total: .seconds(2)))
      throw ProbeFailure(.connectReset, "reset", partial: request.maxBody == 0 ? nil : partial)
    }
    let failure = try await transport.failure("http://h/") { $0.redirects = 1 }
    #expect(failure?.reason == .connectReset)
    #expect(failure?.partial?.url.path == "/1")
    #expect(failure?.partial?.redirects.map(\.location) == ["/1"])
    #expect(failure?.partial?.timings.total == .seconds(3))
    let bare = try await transport.failure("http://h/") {
      $0.redirects = 1
      $0.maxBody = 0
    }
    #expect(bare?.partial?.status == 302)
  }

  @Test func redirectsRecordedByATransportAreNotRepeated() async throws {
    let transport = RecordingTransport { request in
      let head = HTTPResponseHead(status: 302, fields: ["Location": "/1"])
      let hop = RedirectHop(of: head, from: request.url)
      return ProbeResponse(url: request.url, head: head, redirects: hop.map { [$0] } ?? [])
    }
    #expect(try await transport.probe("http://h/").redirects.count == 1)
  }
}

@Suite struct ProberErrorTests {
  struct Odd: Error, CustomStringConvertible {
    let description = "odd\u{1B}[2J"
  }

  @Test func otherErrorsBecomeFailures() async throws {
    let odd = try await RecordingTransport { _ in throw Odd() }.failure("http://h/")
    #expect(odd?.description == "transport.failure: odd\\x1b[2J")
    let cancelled = try await RecordingTransport { _ in throw CancellationError() }.failure("http://h/")
    #expect(cancelled?.reason == .cancelled)
  }

  @Test func cancellationWithAnyError() async throws {
    let transport = RecordingTransport { _ in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      throw Odd()
    }
    #expect(try await Task { try await transport.failure("http://h/") }.value?.reason == .cancelled)
  }

  @Test func aCancelledProbeSendsNothingMore() async throws {
    let transport = RecordingTransport { request in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return ProbeResponse(url: request.url, head: HTTPResponseHead(status: 302, fields: ["Location": "/1"]))
    }
    let failure = try await Task { try await transport.failure("http://h/") { $0.redirects = 1 } }.value
    #expect(failure?.reason == .cancelled)
    #expect(failure?.partial?.status == 302)
    #expect(transport.seen.count == 1)
  }
}
