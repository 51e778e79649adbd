import Glibc
import ProbeTLS
import Testing

@Suite struct ServerConnectionTests {
  /// Two connected sockets, the server's first.
  private func socketPair() -> (Int32, Int32) {
    var descriptors: [Int32] = [0, 0]
    #expect(
      unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &descriptors)
        == 0)
    return (descriptors[0], descriptors[1])
  }

  private func connection(on descriptor: Int32) throws -> ServerConnection {
    let identity = try CertificateAuthority().issue(LeafOptions(hosts: ["a"]))
    return try ServerConnection(descriptor: descriptor, context: ServerContext(identity))
  }

  @Test func aDisconnectedClientIsAnErrorNotASignal() throws {
    let (server, client) = socketPair()
    defer { close(server) }
    // Not TLS: the server responds with an alert, but the client has disconnected.
    let request = Array("GET / HTTP/1.1\r\n\r\n".utf8)
    #expect(unsafe send(client, request, request.count, Int32(MSG_NOSIGNAL)) == request.count)
    close(client)
    let connection = try connection(on: server)
    let error = #expect(throws: TLSError.self) { try connection.handshake() }
    #expect(error?.code == .handshakeFailed)
    #expect(throws: TLSError.self) { try connection.write([1]) }
  }

  @Test func anEndBeforeTheHandshakeIsAnError() throws {
    let (server, client) = socketPair()
    defer { close(server) }
    close(client)
    let error = #expect(throws: TLSError.self) { try connection(on: server).handshake() }
    #expect(error?.code == .connectionLost || error?.handshakeFailure?.isUnexpectedEnd == true)
  }

  @Test func aBadDescriptorIsAnError() throws {
    let error = #expect(throws: TLSError.self) { try connection(on: -1).handshake() }
    #expect(error?.code == .connectionLost)
    #expect(error?.message.contains("Bad file descriptor") == true)
  }
}
