import LoopbackServer
import ProbeCore
import ProbeBase
import TestSupport
import Testing

/// Bodies that exceed the limit of their request.
@Suite(.eachClient) struct FurtherReadingTests {
  private static let limit = 100
  private static let body = (0..<5000).map { UInt8(truncatingIfNeeded: $0 % 251) }

  /// Requests further bytes, and records its arguments.
  private final class Reading: FurtherReading {
    struct State {
      var responses: [ProbeResponse] = []
      var redirects: [[RedirectHop]] = []
      var limitTime: ContinuousClock.Instant?
    }

    let maximumBytes: Int
    private let room: Int
    private let state = Guarded(State())

    init(room: Int = 1 << 20) {
      self.room = room
      maximumBytes = 1 << 20
    }

    var responses: [ProbeResponse] { state.withLock { $0.responses } }
    var redirects: [[RedirectHop]] { state.withLock { $0.redirects } }
    /// The time of the last call at the limit.
    var limitTime: ContinuousClock.Instant? { state.withLock { $0.limitTime } }

    func begin(after redirects: [RedirectHop]) { state.withLock { $0.redirects.append(redirects) } }

    func room(after response: ProbeResponse) -> Int {
      state.withLock {
        $0.responses.append(response)
        $0.limitTime = .now
      }
      return room
    }
  }

  private func read(
    _ reading: Reading?, from server: LoopbackServer, _ adjust: (inout ProbeRequest) -> Void = { _ in }
  ) async throws -> ProbeResponse {
    try await transport.probe(
      try request(server.url()) {
        $0.maxBody = Self.limit
        $0.furtherReading = reading
        adjust(&$0)
      })
  }

  @Test func requestedBytesAreReceived() async throws {
    let server = try LoopbackServer.http { _ in .response(bytes: Self.body) }
    let reading = Reading()
    let response = try await read(reading, from: server)
    #expect(response.body == Self.body)
    #expect(!response.bodyIsCut)
    let partial = reading.responses
    #expect(partial.count == 1)
    #expect(partial.first?.body == Array(Self.body.prefix(Self.limit)))
    #expect(partial.first?.bodyIsCut == true)
    #expect(partial.first?.status == 200)
    #expect(partial.first?.remoteAddress == response.remoteAddress)
    #expect(partial.first?.timings.firstByte == response.timings.firstByte)
  }

  @Test func unrequestedBytesAreNotReceived() async throws {
    let server = try LoopbackServer.http { _ in .response(bytes: Self.body) }
    let response = try await read(Reading(room: 0), from: server)
    #expect(response.body == Array(Self.body.prefix(Self.limit)))
    #expect(response.bodyIsCut)
  }

  @Test(arguments: [limit, limit - 1, 0])
  func aBodyWithinTheLimitNeedsNoFurtherReading(_ length: Int) async throws {
    let body = Array(Self.body.prefix(length))
    let server = try LoopbackServer.http { _ in .response(bytes: body) }
    let reading = Reading()
    let response = try await read(reading, from: server)
    #expect(response.body == body)
    #expect(!response.bodyIsCut)
    #expect(reading.responses.isEmpty)
  }

  @Test(arguments: [0, 1, 899, 900, 4900])
  func theBodyEndsAtTheLimit(_ room: Int) async throws {
    let server = try LoopbackServer.http { _ in .response(bytes: Self.body) }
    let response = try await read(Reading(room: room), from: server)
    #expect(response.body == Array(Self.body.prefix(Self.limit + room)))
    #expect(response.bodyIsCut == (room < 4900))
  }

  @Test func anEndlessBodyEndsAtTheBound() async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.send("HTTP/1.1 200 OK\r\n\r\n")
      while true { try connection.send(String(repeating: "x", count: 1000)) }
    }
    let response = try await read(Reading(room: 200_000 - Self.limit), from: server)
    #expect(response.body.count == 200_000)
    #expect(response.bodyIsCut)
  }

  @Test func compressedBodiesAreReadFurtherToo() async throws {
    let bomb = ZerosInGzip.bytes
    let server = try LoopbackServer.http { _ in
      .response(headers: [(name: "Content-Encoding", value: "gzip")], bytes: bomb)
    }
    let reading = Reading(room: 50_000 - Self.limit)
    let response = try await read(reading, from: server)
    #expect(response.body == [UInt8](repeating: 0, count: 50_000))
    #expect(response.bodyIsCut)
    #expect(reading.responses.first?.body.count == Self.limit)
    #expect(try await read(Reading(room: 0), from: server).body.count == Self.limit)
  }

  /// How a server ends the part beyond the limit.
  enum Ending: CaseIterable { case stalls, resets, endsShort, sendsJunk }

  @Test(arguments: Ending.allCases)
  func aBodyThatFailsBeyondTheLimitIsStillAResponse(_ ending: Ending) async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      let head =
        ending == .sendsJunk ? "Transfer-Encoding: chunked\r\n\r\n1388\r\n" : "Content-Length: 6000\r\n\r\n"
      try connection.send(Array("HTTP/1.1 200 OK\r\n\(head)".utf8) + Self.body)
      switch ending {
      case .stalls: connection.hold()
      case .resets: connection.reset()
      case .endsShort: connection.shutdownWrite()
      case .sendsJunk: try connection.send("\r\nzz\r\n")
      }
    }
    // A server that stalls must have sent everything before that.
    struct Run {
      let reading = Reading()
      let start = ContinuousClock.now
      let limit: Duration
      var response: ProbeResponse?
    }
    let run = try await withGrowingLimit(
      from: .seconds(1), while: { (run: Run) in ending == .stalls && run.response?.body != Self.body }
    ) { limit in
      var run = Run(limit: limit)
      do {
        run.response = try await read(run.reading, from: server) {
          $0.timeout = ending == .stalls ? limit : .seconds(60)
        }
      } catch let failure as ProbeFailure where ending == .stalls && failure.reason.area == "timeout" {}
      return run
    }
    let response = try #require(run.response)
    #expect(response.status == 200)
    #expect(response.bodyIsCut)
    // A reset discards unread data.
    #expect(Self.body.starts(with: response.body))
    #expect(response.body.count >= Self.limit)
    if ending == .stalls {
      #expect(response.body == Self.body)
      #expect(run.start.duration(to: .now) >= run.limit - .milliseconds(50))
      // The time at the limit, not at the end.
      let limitTime = try #require(run.reading.limitTime)
      #expect(try #require(response.timings.total) <= run.start.duration(to: limitTime))
    }
  }

  @Test func cancellationEndsTheFurtherReading() async throws {
    let server = try LoopbackServer { connection in
      _ = try connection.readRequest()
      try connection.send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + Self.body)
      connection.hold()
    }
    let reading = Reading()
    let request = try request(server.url()) {
      $0.maxBody = Self.limit
      $0.furtherReading = reading
    }
    let task = Task { [transport] in try await transport.probe(request) }
    while reading.responses.isEmpty { await Task.yield() }
    task.cancel()
    let failure = await #expect(throws: ProbeFailure.self) { try await task.value }
    #expect(failure?.reason == .cancelled)
    #expect(failure?.partial?.status == 200)
  }

  @Test func precedingRedirectsArePassedToTheReading() async throws {
    let server = try LoopbackServer.http { request in
      request.target == "/"
        ? .response(302, headers: [(name: "Location", value: "/page")])
        : .response(bytes: Self.body)
    }
    var registry = TransportRegistry()
    try registry.register(transport)
    let reading = Reading()
    let request = try request(server.url()) {
      $0.maxBody = Self.limit
      $0.redirects = 2
      $0.furtherReading = reading
    }
    let response = try await Prober(registry, policy: .plaintextAllowed).probe(request)
    #expect(response.body == Self.body)
    #expect(reading.redirects.map(\.count) == [0, 1])
  }
}
