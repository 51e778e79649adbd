import BundledPlugins
import Foundation
import LoopbackServer
import ProbeTLS
import ProbeCore
import ProbeTesting
import Testing

/// The byte-stream transports from the guides and the ByteStreams catalog, run against servers on loopback.
@Suite struct OwnProtocolTests {
  @Test func aFingerServerIsProbed() async throws {
    let servers = FingerServers()
    var plugins = try PluginRegistry.bundled
    try plugins.register(FingerTransport())
    var request = try servers.responding
    // The URL has no port: it is 79 by default, and routed to the server.
    let rule = try ConnectTo("mill.example:79:127.0.0.1:\(try #require(request.url.port))")
    request.url = try ProbeURL("finger://mill.example/ada")
    request.connectTo = [rule]
    let response = try await Prober(plugins.transports, policy: .plaintextAllowed).probe(request)
    #expect(response.body == Array("Login: ada\r\nNo plan.\r\n".utf8))
    #expect(response.timings.connect != nil && response.timings.firstByte != nil)
    #expect(response.connection?.attempts.map(\.ending) == [.connected])
    withExtendedLifetime(servers) {}
  }

  @Test func theFingerTransportConforms() async throws {
    let servers = FingerServers()
    let reports = try await TransportConformance(
      FingerTransport(), scenarios: try servers.scenarios, patience: .seconds(60)
    ).verify()
    // The protocol has neither heads nor redirects.
    #expect(reports.flatMap { $0.notChecked.map(\.rule) } == [.transportRedirect, .transportMaxHead])
    withExtendedLifetime(servers) {}
  }

  @Test func noURLCanContainALineBreak() throws {
    #expect(throws: InvalidInput.self) { try ProbeURL("finger://mill.example/ada\r\nbob") }
    #expect(try ProbeURL("finger://mill.example/ada%0D%0Abob").path == "/ada%0D%0Abob")
  }

  @Test func aNewsServerIsProbed() async throws {
    let servers = try NewsServers()
    let request = try servers.request { connection in
      try connection.send("201 news.example\r\n")
      _ = try connection.read()
      try connection.send("101 Capabilities:\r\nVERSION 2\r\n.\r\n205 Bye\r\n")
    }
    let response = try await NewsTransport().probe(request)
    #expect(response.body == Array("101 Capabilities:\r\nVERSION 2\r\n.\r\n205 Bye\r\n".utf8))
    #expect(response.tls?.chain.isEmpty == false)
    withExtendedLifetime(servers) {}
  }

  @Test func aNewsServerThatRefusesServiceIsAFailure() async throws {
    let servers = try NewsServers()
    let request = try servers.request { try $0.send("400 come back later\r\n") }
    let failure = await #expect(throws: ProbeFailure.self) { try await NewsTransport().probe(request) }
    #expect(failure?.reason == .bodyMismatch)
    #expect(failure?.detail == #"the server greets with "400 come back later""#)
    #expect(failure?.partial?.tls?.chain.isEmpty == false)
    withExtendedLifetime(servers) {}
  }

  @Test func theNewsTransportConforms() async throws {
    let servers = try NewsServers()
    let reports = try await TransportConformance(
      NewsTransport(), scenarios: try servers.scenarios, patience: .seconds(60)
    ).verify()
    #expect(reports.flatMap { $0.notChecked.map(\.rule) } == [.transportRedirect, .transportMaxHead])
    withExtendedLifetime(servers) {}
  }
}

/// Finger servers.
private final class FingerServers {
  private var servers: [LoopbackServer] = []

  deinit {
    for server in servers { server.stop() }
  }

  private func request(
    to path: String = "/", _ respond: @escaping @Sendable (String, LoopbackConnection) throws -> Void
  ) throws -> ProbeRequest {
    let server = try LoopbackServer { connection in
      var question: [UInt8] = []
      while !question.contains(UInt8(ascii: "\n")) {
        let more = try connection.read()
        // The client has disconnected.
        if more.isEmpty { return }
        question += more
      }
      try respond(String(decoding: question, as: UTF8.self), connection)
    }
    servers.append(server)
    var request = ProbeRequest(try ProbeURL("finger://127.0.0.1:\(server.port)\(path)"))
    request.timeout = .seconds(600)
    return request
  }

  var responding: ProbeRequest {
    get throws {
      try request(to: "/ada") { question, connection in
        let user = question.dropLast()
        try connection.send("Login: \(user)\r\nNo plan.\r\n")
      }
    }
  }

  var scenarios: [TransportScenario] {
    get throws {
      let everybody = try request { question, connection in
        try connection.send(question == "\r\n" ? "ada\r\nbob\r\n" : "no such user\r\n")
      }
      let endless = try request { _, connection in
        while true { try connection.send([UInt8](repeating: 0x78, count: 4096)) }
      }
      return [
        .responds(try responding, with: "Login: ada\r\nNo plan.\r\n"),
        .responds(everybody, with: "ada\r\nbob\r\n"),
        .neverResponds(try request { _, connection in connection.hold() }),
        .endlessBody(endless),
        .refuses(ProbeRequest(try ProbeURL("finger://127.0.0.1:\(LoopbackServer.refusedPort())/"))),
      ]
    }
  }
}

/// News servers inside TLS.
private final class NewsServers {
  private var servers: [LoopbackServer] = []
  private let authority: CertificateAuthority
  private let context: ServerContext

  init() throws {
    authority = try CertificateAuthority(name: "News")
    context = try ServerContext(authority.issue(LeafOptions(hosts: ["news.example"])))
  }

  deinit {
    for server in servers { server.stop() }
  }

  private func request(port: UInt16) throws -> ProbeRequest {
    var request = ProbeRequest(try ProbeURL("nntps://news.example/"))
    request.connectTo = [try ConnectTo("news.example:563:127.0.0.1:\(port)")]
    request.tls.onlyAuthorities = Array(authority.pem.utf8)
    request.timeout = .seconds(600)
    return request
  }

  func request(_ script: @escaping LoopbackServer.Script) throws -> ProbeRequest {
    let server = try LoopbackServer(tls: context, script: script)
    servers.append(server)
    return try request(port: server.port)
  }

  var scenarios: [TransportScenario] {
    get throws {
      let responses = try ["101 one\r\n.\r\n", "101 two\r\n.\r\n"].map { text in
        TransportScenario.responds(
          try request { connection in
            try connection.send("200 ready\r\n")
            _ = try connection.read()
            try connection.send(text)
          }, with: text)
      }
      let endless = try request { connection in
        try connection.send("200 ready\r\n")
        while true { try connection.send([UInt8](repeating: 0x78, count: 4096)) }
      }
      return responses + [
        .neverResponds(try request { $0.hold() }),
        .endlessBody(endless),
        .refuses(try request(port: try LoopbackServer.refusedPort())),
      ]
    }
  }
}
