import ProbeServer
import ProbeCore
import ProbeBase
import ProbeSystem
import TestClients
import TestRequirements
import TestSupport
import Testing

/// The limits of a service, and the executors of its handlers.
@Suite(.patience(minutes: 1)) struct ServiceLimitTests {
  /// A service whose handlers wait, and a client whose request is being handled.
  private static func busy(
    _ change: (inout HTTPServiceOptions) -> Void
  ) async throws -> (HTTPService, WaitingHandlers, ServiceClient) {
    var options = HTTPServiceOptions()
    change(&options)
    let handlers = WaitingHandlers()
    let service = try HTTPService(on: ServiceClient.loopback, options: options) {
      _ throws(HTTPServiceFailure) in await handlers.respond()
    }
    let client = try ServiceClient(service)
    try client.get("/")
    await handlers.start(of: 1)
    return (service, handlers, client)
  }

  @Test func aClientBeyondTheLimitReceivesTheReason() async throws {
    let (service, handlers, first) = try await Self.busy { $0.maximumConnections = 1 }
    defer { service.stop() }
    for _ in 0..<32 {
      let client = try ServiceClient(service)
      // If the server closed without reading these bytes, the client would receive a reset.
      try client.get("/", "A: \(String(repeating: "a", count: 8000))")
      let received = try await client.rest()
      #expect(received.ending == .fin)
      let response = ServiceResponse(received.text)
      #expect(response.status == "503" && response.has("Retry-After: 1"))
    }
    handlers.release()
    #expect(try await first.response().status == "200")
  }

  @Test func refusedClientsAreBoundedAndDoNotDisplaceOthers() async throws {
    let (service, handlers, first) = try await Self.busy { options in
      options.maximumConnections = 1
      options.drainTimeout = .seconds(600)
    }
    defer { service.stop() }
    var kept: [ServiceClient] = []
    for _ in 0..<64 {
      let client = try ServiceClient(service)
      let received = try await client.rest()
      #expect(ServiceResponse(received.text).status == "503" && received.ending == .fin)
      // It does not close its side.
      kept.append(client)
    }
    let further = try await ServiceClient(service).rest()
    #expect(further.bytes.isEmpty && further.ending != .silence)
    handlers.release()
    #expect(try await first.response().status == "200")
    // It replaces the first one, which is idle now.
    let next = try ServiceClient(service)
    try next.get("/")
    await handlers.start(of: 1)
    handlers.release()
    #expect(try await next.response().status == "200")
    withExtendedLifetime(kept) {}
  }

  @Test func requestsBeyondTheLimitAreRefusedAndTheirConnectionsKept() async throws {
    let (service, handlers, first) = try await Self.busy { $0.maximumRequests = 1 }
    defer { service.stop() }
    let second = try ServiceClient(service)
    try second.get("/")
    let refusal = try await second.response()
    #expect(refusal.status == "503" && refusal.has("Retry-After: 1") && !refusal.has("Connection: close"))
    handlers.release()
    #expect(try await first.response().status == "200")
    try second.get("/")
    await handlers.start(of: 1)
    handlers.release()
    #expect(try await second.response().status == "200")
  }

  /// A service for one request at a time, whose path `/slow` waits and whose path `/healthy` responds at once.
  private static func slow() throws -> (HTTPService, started: Promise<Void>, mayEnd: Promise<Void>) {
    var options = HTTPServiceOptions()
    options.maximumRequests = 1
    options.respondsAtOnce = { $0.path == ["healthy"] }
    let (started, mayEnd) = (Promise<Void>(), Promise<Void>())
    let service = try HTTPService(on: ServiceClient.loopback, options: options) {
      request throws(HTTPServiceFailure) in
      if request.path == ["slow"] {
        started.fulfill(())
        // Cancellation does not end it.
        await mayEnd.value()
      }
      return HTTPServiceResponse(contentType: "text/plain", body: [])
    }
    return (service, started, mayEnd)
  }

  /// A supervisor that asks whether the service is alive receives a response, however busy it is.
  @Test func whatRespondsAtOnceIsNeverRefused() async throws {
    let (service, started, mayEnd) = try Self.slow()
    defer { service.stop() }
    let (slow, client) = (try ServiceClient(service), try ServiceClient(service))
    try slow.get("/slow")
    await started.value()
    try client.get("/other")
    #expect(try await client.response().status == "503")
    try client.get("/healthy")
    #expect(try await client.response().status == "200")
    mayEnd.fulfill(())
    #expect(try await slow.response().status == "200")
  }

  @Test func handlersOfDisconnectedClientsCountUntilTheyEnd() async throws {
    let (service, started, mayEnd) = try Self.slow()
    defer { service.stop() }
    var leaving: ServiceClient? = try ServiceClient(service)
    try leaving?.get("/slow")
    await started.value()
    leaving?.resetAtEnd()
    leaving = nil
    let client = try ServiceClient(service)
    try client.get("/")
    #expect(try await client.response().status == "503")
    mayEnd.fulfill(())
    var status = "503"
    while status == "503" {
      try client.get("/")
      status = try await client.response().status
    }
    #expect(status == "200")
  }

  @Test func handlersRunOnTheExecutorsInTurn() async throws {
    let loops = [EventLoop(named: "one"), EventLoop(named: "two")]
    var options = HTTPServiceOptions()
    options.executors = loops
    let service = try HTTPService(on: ServiceClient.loopback, options: options) {
      _ throws(HTTPServiceFailure) in
      let before = loops.map { $0.current == nil ? "-" : "x" }.joined()
      await Task.yield()
      let after = loops.map { $0.current == nil ? "-" : "x" }.joined()
      return HTTPServiceResponse(contentType: "text/plain", body: Array("\(before) \(after)".utf8))
    }
    defer { service.stop() }
    let client = try ServiceClient(service)
    var bodies: [String] = []
    for _ in 0..<4 {
      try client.get("/")
      bodies.append(try await client.response().body)
    }
    #expect(Set(bodies) == ["x- x-", "-x -x"])
    #expect(bodies[0] == bodies[2] && bodies[1] == bodies[3])
  }

  @Test func thousandsOfPipelinedRequestsAreRefusedIndividually() async throws {
    let service = try HTTPService(on: ServiceClient.loopback, handler: HTTPServiceResponse.echo)
    defer { service.stop() }
    let request = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    let last = Array("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)
    let count = 20_000
    let text = try await onAThread {
      let client = try RawClient(port: ServiceClient.port(of: service.address))
      nonisolated(unsafe) let sender = client
      let sending = try WorkerThread(named: "sender") {
        try? unsafe sender.send(Array(repeating: request, count: count).flatMap(\.self) + last)
      }
      defer { sending.join() }
      return try client.receiveText()
    }
    #expect(text.ranges(of: "HTTP/1.1 421").count == count + 1)
  }
}
