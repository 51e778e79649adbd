import FoundationEssentials
import LoopbackDNS
import LoopbackServer
import ProbeTLS
import ProbeCore
import ProbeTesting
import Transports

/// Servers on loopback for every scenario of the bundled transports.
final class LoopbackScenarios {
  private var servers: [LoopbackServer] = []
  private var nameServers: [LoopbackDNS] = []
  private var datagramServers: [LoopbackDatagrams] = []
  private let context: ServerContext
  private let authority: URL

  init() throws {
    let made = try CertificateAuthority(name: "Conformance")
    context = try ServerContext(made.issue(LeafOptions(hosts: ["localhost"])))
    authority = FileManager.default.temporaryDirectory.appending(
      path: "probekit-conformance-\(UInt64.random(in: 0 ... .max)).pem")
    try Data(made.pem.utf8).write(to: authority)
  }

  deinit {
    for server in servers { server.stop() }
    try? FileManager.default.removeItem(at: authority)
  }

  func http() throws -> [TransportScenario] {
    try web(tls: nil) { [self] script in
      let server = try LoopbackServer(script: script)
      servers.append(server)
      return ProbeRequest(try ProbeURL("http://127.0.0.1:\(server.port)/"))
    } + [.refuses(ProbeRequest(try ProbeURL("http://127.0.0.1:\(LoopbackServer.refusedPort())/")))]
  }

  func https() throws -> [TransportScenario] {
    func secure(_ port: UInt16) throws -> ProbeRequest {
      var request = ProbeRequest(try ProbeURL("https://localhost:\(port)/"))
      request.connectTo = [ConnectTo(host: nil, port: nil, targetHost: "127.0.0.1", targetPort: port)]
      request.tls.additionalAuthorities = authority.path
      return request
    }
    let scenarios = try web(tls: context) { [self] script in
      let server = try LoopbackServer(tls: context, script: script)
      servers.append(server)
      return try secure(server.port)
    }
    return scenarios + [.refuses(try secure(try LoopbackServer.refusedPort()))]
  }

  func tcp() throws -> [TransportScenario] {
    try banners(tls: nil) { ProbeRequest(try ProbeURL("tcp://127.0.0.1:\($0)")) }
  }

  func tls() throws -> [TransportScenario] {
    try banners(tls: context) { [authority] port in
      var request = ProbeRequest(try ProbeURL("tls://localhost:\(port)"))
      request.connectTo = [ConnectTo(host: nil, port: nil, targetHost: "127.0.0.1", targetPort: port)]
      request.tls.additionalAuthorities = authority.path
      return request
    }
  }

  private func banners(
    tls: ServerContext?, _ makeRequest: (UInt16) throws -> ProbeRequest
  ) throws -> [TransportScenario] {
    func request(expecting text: String, _ script: @escaping LoopbackServer.Script) throws -> ProbeRequest {
      let server = try LoopbackServer(tls: tls, script: script)
      servers.append(server)
      var request = try makeRequest(server.port)
      request.timeout = .seconds(600)
      request.expectation = ClosureValidator { response in
        response.body == Array(text.utf8)
          ? .accepted : .rejected(.bodyMismatch, expected: text, found: "\(Excerpt(response.body))")
      }
      return request
    }
    let banners = try ["SSH-2.0-one\r\n", "220 two ESMTP\r\n"].map { banner in
      TransportScenario.responds(
        try request(expecting: banner) { connection in
          try connection.send(banner)
          connection.hold()
        }, with: banner)
    }
    return banners + [
      .neverResponds(try request(expecting: "never") { $0.hold() }),
      .endlessBody(
        try request(expecting: "never") { connection in
          while true { try connection.send([UInt8](repeating: 0x78, count: 4096)) }
        }),
      .refuses(try makeRequest(try LoopbackServer.refusedPort())),
    ]
  }

  func udp() throws -> [TransportScenario] {
    func request(_ port: UInt16, _ steps: [Dialog.Step]) throws -> ProbeRequest {
      var request = ProbeRequest(try ProbeURL("udp://127.0.0.1:\(port)"))
      request.timeout = .seconds(600)
      request[Dialog.self] = try Dialog(steps)
      return request
    }
    let echo = try LoopbackDatagrams { bytes, _ in [Array("got ".utf8) + bytes] }
    let silent = try LoopbackDatagrams { _, _ in [] }
    let endless = try LoopbackDatagrams { _, _ in
      [[UInt8]](repeating: [UInt8](repeating: 0x78, count: 4096), count: 40) + [Array("end".utf8)]
    }
    datagramServers += [echo, silent, endless]
    return [
      .responds(try request(echo.port, [.send("one"), .expect("got", maxBytes: 100)]), with: "got one"),
      .responds(
        try request(
          echo.port, [.send("a"), .expect("got", maxBytes: 100), .send("b"), .expect("b", maxBytes: 100)]),
        with: "got agot b"),
      .neverResponds(try request(silent.port, [.send("a"), .expect("b")])),
      .endlessBody(try request(endless.port, [.send("a"), .expect("end", maxBytes: 5000)])),
      .refuses(try request(try LoopbackServer.refusedPort(), [.send("a"), .expect("b")])),
    ]
  }

  func dns() throws -> [TransportScenario] {
    func request(_ port: UInt16) throws -> ProbeRequest {
      var request = ProbeRequest(try ProbeURL("dns://127.0.0.1:\(port)/a.example"))
      request.timeout = .seconds(600)
      return request
    }
    let one = try LoopbackDNS { [DNSMessage(to: $0).with(.address([192, 0, 2, 1])).bytes] }
    let two = try LoopbackDNS { question in
      let dnsAnswer = DNSMessage(to: question).with(.alias("b.example"))
      return [question.isTCP ? dnsAnswer.bytes : dnsAnswer.truncated.bytes]
    }
    let none = try LoopbackDNS { [DNSMessage(to: $0, code: 3).bytes] }
    let silent = try LoopbackDNS { _ in [] }
    nameServers += [one, two, none, silent]
    return [
      .responds(try request(one.address.port), with: "a.example.\t60\tIN\tA\t192.0.2.1\n"),
      .responds(try request(two.address.port), with: "a.example.\t60\tIN\tCNAME\tb.example.\n"),
      .responds(try request(none.address.port), with: ""),
      .neverResponds(try request(silent.address.port)),
      .refuses(try request(try LoopbackServer.refusedPort())),
    ]
  }

  func dnsTLS() throws -> [TransportScenario] {
    try encryptedDNS("dns+tls") { bytes in
      guard bytes.count > 1, bytes.count >= 2 + Int(bytes[0]) << 8 + Int(bytes[1]) else { return nil }
      return DNSQuestion(Array(bytes.dropFirst(2)))
    } wrap: {
      [UInt8($0.count >> 8), UInt8(truncatingIfNeeded: $0.count)] + $0
    }
  }

  func dnsHTTPS() throws -> [TransportScenario] {
    try encryptedDNS("dns+https") { bytes in
      DNSQuestion(LoopbackRequest(bytes).body)
    } wrap: { message in
      Array(
        "HTTP/1.1 200 OK\r\nContent-Type: application/dns-message\r\nContent-Length: \(message.count)\r\n\r\n"
          .utf8)
        + message
    }
  }

  private func encryptedDNS(
    _ scheme: String, question: @escaping @Sendable ([UInt8]) -> DNSQuestion?,
    wrap: @escaping @Sendable ([UInt8]) -> [UInt8]
  ) throws -> [TransportScenario] {
    func request(_ port: UInt16) throws -> ProbeRequest {
      var request = ProbeRequest(try ProbeURL("\(scheme)://localhost:\(port)/a.example"))
      request.timeout = .seconds(600)
      request.connectTo = [ConnectTo(host: nil, port: nil, targetHost: "127.0.0.1", targetPort: port)]
      request.tls.additionalAuthorities = authority.path
      return request
    }
    func servedRequest(_ dnsAnswer: (@Sendable (DNSQuestion) -> DNSMessage)?) throws -> ProbeRequest {
      let server = try LoopbackServer(tls: context) { connection in
        var bytes: [UInt8] = []
        var asked: DNSQuestion?
        while asked == nil {
          let more = try connection.read()
          // A probe that was cancelled asks nothing.
          guard !more.isEmpty else { return }
          bytes += more
          asked = question(bytes)
        }
        guard let dnsAnswer, let asked else { return connection.hold() }
        try connection.send(wrap(dnsAnswer(asked).bytes))
      }
      servers.append(server)
      return try request(server.port)
    }
    return [
      .responds(
        try servedRequest { DNSMessage(to: $0).with(.address([192, 0, 2, 1])) },
        with: "a.example.\t60\tIN\tA\t192.0.2.1\n"),
      .responds(
        try servedRequest { DNSMessage(to: $0).with(.alias("b.example")) },
        with: "a.example.\t60\tIN\tCNAME\tb.example.\n"),
      .responds(try servedRequest { DNSMessage(to: $0, code: 3) }, with: ""),
      .neverResponds(try servedRequest(nil)),
      .refuses(try request(try LoopbackServer.refusedPort())),
    ]
  }

  private func web(
    tls: ServerContext?, _ serve: (@escaping LoopbackServer.Script) throws -> ProbeRequest
  ) throws -> [TransportScenario] {
    /// A request with enough time for a loaded machine.
    func request(_ respond: @escaping LoopbackServer.Script) throws -> ProbeRequest {
      var request = try serve { connection in
        _ = try connection.readRequest()
        try respond(connection)
      }
      request.timeout = .seconds(600)
      return request
    }
    let piece = [UInt8](repeating: 0x78, count: 4096)
    return [
      .responds(try request { try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none") }, with: "one"),
      .responds(
        try request { connection in
          try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
          try connection.send("2\r\ntw\r\n1\r\no\r\n0\r\n\r\n")
        }, with: "two"),
      .responds(try request { try $0.send("HTTP/1.1 204 No Content\r\n\r\n") }, with: ""),
      .neverResponds(try request { $0.hold() }),
      .endlessBody(
        try request { connection in
          try connection.send("HTTP/1.1 200 OK\r\n\r\n")
          while true { try connection.send(piece) }
        }),
      .hugeHead(
        try request { connection in
          try connection.send("HTTP/1.1 200 OK\r\n")
          while true { try connection.send("X-Padding: " + String(repeating: "x", count: 1000) + "\r\n") }
        }),
      .redirects(
        try request { try $0.send("HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n") },
        to: "/login"),
    ]
  }
}
