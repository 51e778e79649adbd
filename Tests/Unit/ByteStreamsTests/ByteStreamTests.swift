import ByteStreams
import LoopbackServer
import ProbeTLS
import ProbeCore
import TestSupport
import Testing

/// Reading and writing, plain and inside TLS.
@Suite struct ByteStreamTests {
  @Test(arguments: [false, true]) func segmentedLinesAreReassembled(_ isEncrypted: Bool) async throws {
    let server = try LoopbackServer(tls: isEncrypted ? TestStreams.shared.context() : nil) { connection in
      try connection.sendSlowly(Array("220 ready\r\nsecond\n".utf8), every: .milliseconds(1))
      let request = try connection.read()
      try connection.send("you said \(String(decoding: request, as: UTF8.self))")
      connection.shutdownWrite()
      connection.hold()
    }
    let request = try TestStreams.shared.request(server, isEncrypted: isEncrypted)
    let stream = try await TestStreams.connector.connect(
      for: request, encryption: isEncrypted ? .encrypted : .plaintext)
    #expect(try await stream.readLine() == "220 ready")
    #expect(try await stream.readLine() == "second")
    try await stream.write("QUIT\r\n")
    try await stream.readBody(limit: 1000)
    #expect(stream.response.body == Array("you said QUIT\r\n".utf8))
    #expect(!stream.response.bodyIsCut && stream.hasEnded && !stream.isCutShort)
    let timings = stream.response.timings
    #expect(timings.connect != nil && timings.firstByte != nil && timings.total != nil)
    #expect((timings.tls != nil) == isEncrypted)
    #expect(stream.response.tls?.chain.isEmpty == (isEncrypted ? false : nil))
    #expect(stream.response.remoteAddress?.port == server.port)
    #expect(stream.response.connection?.attempts.map(\.ending) == [.connected])
  }

  @Test(arguments: [false, true]) func aMegabyteIsSentBothWays(_ isEncrypted: Bool) async throws {
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let server = try LoopbackServer(tls: isEncrypted ? TestStreams.shared.context() : nil) { connection in
      var received: [UInt8] = []
      while received.count < bytes.count {
        let more = try connection.read()
        // The client has closed the connection.
        if more.isEmpty { return }
        received += more
      }
      try connection.send(received)
      connection.shutdownWrite()
      connection.hold()
    }
    let request = try TestStreams.shared.request(server, isEncrypted: isEncrypted)
    let stream = try await TestStreams.connector.connect(
      for: request, encryption: isEncrypted ? .encrypted : .plaintext)
    try await stream.write(bytes)
    try await stream.readBody(limit: 2_000_000)
    #expect(stream.response.body == bytes)
  }

  @Test func limitsOfLinesAndBodiesApply() async throws {
    let server = try LoopbackServer { connection in
      while true { try connection.send([UInt8](repeating: 0x78, count: 10_000)) }
    }
    let request = try TestStreams.shared.request(server)
    let stream = try await TestStreams.connector.connect(for: request)
    let failure = await #expect(throws: ProbeFailure.self) { try await stream.readLine(limit: 5000) }
    #expect(failure?.reason == .bodyTooLarge)
    try await stream.readBody(limit: 3000)
    #expect(stream.response.body.count == 3000 && stream.response.bodyIsCut)
  }

  @Test func theRequestsLimitIsTheDefaultLimitOfABody() async throws {
    let server = try LoopbackServer { try $0.send("0123456789") }
    var request = try TestStreams.shared.request(server)
    request.maxBody = 4
    let cut = try await TestStreams.connector.connect(for: request)
    try await cut.readBody()
    #expect(cut.response.body == Array("0123".utf8) && cut.response.bodyIsCut)
    let whole = try await TestStreams.connector.connect(for: request)
    try await whole.readBody(limit: .max)
    #expect(whole.response.body == Array("0123456789".utf8) && !whole.response.bodyIsCut)
    request.maxBody = 10
    let exact = try await TestStreams.connector.connect(for: request)
    try await exact.readBody()
    #expect(exact.response.body.count == 10 && !exact.response.bodyIsCut)
  }

  @Test func theFailureContainsTheReceivedPartOfABody() async throws {
    let server = try LoopbackServer { connection in
      try connection.send("0123456789")
      connection.hold()
    }
    let failure = try await withGrowingLimit(
      from: .milliseconds(300), while: { (failure: ProbeFailure?) in failure?.reason == .responseTimeout }
    ) { limit in
      let stream = try await TestStreams.connector.connect(for: try TestStreams.shared.request(server))
      stream.deadline = .now + limit
      return await #expect(throws: ProbeFailure.self) { try await stream.readBody() }
    }
    #expect(failure?.reason == .bodyTimeout)
    #expect(failure?.partial?.body == Array("0123456789".utf8))
  }

  @Test func anEndBeforeADelimiterIsReported() async throws {
    let server = try LoopbackServer { try $0.send("half a li") }
    let stream = try await TestStreams.connector.connect(for: try TestStreams.shared.request(server))
    let failure = await #expect(throws: ProbeFailure.self) { try await stream.readLine() }
    #expect(failure?.reason == .bodyShort)
    // Nothing of it is lost.
    #expect(try await stream.read(upTo: 100) == Array("half a li".utf8))
    #expect(try await stream.read(upTo: 100).isEmpty)
  }

  @Test func silenceBeforeAndAfterTheFirstByteIsATimeout() async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.read()
      try connection.send("x")
      connection.hold()
    }
    let stream = try await TestStreams.connector.connect(for: try TestStreams.shared.request(server))
    let end = stream.deadline
    stream.deadline = .now + .milliseconds(50)
    let first = await #expect(throws: ProbeFailure.self) { try await stream.read(upTo: 1) }
    #expect(first?.reason == .responseTimeout)
    stream.deadline = end
    try await stream.write("go on")
    #expect(try await stream.read(upTo: 1) == [UInt8(ascii: "x")])
    stream.deadline = .now + .milliseconds(50)
    let second = await #expect(throws: ProbeFailure.self) { try await stream.read(upTo: 1) }
    #expect(second?.reason == .bodyTimeout)
    #expect(second?.partial?.remoteAddress?.port == server.port)
  }

  @Test func aPeerThatDoesNotReadIsATimeout() async throws {
    let server = try LoopbackServer { try $0.pause(for: .seconds(60)) }
    let stream = try await TestStreams.connector.connect(for: try TestStreams.shared.request(server))
    stream.deadline = .now + .milliseconds(200)
    let failure = await #expect(throws: ProbeFailure.self) {
      try await stream.write([UInt8](repeating: 1, count: 64 << 20))
    }
    #expect(failure?.reason == .responseTimeout)
  }

  @Test func cancellingEndsAWaitAtOnce() async throws {
    let (accepted, acceptance) = AsyncStream.makeStream(of: Void.self)
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      acceptance.yield()
      connection.hold()
      end.yield()
    }
    let request = try TestStreams.shared.request(server)
    let reading = Task {
      let stream = try await TestStreams.connector.connect(for: request)
      return try await stream.read(upTo: 1)
    }
    for await _ in accepted { break }
    reading.cancel()
    let failure = await #expect(throws: ProbeFailure.self) { try await reading.value }
    #expect(failure?.reason == .cancelled)
    // The connection is closed with its last reference.
    for await _ in ended { break }
  }

  @Test func aTruncationInsideTLSIsReported() async throws {
    let server = try LoopbackServer(tls: TestStreams.shared.context()) { connection in
      try connection.send("hello")
      connection.shutdownWrite(notify: false)
    }
    let request = try TestStreams.shared.request(server, isEncrypted: true)
    let stream = try await TestStreams.connector.connect(for: request, encryption: .encrypted)
    #expect(try await stream.read(upTo: 5) == Array("hello".utf8))
    let failure = await #expect(throws: ProbeFailure.self) { try await stream.read(upTo: 1) }
    #expect(failure?.reason == .bodyShort)
    #expect(stream.isCutShort)
  }

  @Test func bytesBeforeSTARTTLSAreDropped() async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.read(upTo: 10)
      try connection.send("220 go on\r\n250 injected\r\n")
      try connection.startTLS(TestStreams.shared.context())
      try connection.send("250 inside\r\n")
      connection.hold()
    }
    let request = try TestStreams.shared.request(server, isEncrypted: true)
    let stream = try await TestStreams.connector.connect(for: request)
    try await stream.write("STARTTLS\r\n")
    #expect(try await stream.readLine() == "220 go on")
    try await stream.startTLS()
    #expect(try await stream.readLine() == "250 inside")
  }

  @Test func aSecondHandshakeIsAFailure() async throws {
    let server = try LoopbackServer(tls: TestStreams.shared.context()) { $0.hold() }
    let request = try TestStreams.shared.request(server, isEncrypted: true)
    let stream = try await TestStreams.connector.connect(for: request, encryption: .encrypted)
    let failure = await #expect(throws: ProbeFailure.self) { try await stream.startTLS() }
    #expect(failure?.reason == .invalidRequest)
    #expect(failure?.detail.contains("inside TLS already") == true)
  }

  @Test func afterAFailedHandshakeNothingIsSentInPlaintext() async throws {
    let (heard, hear) = AsyncStream.makeStream(of: [UInt8].self)
    let server = try LoopbackServer { connection in
      _ = try connection.read()
      try connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
      while case let bytes = try connection.read(), !bytes.isEmpty { hear.yield(bytes) }
      hear.finish()
    }
    let request = try TestStreams.shared.request(server, isEncrypted: true)
    var stream: ByteStream? = try await TestStreams.connector.connect(for: request)
    let failure = await #expect(throws: ProbeFailure.self) { try await stream?.startTLS() }
    #expect(failure?.reason == .notTLS)
    await #expect(throws: ProbeFailure.self) { try await stream?.write("AUTH secret") }
    stream = nil
    for await bytes in heard { #expect(!String(decoding: bytes, as: UTF8.self).contains("secret")) }
  }

  /// A peer that never stops sending does not prevent cancellation, even on the loop's own thread.
  @Test func cancellingEndsReadsThatNeverWait() async throws {
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let server = try LoopbackServer { connection in
      while true { try connection.send([UInt8](repeating: 0x78, count: 60_000)) }
    }
    let request = try TestStreams.shared.request(server)
    let connector = StreamConnector()
    let reading = Task(executorPreference: connector.executors[0]) {
      let stream = try await connector.connect(for: request)
      while true {
        _ = try await stream.read(upTo: 1000)
        start.yield()
      }
    }
    for await _ in started { break }
    reading.cancel()
    let failure = await #expect(throws: ProbeFailure.self) { try await reading.value }
    #expect(failure?.reason == .cancelled)
  }

  @Test func hundredsOfConcurrentStreamsWork() async throws {
    let server = try LoopbackServer { connection in
      try connection.send("\(connection.number)\n")
      connection.hold()
    }
    let request = try TestStreams.shared.request(server)
    let lines = await withTaskGroup(of: String?.self) { group in
      for _ in 0..<300 {
        group.addTask {
          try? await TestStreams.connector.connect(for: request).readLine()
        }
      }
      return await group.reduce(into: Set()) { if let line = $1 { $0.insert(line) } }
    }
    #expect(lines.count == 300)
  }
}

/// The shared parts of the tests: an authority, and a connector whose requests trust it.
struct TestStreams: Sendable {
  /// The failure to connect for a request; nil if there is none.
  static func failure(_ request: ProbeRequest) async -> ProbeFailure? {
    do throws(ProbeFailure) {
      _ = try await connector.connect(for: request)
      return nil
    } catch {
      return error
    }
  }

  static let connector = StreamConnector()
  static let shared = TestStreams()

  private let authority: Result<CertificateAuthority, TLSError>

  private init() {
    do { authority = .success(try CertificateAuthority(name: "Streams")) } catch {
      authority = .failure(error)
    }
  }

  func context(
    _ leaf: LeafOptions = LeafOptions(hosts: ["localhost"]),
    versions: ClosedRange<TLSVersion> = .v1_2 ... .v1_3
  ) throws -> ServerContext {
    try ServerContext(authority.get().issue(leaf), versions: versions)
  }

  /// A request to a server, with a host name of its certificate if it is encrypted.
  func request(_ server: LoopbackServer, isEncrypted: Bool = false) throws -> ProbeRequest {
    let host = isEncrypted ? "localhost" : "127.0.0.1"
    var request = ProbeRequest(try ProbeURL("tcp://\(host):\(server.port)"))
    request.timeout = .seconds(600)
    request.tls.onlyAuthorities = Array(try authority.get().pem.utf8)
    return request
  }
}
