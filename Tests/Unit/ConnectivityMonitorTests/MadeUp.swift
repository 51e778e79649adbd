import ConnectivityMonitor
import ProbeBase
import ProbeCore
import ProbePipeline

/// Simulated interfaces and routes that a test changes.
final class MadeUpPaths: PathSource {
  private struct State {
    var path: NetworkPath
    var continuations: [AsyncStream<NetworkPath>.Continuation] = []
  }

  private let state: Guarded<State>

  init(_ path: NetworkPath = .wifi) {
    state = Guarded(State(path: path))
  }

  var path: NetworkPath { state.withLock(\.path) }

  func changes() -> AsyncStream<NetworkPath> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: NetworkPath.self, bufferingPolicy: .bufferingNewest(1))
    state.withLock { state in
      state.continuations.append(continuation)
      continuation.yield(state.path)
    }
    return stream
  }

  func route(to destination: IPAddress) throws(PathFailure) -> Route? { path.internet[destination.family] }

  /// Changes the network.
  func change(to path: NetworkPath) {
    let continuations = state.withLock { state in
      state.path = path
      return state.continuations
    }
    for continuation in continuations { continuation.yield(path) }
  }

  /// Ends the changes, as if the kernel sent no more messages.
  func end() {
    for continuation in state.withLock(\.continuations) { continuation.finish() }
  }
}

extension NetworkPath {
  /// A machine with one interface that has an IPv4 route to the Internet.
  static func over(_ kind: InterfaceKind, index: Int = 2, name: String = "if0") -> NetworkPath {
    let address = IPAddress(v4: 0xC000_0202)
    return NetworkPath(
      interfaces: [
        NetworkInterface(index: 1, name: "lo", kind: .loopback),
        NetworkInterface(
          index: index, name: name, kind: kind, addresses: [InterfaceAddress(address, prefixLength: 24)]),
      ],
      defaultRoutes: [DefaultRoute(.v4, interface: index, gateway: IPAddress(v4: 0xC000_0201))],
      internet: [
        .v4: Route(
          to: IPAddress(v4: 0xC629_0004), interface: index, source: address,
          gateway: IPAddress(v4: 0xC000_0201))
      ])
  }

  static let wifi = NetworkPath.over(.wifi, index: 2, name: "wlan0")
  static let ethernet = NetworkPath.over(.ethernet, index: 3, name: "eth0")
  /// A machine without routes.
  static let nowhere = NetworkPath(interfaces: [NetworkInterface(index: 1, name: "lo", kind: .loopback)])
}

/// A transport whose responses a test determines.
struct MadeUpTransport: ProbeTransport {
  let schemes: [URLScheme: Encryption] = [.https: .encrypted, .http: .plaintext]
  let respond: @Sendable (ProbeRequest) async throws(ProbeFailure) -> ProbeResponse

  func probe(_ request: ProbeRequest) async throws(ProbeFailure) -> ProbeResponse {
    try await respond(request)
  }
}

extension ProbeResponse {
  /// A response with this status and body.
  static func madeUp(
    _ url: ProbeURL, status: Int = 204, body: String = "", after time: Duration = .milliseconds(20),
    from address: IPAddress = IPAddress(v4: 0x0808_0808)
  ) -> ProbeResponse {
    ProbeResponse(
      url: url, head: HTTPResponseHead(status: status),
      body: Array(body.utf8),
      remoteAddress: SocketAddress(address, port: 443), timings: ProbeTimings(total: time))
  }
}

extension RunResult {
  /// The result of a run of one probe.
  static func madeUp(
    _ verdict: Verdict, after latency: Duration = .milliseconds(20), family: IPFamily? = nil,
    address: IPAddress = IPAddress(v4: 0x0808_0808)
  ) -> RunResult {
    let isOnline = verdict == .online
    let response = (try? ProbeURL("https://a.example/")).map {
      ProbeResponse.madeUp($0, after: latency, from: address)
    }
    let probe = ProbeResult(
      url: "https://a.example/", outcome: isOnline ? .accepted : .failed,
      reason: isOnline ? nil : .connectRefused, response: isOnline ? response : nil, family: family)
    return RunResult(
      pipeline: "made up", verdict: verdict, portal: nil, evidence: [],
      sets: [SetResult(name: "a", threshold: .all, probes: [probe])], duration: latency)
  }
}
