import ProbeTLS
import Testing

/// Handshake messages after the handshake, each of which costs the other side far more than its bytes.
@Suite struct MessageLimitTests {
  private static let authority = Result { try CertificateAuthority() }

  private static func pair() throws -> SessionPair {
    let authority = try authority.get()
    let client = try TLSSession(
      ClientContext(trust: TrustStore(authorities: [authority])), host: "a.example")
    let identity = try authority.issue(LeafOptions(hosts: ["a.example"]))
    let pair = SessionPair(client, try TLSSession(ServerContext(identity)))
    #expect(pair.performHandshake().isDone)
    return pair
  }

  @Test(arguments: [true, false]) func aFloodOfKeyUpdatesEndsTheConnection(ofServer: Bool) throws {
    let pair = try Self.pair()
    let (flooding, flooded) = ofServer ? (pair.client, pair.server) : (pair.server, pair.client)
    var count = 0
    let error = #expect(throws: TLSError.self) {
      while count < 1000 {
        try flooding.updateKeys()
        flooded.receive(flooding.takeOutput())
        #expect(try flooded.read(upTo: 10) == .needsInput)
        count += 1
      }
    }
    // The messages of the handshake count too.
    #expect((50...64).contains(count))
    #expect(error?.code == .protocolViolation)
    #expect(error?.message.contains("without end") == true)
    // It stays at that.
    #expect(throws: TLSError.self) { try flooded.read(upTo: 10) }
  }

  @Test(arguments: [true, false]) func keyUpdatesBetweenDataAreAccepted(ofServer: Bool) throws {
    let pair = try Self.pair()
    let (from, to) = ofServer ? (pair.client, pair.server) : (pair.server, pair.client)
    let data = [UInt8](repeating: 7, count: 16 * 1024)
    for _ in 0..<200 {
      try from.updateKeys()
      #expect(try pair.send(data, from: from, to: to) == data)
    }
  }
}
