import BundledPlugins
import FixtureReplay
import ProbeCore
import Transports
import Testing

/// TLS on replayed TCP connections: from the start for `tls` URLs, and after STARTTLS.
@Suite struct ReplayedTLSTests {
  private static func route(
    _ id: String, _ receive: String?, port: String = "25", _ response: String, goto: String? = nil,
    state: String? = nil
  ) -> ReplayRoute {
    ReplayRoute(
      id, when: RouteCondition(state: state, listener: .tcp, port: port, receive: receive),
      response: .send(Array(response.utf8)), goto: goto)
  }

  private static var mail: Fixture {
    Fixture(
      name: "mail", initialState: "plain",
      routes: [
        route("greeting", nil, "220 ready\r\n"), route("mailbox", nil, port: "993", "* OK inside\r\n"),
        route("start", "STARTTLS", "220 go on\r\n", goto: "started", state: "plain"),
        route("hello", "EHLO *", "250 inside\r\n", state: "started"),
        route("bytes", "\u{16}\u{3}\u{1}*", port: "26", "an alert, perhaps\n"),
      ], tls: ["expired.example": .expired, "reset.example": .rst, "*": .valid])
  }

  private func probe(_ url: String, _ steps: [Dialog.Step]) async throws -> ProbeResponse {
    var options = ReplayOptions()
    options.authority = try TestAuthority.shared
    var fixture = Self.mail
    // A route for such bytes receives them on every connection of the network.
    if !url.hasSuffix(":26") { fixture.routes.removeLast() }
    let server = try ReplayServer([fixture], options: options)
    defer { server.stop() }
    var request = ProbeRequest(try ProbeURL(url))
    request.timeout = .seconds(600)
    request[Dialog.self] = steps.isEmpty ? nil : try Dialog(steps)
    let transports = try PluginRegistry.bundled.transports.routed(to: server)
    return try await Prober(transports, policy: .plaintextAllowed).probe(request)
  }

  private static let startTLS: [Dialog.Step] = [
    .expect("220 ready\r\n"), .send("STARTTLS\\r\\n"), .expect("220 go on\r\n"), .startTLS,
    .send("EHLO me\\r\\n"),
    .expect("250 inside\r\n"),
  ]

  @Test func aTLSURLIsGreetedInsideTLS() async throws {
    let response = try await probe("tls://imap.example:993", [.expect("* OK inside\r\n")])
    #expect(response.tls?.chain.first?.alternativeNames == ["imap.example"])
  }

  @Test func theDialogContinuesInsideTLS() async throws {
    let response = try await probe("tcp://mx.example:25", Self.startTLS)
    #expect(response.tls?.chain.first?.alternativeNames == ["mx.example"])
    #expect(String(decoding: response.body, as: UTF8.self) == "220 ready\r\n220 go on\r\n250 inside\r\n")
  }

  static let refused: [(url: String, steps: [Dialog.Step], reason: ReasonCode)] = [
    ("tls://expired.example:993", [], .certificateExpired), ("tls://reset.example:993", [], .connectReset),
    ("tcp://expired.example:25", startTLS, .certificateExpired),
    ("tcp://reset.example:25", startTLS, .connectReset),
  ]

  @Test(arguments: refused.indices) func theModeOfTheHostApplies(_ index: Int) async throws {
    let (url, steps, reason) = Self.refused[index]
    let failure = await #expect(throws: ProbeFailure.self) { try await probe(url, steps) }
    #expect(failure?.reason == reason, "\(url)")
  }

  @Test func aRouteThatMatchesSuchBytesReceivesThem() async throws {
    let failure = await #expect(throws: ProbeFailure.self) {
      try await probe("tcp://mx.example:26", [.startTLS])
    }
    #expect(failure?.reason == .notTLS)
  }
}
