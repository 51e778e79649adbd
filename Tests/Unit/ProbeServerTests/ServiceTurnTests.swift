import Dispatch
import ProbeServer
import ProbeCore
import ProbeBase
import ProbeTLS
import ProbeSystem
import TestClients
import TestRequirements
import TestSupport
import Testing

/// Clients that flood a service: they cost their own connection only.
@Suite(.patience(minutes: 1)) struct ServiceTurnTests {
  /// The paths of the requests in the order in which the service refuses them; the first one waits.
  private final class Refusals: Sendable {
    private let paths = Guarded<[String]>([])
    let (first, mayContinue) = (Promise<Void>(), DispatchSemaphore(value: 0))

    var all: [String] { paths.withLock { $0 } }

    func refuse(_ request: HTTPServiceRequest) -> HTTPServiceFailure {
      let isFirst = paths.withLock { paths in
        paths.append(request.path.first ?? "")
        return paths.count == 1
      }
      if isFirst {
        first.fulfill(())
        // The service's thread waits until both clients have sent their requests.
        mayContinue.wait()
      }
      return HTTPServiceFailure(status: 403, "no")
    }
  }

  @Test func pipelinedRequestsAreReadInTurns() async throws {
    let refusals = Refusals()
    var options = HTTPServiceOptions()
    options.admission = { refusals.refuse($0) }
    let service = try HTTPService(
      on: ServiceClient.loopback, options: options, handler: HTTPServiceResponse.echo)
    defer { service.stop() }
    let (flooding, other) = (
      try RawClient(port: ServiceClient.port(of: service.address)), try ServiceClient(service)
    )
    let request = Array("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
    // As much as a socket accepts without a reader.
    try flooding.send(Array(repeating: request, count: 1500).flatMap(\.self))
    await refusals.first.value()
    try other.get("/b")
    refusals.mayContinue.signal()
    #expect(try await other.response().status == "403")
    let before = refusals.all.prefix { $0 == "a" }.count
    #expect(before < 500, "\(before) requests of one client came before the only one of the other")
    withExtendedLifetime(flooding) {}
  }

  @Test func aFloodOfKeyUpdatesEndsItsConnection() async throws {
    var options = HTTPServiceOptions()
    options.tls = try ServerContext(ServiceTLSTests.identity())
    let service = try HTTPService(
      on: ServiceClient.loopback, options: options, handler: HTTPServiceResponse.echo)
    defer { service.stop() }
    let ending = try await onAThread {
      let raw = try RawClient(port: ServiceClient.port(of: service.address))
      let session = try TLSSession(ClientContext(trust: ServiceTLSTests.trust()), host: "localhost")
      while try session.handshake() == .needsInput {
        try raw.send(session.takeOutput())
        session.receive(raw.receivePart().bytes)
      }
      for _ in 0..<100 { try session.updateKeys() }
      try raw.send(session.takeOutput())
      return raw.receive().ending
    }
    // Without an end it would be kept, and nothing sent.
    #expect(ending != .silence)
  }

  @Test func anImmediateResponseDoesNotWaitForTheExecutors() async throws {
    let loop = EventLoop(named: "busy")
    let (isBusy, mayContinue) = (Promise<Void>(), DispatchSemaphore(value: 0))
    var options = HTTPServiceOptions()
    options.executors = [loop]
    options.respondsAtOnce = { $0.path == ["healthy"] }
    let service = try HTTPService(on: ServiceClient.loopback, options: options) {
      request throws(HTTPServiceFailure) in
      if request.path == ["busy"] {
        isBusy.fulfill(())
        mayContinue.wait()
      }
      return HTTPServiceResponse(contentType: "text/plain", body: [])
    }
    defer { service.stop() }
    let busy = try ServiceClient(service)
    try busy.get("/busy")
    await isBusy.value()
    let client = try ServiceClient(service)
    try client.get("/healthy")
    #expect(try await client.response().status == "200")
    mayContinue.signal()
    #expect(try await busy.response().status == "200")
  }
}
