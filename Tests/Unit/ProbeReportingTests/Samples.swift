import FoundationEssentials
import PortalAnalysis
import ProbeCore
import ProbePipeline

/// Sample results for reports.
enum Samples {
  /// Text from a hostile response: escape sequences, C1, DEL, NUL, bidirectional overrides, line breaks,
  /// quotes.
  static let hostile =
    "\u{1B}]0;owned\u{7}\u{1B}[2J\u{9B}31m\u{7F}\u{0}\u{202E}fdp\u{2066}\u{2028}\r\n\"\\</script>🙂\u{E0041}"

  static func url(_ text: String) throws -> ProbeURL { try ProbeURL(text) }

  static func online() throws -> RunResult {
    let response = ProbeResponse(
      url: try url("https://www.example.com/"), head: HTTPResponseHead(status: 204),
      remoteAddress: SocketAddress(IPAddress(v6: 0x2001_0db8 << 96 | 1), port: 443),
      timings: ProbeTimings(
        resolve: .microseconds(1234), connect: .milliseconds(10), tls: .milliseconds(20),
        firstByte: .milliseconds(30), total: .microseconds(61_500)))
    let set = SetResult(
      name: "example", threshold: .all,
      probes: [ProbeResult(url: "https://www.example.com/", outcome: .accepted, response: response)])
    return RunResult(
      pipeline: "office", verdict: .online, portal: nil,
      evidence: [Evidence(.accepted, "1 of 1 probes accepted", probes: ["https://www.example.com/"])],
      sets: [set],
      duration: .milliseconds(62))
  }

  static func portal() throws -> RunResult {
    let start = try url("http://captive.example/hotspot-detect.html")
    let login = try url("http://192.0.2.1/login?from=%C3%BC")
    let head = HTTPResponseHead(
      status: 302, reasonPhrase: "Found", fields: ["Location": login.string, "Server": "portal"])
    var redirected = ProbeResponse(
      url: start, head: head, redirects: RedirectHop(of: head, from: start).map { [$0] } ?? [],
      remoteAddress: SocketAddress(IPAddress(v4: 0xC000_0201), port: 80),
      timings: ProbeTimings(
        connect: .microseconds(400), firstByte: .milliseconds(2), total: .microseconds(2700)))
    var connection = ConnectionFacts()
    connection.aliases = ["captive.edge.example", "edge\u{1B}.example"]
    connection.attempts = [
      ConnectionAttempt(
        address: IPAddress(v6: 0x2001_0db8 << 96 | 1), ending: .failed(.connectUnreachable), began: .zero,
        ended: .milliseconds(1)),
      ConnectionAttempt(
        address: IPAddress(v4: 0xC000_0201), ending: .connected, began: .milliseconds(1),
        ended: .milliseconds(2)),
    ]
    redirected.connection = connection
    let portal = Portal(loginURL: login, source: .location)
    let sets = [
      SetResult(
        name: "plain", threshold: try .percent(50),
        probes: [
          ProbeResult(
            url: start.string, outcome: .intercepted, reason: .httpStatus,
            detail: "expected a 2xx status, found 302 Found, a redirect to \"http://192.0.2.1/login\"",
            response: redirected, analysis: ResponseAnalysis(.login, portal: portal)),
          ProbeResult(
            url: "http://gone.example/", outcome: .failed, reason: .connectTimeout,
            detail: "no answer in 5 s",
            response: ProbeResponse(
              url: try url("http://gone.example/"), timings: ProbeTimings(total: .seconds(5)))),
        ]),
      SetResult(
        name: "secure", threshold: try .count(1), required: false,
        probes: [ProbeResult(url: "https://www.example.com/", outcome: .skipped)]),
    ]
    return RunResult(
      pipeline: "built-in", verdict: .captivePortal, portal: portal,
      evidence: [
        Evidence(
          .portal, "http://captive.example/hotspot-detect.html was redirected to a login page",
          probes: [start.string]),
        Evidence(.failed, "1 probe failed: timeout.connect", probes: ["http://gone.example/"]),
      ],
      sets: sets, duration: .microseconds(5_012_345))
  }

  /// The WISPr message of a gateway.
  static func wispr() -> WISPrMessage {
    var message = WISPrMessage()
    (message.messageType, message.responseCode) = (.redirect, .noError)
    message.loginURL = "https://192.0.2.1/wispr?a=1&b=2"
    message.abortLoginURL = "http://192.0.2.1/abort"
    message.accessProcedure = "1.0"
    message.accessLocation = "isocc=us,cc=1, ac=408,network=ACME_Lobby"
    message.locationName = "ACME Hotel"
    message.replyMessage = "Welcome \u{202E}in\u{1B}[2J"
    return message
  }

  static func hostileResult() throws -> RunResult {
    let start = try url("https://probe.example/")
    let head = HTTPResponseHead(
      status: 302, reasonPhrase: hostile,
      fields: ["Location": "http://evil.example/\(hostile)", "X-\(hostile)": hostile])
    let certificate = CertificateFacts(
      subject: "CN=\(hostile)", issuer: "CN=Root \(hostile)", alternativeNames: ["probe.example", hostile],
      serialNumber: "01", notBefore: Date(timeIntervalSince1970: 1_700_000_000),
      notAfter: Date(timeIntervalSince1970: 1_800_000_000), fingerprint: String(repeating: "ab", count: 32))
    let response = ProbeResponse(
      url: start, head: head, body: Array("<html>\(hostile)".utf8) + [0xFF, 0x9B], bodyIsCut: true,
      redirects: RedirectHop(of: head, from: start).map { [$0] } ?? [],
      tls: TLSFacts(version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", chain: [certificate]))
    let probes = [
      ProbeResult(
        url: "https://probe.example/\(hostile)", outcome: .intercepted, reason: .httpStatus, detail: hostile,
        response: response, captures: ["name": hostile]),
      ProbeResult(
        url: "https://user:s3cret@probe.example/", outcome: .failed, reason: .invalidRequest,
        detail: "the URL contains credentials"),
    ]
    return RunResult(
      pipeline: hostile, verdict: .intercepted, portal: nil,
      evidence: [Evidence(.intercepted, hostile, probes: probes.map(\.url))],
      sets: [SetResult(name: hostile, threshold: try Threshold("33.3%"), probes: probes)],
      duration: .seconds(1))
  }

  /// A set of many probes: every tenth failed, every hundredth for another reason.
  static func many(_ count: Int) throws -> RunResult {
    let probes = try (0..<count).map { index in
      let url = try url("https://host\(index).example/generate_204")
      let response = ProbeResponse(
        url: url, head: HTTPResponseHead(status: 204),
        remoteAddress: SocketAddress(IPAddress(v4: 0xC000_0201), port: 443),
        timings: ProbeTimings(
          resolve: .microseconds(index), connect: .milliseconds(3), tls: .milliseconds(5),
          total: .milliseconds(9)))
      guard index % 10 == 0 else {
        return ProbeResult(url: url.string, outcome: .accepted, response: response)
      }
      return ProbeResult(
        url: url.string, outcome: .failed, reason: index % 100 == 0 ? .noSuchHost : .connectTimeout,
        detail: "it did not work")
    }
    let failed = probes.filter { $0.outcome == .failed }.map(\.url)
    return RunResult(
      pipeline: "many", verdict: .partial, portal: nil,
      evidence: [Evidence(.failed, "\(failed.count) probes failed", probes: failed)],
      sets: [SetResult(name: "hosts", threshold: try .percent(95), probes: probes)], duration: .seconds(75))
  }
}
