import LoopbackServer
import ProbeTLS
import ProbeCore
import TestSupport
import Testing

@testable import Transports

private let transport = TCPTransport()

/// The step `starttls`: the handshake within a dialog, and the data that must not precede it.
@Suite struct StartTLSTests {
  private static let mail: [Dialog.Step] = [
    .expect(.matches("^220 .*\r\n")), .send("STARTTLS\\r\\n"), .expect(.matches("^220 (?<words>.*)\r\n")),
    .startTLS,
    .send("EHLO probe.test\\r\\n"), .expect(.matches("(?m)^250 .*\r\n")),
  ]

  /// A mail server that sends this in response to STARTTLS.
  private func server(
    _ context: ServerContext, response: String = "220 go on\r\n", piece: Int = 1000
  ) throws -> LoopbackServer {
    try LoopbackServer { connection in
      try connection.sendSlowly(Array("220 mx.test ESMTP\r\n".utf8), piece: piece, every: .milliseconds(1))
      guard try connection.readLine() == "STARTTLS\r\n" else { return connection.reset() }
      try connection.sendSlowly(Array(response.utf8), piece: piece, every: .milliseconds(1))
      try connection.startTLS(context)
      guard try connection.readLine() == "EHLO probe.test\r\n" else { return connection.reset() }
      try connection.send("250-mx.test\r\n250 AUTH PLAIN\r\n")
    }
  }

  private func failure(of request: ProbeRequest) async throws -> ProbeFailure {
    let failure = await #expect(throws: ProbeFailure.self) { _ = try await transport.probe(request) }
    return try #require(failure)
  }

  @Test(arguments: [1, 5, 1000]) func theDialogContinuesInsideTLS(_ piece: Int) async throws {
    let server = try server(SecureServers.shared.context(), piece: piece)
    let request = try SecureServers.shared.request(.tcp, server, Self.mail)
    try transport.check(request)
    let response = try await transport.probe(request)
    #expect(response.tls?.chain.first?.alternativeNames == ["localhost"])
    #expect(response.timings.tls.map { $0 > .zero } == true)
    #expect(response.captures == ["words": "go on"])
    #expect(
      response.body
        == Array("220 mx.test ESMTP\r\n220 go on\r\n250-mx.test\r\n250 AUTH PLAIN\r\n".utf8))
  }

  @Test(arguments: RefusedCertificate.all)
  func aRefusedCertificateHasTheSameReasonAsInHTTPS(_ refused: RefusedCertificate) async throws {
    let server = try server(SecureServers.shared.context(refused.leaf))
    let failure = try await failure(of: try SecureServers.shared.request(.tcp, server, Self.mail))
    #expect(failure.reason == refused.reason)
    #expect(failure.detail.hasPrefix("step 4 (starttls): "))
    let partial = try #require(failure.partial)
    #expect(partial.tls?.chain.isEmpty == false && partial.timings.tls == nil)
    #expect(partial.body == Array("220 mx.test ESMTP\r\n220 go on\r\n".utf8))
    #expect(partial.captures == ["words": "go on"])
  }

  /// An attacker on the path appends responses to those of the server, to have them read as if they were
  /// received inside TLS.
  @Test(arguments: ["250 injected\r\n", "2", "\r\n"])
  func injectedDataFailsTheProbe(_ injected: String) async throws {
    let server = try server(SecureServers.shared.context(), response: "220 go on\r\n\(injected)")
    let failure = try await failure(of: try SecureServers.shared.request(.tcp, server, Self.mail))
    #expect(failure.reason == .tlsInjected)
    #expect(
      failure.detail
        == "step 4 (starttls): unencrypted data that no step expects arrived before TLS: \(Excerpt(injected))"
    )
    #expect(failure.partial?.tls == nil)
  }

  /// Data that arrives too late to be detected before the handshake is not a TLS record.
  @Test func injectedDataInItsOwnSegmentFailsTheProbe() async throws {
    let server = try server(
      SecureServers.shared.context(), response: "220 go on\r\n250 injected\r\n", piece: 11)
    let failure = try await failure(of: try SecureServers.shared.request(.tcp, server, Self.mail))
    #expect([.tlsInjected, .notTLS].contains(failure.reason), "\(failure)")
  }

  /// The limit of an expect does not hide further data.
  @Test func injectedDataBeyondALimitFailsTheProbe() async throws {
    let server = try server(SecureServers.shared.context(), response: "220 go on\r\n250 injected\r\n")
    var steps = Self.mail
    steps[2] = .expect("220 go on\r\n", maxBytes: 11)
    let failure = try await failure(of: try SecureServers.shared.request(.tcp, server, steps))
    #expect([.tlsInjected, .notTLS].contains(failure.reason), "\(failure)")
  }

  @Test func injectedDataBehindATunnelFailsTheProbe() async throws {
    let proxy = try LoopbackServer { connection in
      if try connection.readRequest().isEmpty { return }
      try connection.send("HTTP/1.1 200 OK\r\n\r\n220 go on\r\n250 injected\r\n")
      try connection.startTLS(SecureServers.shared.context())
    }
    var request = try SecureServers.shared.request(
      .tcp, proxy, [.expect("220 go on\r\n", maxBytes: 11), .startTLS])
    request.connectTo = []
    request.proxy = try ProbeProxy("http://127.0.0.1:\(proxy.port)")
    #expect(try await failure(of: request).reason == .tlsInjected)
  }

  @Test func aServerThatContinuesInPlaintextIsReported() async throws {
    let server = try LoopbackServer { connection in
      try connection.send("220 mx.test\r\n")
      _ = try connection.readLine()
      try connection.send("220 go on\r\n")
      _ = try connection.read()
      try connection.send("500 what?\r\n")
      connection.hold()
    }
    let failure = try await failure(of: try SecureServers.shared.request(.tcp, server, Self.mail))
    #expect(failure.reason == .notTLS)
    #expect(failure.detail == "step 4 (starttls): the server does not use TLS")
  }

  @Test func aServerThatClosesInsteadOfAHandshakeIsReported() async throws {
    let server = try LoopbackServer { connection in
      try connection.send("220 mx.test\r\n")
      _ = try connection.readLine()
      try connection.send("220 go on\r\n")
      connection.shutdownWrite()
      connection.hold()
    }
    let failure = try await failure(of: try SecureServers.shared.request(.tcp, server, Self.mail))
    #expect(failure.reason == .tlsHandshake)
  }

  @Test func silenceDuringTheHandshakeIsATimeout() async throws {
    let server = try LoopbackServer { $0.hold() }
    let failure = try await withGrowingLimit(
      from: .milliseconds(600), while: { (failure: ProbeFailure) in failure.reason == .connectTimeout }
    ) { limit in
      var request = try SecureServers.shared.request(.tcp, server, [.startTLS])
      request.timeout = limit
      return try await self.failure(of: request)
    }
    #expect(failure.reason == .tlsTimeout)
    #expect(failure.detail.hasPrefix("step 1 (starttls): "))
  }

  @Test func cancellingEndsTheHandshake() async throws {
    let (reached, reach) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      _ = try connection.read()
      reach.yield()
      connection.hold()
    }
    let request = try SecureServers.shared.request(.tcp, server, [.startTLS])
    let probe = Task { try await failure(of: request) }
    for await _ in reached { break }
    probe.cancel()
    #expect(try await probe.value.reason == .cancelled)
  }

  @Test func startTLSIsRefusedOnATLSConnection() throws {
    var request = ProbeRequest(try ProbeURL("tls://mail.example:993"))
    request[Dialog.self] = try Dialog([.expect("* OK"), .startTLS])
    #expect(
      throws: InvalidInput(
        "step 2: starttls: a tls connection is encrypted from the start",
        remedy: "remove the step, or use a tcp URL"
      ).about("dialog")
    ) { try transport.check(request) }
  }

  @Test func aSecretBeforeTheHandshakeIsRefused() throws {
    let password = Dialog.Step.send(secret: .environment("PASSWORD"))
    let mistake = #expect(throws: InvalidDialog.self) {
      try Dialog([.send("AUTH "), password, .expect("a"), password, .startTLS, password])
    }
    #expect(
      mistake?.description
        == "step 2: send: a secret before starttls is sent unencrypted: move it after the starttls step\n"
        + "step 4: send: a secret before starttls is sent unencrypted: move it after the starttls step")
    var request = ProbeRequest(try ProbeURL("tcp://mail.example:25"))
    request.otherSecrets = [Secret("s3cret"), Secret("go")]
    request[Dialog.self] = try Dialog([.send("go"), .startTLS, .send("AUTH s3cret\\r\\n")])
    try transport.check(request)
    request[Dialog.self] = try Dialog([.expect("a"), .send("AUTH s3cret\\r\\n"), .startTLS])
    #expect(
      throws: InvalidInput(
        "step 2: send: a secret before starttls is sent unencrypted",
        remedy: "move it after the starttls step"
      ).about("dialog")
    ) { try transport.check(request) }
  }

  /// However the bytes are segmented, unconsumed bytes before the handshake are detected.
  @Test func noByteBeforeTheHandshakeIsOverlooked() throws {
    let dialog = try Dialog([.expect(.matches("(?m)^220 .*\r\n")), .startTLS, .expect("x")])
    for pieces in Array("220-a\r\n220 b\r\nx".utf8).cuts {
      let limits = Conversation.Limits(timeout: .seconds(5), maxBody: 100)
      var conversation = Conversation(
        dialog.script, limits, response: ProbeResponse(url: try ProbeURL("tcp://h.test:1")))
      let failure = #expect(throws: ProbeFailure.self) {
        for piece in pieces where !piece.isEmpty {
          _ = try conversation.next(at: .zero)
          conversation.receive(piece, at: .zero)
        }
        var action = try conversation.next(at: .zero)
        while case .receive = action {
          conversation.timePassed()
          action = try conversation.next(at: .zero)
        }
      }
      #expect(failure?.reason == .tlsInjected, "\(pieces)")
    }
  }
}
