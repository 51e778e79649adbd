import ProbeCore
import ProbeBase
import TestClients
import TestRequirements
import TestSupport
import Testing

@testable import ProbeServer

/// The service with its sockets.
@Suite(.patience(minutes: 1)) struct HTTPServiceTests {
  private static let loopback = HTTPService.Address.tcp(SocketAddress(IPAddress(v4: 0x7F00_0001), port: 0))

  private static func echo(
    _ request: HTTPServiceRequest
  ) async throws(HTTPServiceFailure) -> HTTPServiceResponse {
    HTTPServiceResponse(
      contentType: "text/plain", body: Array("\(request.method) \(request.path) ".utf8) + request.body)
  }

  private static func client(_ service: HTTPService) throws -> RawClient {
    guard case .tcp(let address) = service.address else { throw InvalidInput("no port") }
    return try RawClient(port: address.port)
  }

  private static func status(_ text: String) -> String { String(text.dropFirst(9).prefix(3)) }

  @Test func aConnectionServesMultipleRequests() async throws {
    let service = try HTTPService(on: Self.loopback, handler: Self.echo)
    defer { service.stop() }
    let text = try await onAThread {
      let client = try Self.client(service)
      try client.send(Array("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      let first = client.receivePart().text
      let second =
        "PUT /b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
      // However the bytes are split.
      try client.send(Array(second.utf8), inPiecesOf: 1)
      return try first + client.receiveText()
    }
    #expect(text.contains("\r\n\r\nGET [\"a\"] HTTP/1.1 200"))
    #expect(text.hasSuffix("PUT [\"b\"] hi"))
  }

  @Test func largeResponsesAreSentCompletely() async throws {
    let body = [UInt8](repeating: 65, count: 5_000_000)
    let service = try HTTPService(on: Self.loopback) { _ throws(HTTPServiceFailure) in
      HTTPServiceResponse(contentType: "text/plain", body: body)
    }
    defer { service.stop() }
    let bytes = try await onAThread {
      let client = try Self.client(service)
      try client.send(Array("GET / HTTP/1.0\r\n\r\n".utf8))
      return try client.receiveToEnd()
    }
    #expect(bytes.suffix(body.count).elementsEqual(body))
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", "421"),
    ("PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n", "413"),
    ("GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\n", "431"), ("\u{16}\u{3}\u{1}", "400"),
  ])
  func aBadRequestReceivesItsStatus(_ request: String, _ status: String) async throws {
    var options = HTTPServiceOptions()
    options.maximumBody = 98
    let service = try HTTPService(on: Self.loopback, options: options, handler: Self.echo)
    defer { service.stop() }
    let text = try await onAThread {
      let client = try Self.client(service)
      try client.send(Array(request.utf8))
      return client.receivePart().text
    }
    #expect(Self.status(text) == status)
  }

  @Test func aSlowClientIsRefused() async throws {
    var options = HTTPServiceOptions()
    options.requestTimeout = .milliseconds(20)
    let service = try HTTPService(on: Self.loopback, options: options, handler: Self.echo)
    defer { service.stop() }
    let text = try await onAThread {
      let client = try Self.client(service)
      try client.send(Array("GET / HTTP/1.1\r\nHo".utf8))
      return client.receivePart().text
    }
    #expect(Self.status(text) == "408")
  }

  @Test func aNewConnectionEndsTheLongestIdleOne() async throws {
    var options = HTTPServiceOptions()
    options.maximumConnections = 2
    let service = try HTTPService(on: Self.loopback, options: options, handler: Self.echo)
    defer { service.stop() }
    let endings = try await onAThread {
      let clients = try (0..<3).map { _ in
        let client = try Self.client(service)
        try client.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
        _ = client.receivePart()
        return client
      }
      return clients.map { $0.receive(within: .milliseconds(20)).ending }
    }
    #expect(endings == [.fin, .silence, .silence])
  }

  /// A handler that waits until it is cancelled.
  private final class Waiting: Sendable {
    let started = Promise<Void>()
    let ended = Promise<Void>()

    func respond() async -> HTTPServiceResponse {
      started.fulfill(())
      let stream = AsyncStream<Void> { _ in }
      for await _ in stream {}
      ended.fulfill(())
      return HTTPServiceResponse(contentType: "text/plain", body: [])
    }
  }

  @Test func withoutIdleConnectionsANewOneIsRefused() async throws {
    var options = HTTPServiceOptions()
    options.maximumConnections = 1
    let waiting = Waiting()
    let service = try HTTPService(on: Self.loopback, options: options) { _ throws(HTTPServiceFailure) in
      await waiting.respond()
    }
    defer { service.stop() }
    nonisolated(unsafe) let first = try Self.client(service)
    try unsafe first.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    await waiting.started.value()
    #expect(try Self.status(Self.client(service).receiveText()) == "503")
    unsafe first.shutdownWrite()
    await waiting.ended.value()
    #expect(try await onAThread { try unsafe first.receiveText() }.hasPrefix("HTTP/1.1 200"))
  }

  @Test func aClientThatDisconnectsEndsItsHandler() async throws {
    let waiting = Waiting()
    let service = try HTTPService(on: Self.loopback) { _ throws(HTTPServiceFailure) in await waiting.respond()
    }
    defer { service.stop() }
    nonisolated(unsafe) let client = try Self.client(service)
    try unsafe client.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    await waiting.started.value()
    unsafe client.shutdownWrite()
    await waiting.ended.value()
    #expect(try await onAThread { try unsafe client.receiveText() }.hasPrefix("HTTP/1.1 200"))
  }

  @Test func stoppingEndsHandlersAndConnections() async throws {
    let waiting = Waiting()
    let service = try HTTPService(on: Self.loopback) { _ throws(HTTPServiceFailure) in await waiting.respond()
    }
    let client = try Self.client(service)
    try client.send(Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
    await waiting.started.value()
    service.stop()
    await waiting.ended.value()
    #expect(client.receive().bytes.isEmpty)
    guard case .tcp(let address) = service.address else { return }
    #expect(RawClient.refuses(port: address.port))
  }
}
