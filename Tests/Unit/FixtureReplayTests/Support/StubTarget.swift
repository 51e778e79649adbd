import ProbeBase
import ProbeCore

@testable import FixtureReplay

/// The part of a replay server that routing needs, without a server.
final class StubTarget: RoutingTarget {
  struct NoRoom: Error, CustomStringConvertible {
    var description: String { "too many open files" }
  }

  /// A request for a port of a destination.
  struct PortRequest: Hashable {
    var listener: ReplayListener
    var host: String
    var port: UInt16
    var startsTLS = false
  }

  private let dns: HostRules<DNSAnswer>
  private let hasRoom: Bool
  private let address: IPAddress
  private let requested = Guarded((ports: [PortRequest](), names: [String]()))

  init(
    dns: HostRules<DNSAnswer> = [:], hasRoom: Bool = true, address: IPAddress = IPAddress(v4: 0x7F00_0001)
  ) {
    self.dns = dns
    self.address = address
    self.hasRoom = hasRoom
  }

  var portRequests: [PortRequest] { requested.withLock(\.ports) }
  var names: [String] { requested.withLock(\.names) }

  func address(of listener: ReplayListener) -> SocketAddress {
    switch listener {
    case .http: SocketAddress(address, port: 4080)
    case .https: SocketAddress(address, port: 4443)
    case .tcp: SocketAddress(address, port: 4000)
    }
  }

  func assignPort(
    for listener: ReplayListener, host: String, port: UInt16, startsTLS: Bool
  ) throws -> UInt16 {
    guard hasRoom else { throw NoRoom() }
    return requested.withLock { requested in
      requested.ports.append(PortRequest(listener: listener, host: host, port: port, startsTLS: startsTLS))
      return UInt16(5000 + requested.ports.count)
    }
  }

  func dnsAnswer(for host: String) -> DNSAnswer? {
    requested.withLock { $0.names.append(host) }
    return dns[host]
  }

  var authorityPEM: String { "the authority" }
}

/// A transport in memory that records requests, and responds as if from the address it was routed to.
final class NotingTransport: ProbeTransport {
  private let requests = Guarded([ProbeRequest]())
  private let respond: @Sendable (ProbeRequest) throws -> ProbeResponse

  init(respond: @escaping @Sendable (ProbeRequest) throws -> ProbeResponse = { .ok($0) }) {
    self.respond = respond
  }

  var schemes: [URLScheme: Encryption] {
    [.http: .plaintext, .https: .encrypted, .tcp: .plaintext, .tls: .encrypted, "memory": .encrypted]
  }

  var seen: [ProbeRequest] { requests.withLock(\.self) }

  func check(_ request: ProbeRequest) throws(InvalidInput) {
    if request.timeout <= .zero { throw InvalidInput("the timeout is not positive") }
  }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    requests.withLock { $0.append(request) }
    return try respond(request)
  }

  /// These requests, routed to a target.
  func prober(to target: StubTarget, clock: any Clock<Duration> = ContinuousClock()) throws -> Prober {
    var registry = TransportRegistry()
    try registry.register(self)
    return Prober(registry.routed(to: target, clock: clock), policy: .plaintextAllowed)
  }
}

extension ProbeResponse {
  /// A response from the address to which the request was routed.
  static func ok(_ request: ProbeRequest, status: Int = 200, location: String? = nil) -> ProbeResponse {
    let fields = HeaderFields(location.map { [(name: "Location", value: $0)] } ?? [])
    return ProbeResponse(
      url: request.url, head: HTTPResponseHead(status: status, fields: fields),
      remoteAddress: request.connectTarget, timings: ProbeTimings(connect: .milliseconds(1)))
  }
}

extension ProbeRequest {
  /// The target of the first rule.
  var connectTarget: SocketAddress? {
    guard let rule = connectTo.first, let port = rule.targetPort else { return nil }
    return rule.targetHost.flatMap { IPAddress($0) }.map { SocketAddress($0, port: port) }
  }
}

/// A request with the changes of a test.
func request(_ url: String, _ change: (inout ProbeRequest) throws -> Void = { _ in }) throws -> ProbeRequest {
  var request = ProbeRequest(try ProbeURL(url))
  try change(&request)
  return request
}

/// The failure of a probe, or nil if it receives a response.
func ending(_ prober: Prober, _ request: ProbeRequest) async -> ProbeFailure? {
  do throws(ProbeFailure) {
    _ = try await prober.probe(request)
    return nil
  } catch {
    return error
  }
}
