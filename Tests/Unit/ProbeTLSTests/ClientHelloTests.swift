import ProbeCore
import ProbeTLS
import TestClients
import Testing

@Suite struct ClientHelloTests {
  /// The first message of an OpenSSL client.
  private func realHello(
    host: String?, versions: ClosedRange<TLSVersion> = .v1_2 ... .v1_3
  ) throws -> [UInt8] {
    let options = MemoryClient.Options(host: host, versions: versions, protocols: ["h2", "http/1.1"])
    let client = try MemoryClient(trust: TrustStore(authorities: []), options: options)
    _ = try client.step()
    return client.takeOutput()
  }

  private func hello(_ bytes: [UInt8]) throws -> ClientHello? {
    let reader = try ClientHelloReader()
    reader.receive(bytes)
    return try reader.read()
  }

  /// The error for bytes that are not a ClientHello, and the response to them.
  private func failure(_ bytes: [UInt8]) throws -> (error: TLSError?, output: [UInt8]) {
    let reader = try ClientHelloReader()
    reader.receive(bytes)
    let error = #expect(throws: TLSError.self) { try reader.read() }
    #expect(throws: TLSError.self, "and it stays so") { try reader.read() }
    return (error, reader.takeOutput())
  }

  @Test(arguments: [TLSVersion.v1_0, .v1_2, .v1_3])
  func theServerNameIsReadInEveryVersion(version: TLSVersion) throws {
    let bytes = try realHello(host: "Login.Example", versions: version...version)
    #expect(try hello(bytes)?.serverName == "login.example")
  }

  @Test func theServerNameIsOptional() throws {
    #expect(try hello(realHello(host: nil)) == hello(HelloBytes().records()))
    #expect(try hello(realHello(host: nil))?.serverName == nil)
    #expect(try hello(realHello(host: "192.0.2.1"))?.serverName == nil)
  }

  @Test func aHelloIsReadByteByByte() throws {
    let bytes = try realHello(host: "a.example")
    let reader = try ClientHelloReader()
    for byte in bytes.dropLast() {
      reader.receive([byte])
      #expect(try reader.read() == nil)
    }
    reader.receive([bytes[bytes.count - 1]])
    #expect(try reader.read()?.serverName == "a.example")
    // The reader only peeks: there is nothing to send, and another read has the same result.
    #expect(try reader.read()?.serverName == "a.example")
    #expect(reader.takeOutput().isEmpty)
  }

  @Test func aHelloInManyRecordsIsRead() throws {
    let hello = HelloBytes.asking(for: Array("a.example".utf8))
    #expect(try self.hello(hello.records(of: 7))?.serverName == "a.example")
  }

  @Test func theHandshakeStartsWithTheSameBytes() throws {
    let authority = try CertificateAuthority()
    let client = try MemoryClient(
      trust: TrustStore(authorities: [authority]), options: .init(host: "a.example"))
    _ = try client.step()
    let bytes = client.takeOutput()
    #expect(try hello(bytes)?.serverName == "a.example")
    let identity = try authority.issue(LeafOptions(hosts: ["a.example"]))
    let session = try TLSSession(ServerContext(identity))
    session.receive(bytes.span)
    #expect(try session.handshake() == .needsInput)
    client.receive(session.takeOutput())
    try client.handshake(with: session)
    #expect(session.serverName == "a.example")
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", "CONNECT a.example:443 HTTP/1.1\r\n\r\n",
    "SSH-2.0-OpenSSH_9.2\r\n", "\0\0\0\0\0\0\0\0\0\0\0",
  ])
  func nonTLSIsReported(text: String) throws {
    let (error, output) = try failure(Array(text.utf8))
    #expect(error?.code == .handshakeFailed)
    #expect(error?.handshakeFailure?.isNotTLS == true)
    #expect(output.isEmpty)
  }

  @Test func theSSL2FormatIsRefused() throws {
    // Length with the top bit set, CLIENT-HELLO, version, lengths of ciphers, session and challenge.
    let body: [UInt8] = [1, 3, 1, 0, 3, 0, 0, 0, 16, 0, 0, 0x2F] + [UInt8](repeating: 9, count: 16)
    let (error, output) = try failure([0x80, UInt8(body.count)] + body)
    #expect(error?.message == "the ClientHello has the form of SSL 2.0")
    #expect(output.suffix(2) == [2, 70], "protocol_version, fatal")
  }

  @Test(arguments: [
    [], [0], [0, 0], [0, 4, 0, 0], [0, 4, 0, 0, 2, 97], [0, 4, 0, 0, 0, 97], [0, 9, 0, 0, 1, 97],
    [0, 4, 1, 0, 1, 97], [0, 8, 0, 0, 1, 97, 0, 0, 1, 98], [0, 5, 0, 0, 1, 97, 98],
  ])
  func malformedServerNameListsAreRefused(content: [UInt8]) throws {
    let (error, output) = try failure(HelloBytes.withServerName(content: content).records())
    #expect(error?.message == "the ClientHello's server_name extension is malformed")
    #expect(output == [21, 3, 3, 0, 2, 2, 50] || output == [21, 3, 1, 0, 2, 2, 50], "\(output)")
  }

  @Test(arguments: [
    "", ".", "a..b", ".a", "a.", "a b", "a\0.example", "\0", "ä.example", "192.0.2.1", "2001:db8::1",
    "*.example",
    "a/b", String(repeating: "a", count: 64), String(repeating: "a.", count: 126) + "bc", "1", "a.2",
  ])
  func invalidServerNamesAreIgnored(name: String) throws {
    let hello = try hello(HelloBytes.asking(for: Array(name.utf8)).records())
    #expect(hello == (try self.hello(HelloBytes().records())))
  }

  @Test(arguments: [
    "a", "xn--4ca.example", "_srv.a-b.example", "a.2b", String(repeating: "a", count: 63),
    String(repeating: "a.", count: 126) + "b",
  ])
  func validServerNamesAreRead(name: String) throws {
    #expect(try hello(HelloBytes.asking(for: Array(name.utf8)).records())?.serverName == name)
  }

  @Test func malformedHellosAreRefused() throws {
    let message = HelloBytes().message
    let record = { (bytes: [UInt8]) in [22, 3, 1] + HelloBytes.number(bytes.count, bytes: 2) + bytes }
    // A wrong length, another message, a leading alert, an oversized record.
    let short = [1] + HelloBytes.number(3, bytes: 3) + message[4..<7]
    for bytes in [
      record(short), record([2] + message.dropFirst()), [21, 3, 1, 0, 2, 2, 40], [22, 3, 1, 255, 255],
    ] {
      let (error, _) = try failure(bytes)
      #expect(error?.code == .handshakeFailed)
      #expect(error?.handshakeFailure?.isNotTLS == false, "\(error as Any)")
    }
  }

  @Test func overlongHellosAreRefused() throws {
    let padding = HelloBytes(extensions: [(21, [UInt8](repeating: 0, count: 60_000))])
    #expect(try hello(padding.records()) != nil)
    let reader = try ClientHelloReader()
    let tooMuch = HelloBytes(extensions: (0..<2).map { _ in (21, [UInt8](repeating: 0, count: 32_000)) })
    reader.receive(Array(tooMuch.records(of: 16384).dropLast()))
    #expect(try reader.read() == nil)
    // In smaller records, the same message has more bytes.
    let drip = try failure(Array(tooMuch.records(of: 100).dropLast()))
    #expect(drip.error?.message == "the ClientHello has more than 65536 bytes")
    let (announced, _) = try failure([22, 3, 1, 0, 4, 1, 0xFF, 0xFF, 0xFF])
    #expect(announced?.code == .handshakeFailed)
  }
}
