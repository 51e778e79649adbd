import ProbeServer
import ProbeCore
import ProbeBase
import TestClients
import TestSupport

/// A client of a service, which waits on separate threads: handlers need the threads of tasks.
final class ServiceClient {
  static let loopback = HTTPService.Address.tcp(SocketAddress(IPAddress(v4: 0x7F00_0001), port: 0))

  private let raw: RawClient

  /// Connects to an address of a service.
  init(_ service: HTTPService, addressIndex: Int = 0) throws {
    raw = try RawClient(port: Self.port(of: service.addresses[addressIndex]))
  }

  static func port(of address: HTTPService.Address) throws -> UInt16 {
    guard case .tcp(let address) = address else { throw InvalidInput("no port") }
    return address.port
  }

  /// Sends a request.
  func get(_ target: String, _ fields: String..., host: String = "localhost") throws {
    let lines = ["GET \(target) HTTP/1.1", "Host: \(host)"] + fields
    try raw.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
  }

  /// Receives what is available, waiting for the first bytes.
  func response() async throws -> ServiceResponse {
    try await onAThread { ServiceResponse(self.raw.receivePart().text) }
  }

  /// Receives everything, up to the end of the connection.
  func rest() async throws -> RawClient.Reception {
    try await onAThread { self.raw.receive() }
  }

  /// Closes the connection with an RST at the end of this object.
  func resetAtEnd() { raw.resetAtEnd() }
}

// Safe because each test uses its client in one task, which waits for the thread.
extension ServiceClient: @unchecked Sendable {}

/// A response as text.
struct ServiceResponse: Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  var status: String { String(text.dropFirst(9).prefix(3)) }

  var body: String { text.firstRange(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? "" }

  func has(_ field: String) -> Bool { text.contains("\r\n\(field)\r\n") }
}

extension HTTPServiceResponse {
  /// The path of a request.
  static func echo(
    _ request: HTTPServiceRequest
  ) async throws(HTTPServiceFailure) -> HTTPServiceResponse {
    HTTPServiceResponse(contentType: "text/plain", body: Array("\(request.path)".utf8))
  }
}

/// Handlers that wait until they are released or cancelled.
final class WaitingHandlers: Sendable {
  private let waiting = Guarded<[AsyncStream<Void>.Continuation]>([])
  private let started = EventQueue<Bool>()

  /// Waits until this many handlers have started since the last call.
  func start(of count: Int) async {
    var seen = 0
    var events: [Bool] = []
    while seen < count {
      await started.take(into: &events)
      seen += events.count
    }
  }

  func release() {
    for handler in waiting.withLock({ $0 }) { handler.finish() }
  }

  func respond() async -> HTTPServiceResponse {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    waiting.withLock { $0.append(continuation) }
    started.send(true)
    for await _ in stream {}
    return HTTPServiceResponse(contentType: "text/plain", body: Array("done".utf8))
  }
}
