import CurlTransport
import LoopbackServer
import ProbeCore

/// One transport for all tests, as a program has one.
let transport = CurlTransport()

/// A request to a server, with time enough for a loaded machine unless the test is about time.
func request(
  _ url: String, timeout: Duration = .seconds(20), _ adjust: (inout ProbeRequest) throws -> Void = { _ in }
) throws -> ProbeRequest {
  var request = ProbeRequest(try ProbeURL(url))
  request.timeout = timeout
  try adjust(&request)
  return request
}

/// The failure a request ends in, or nil when it brings an answer.
func failure(of request: ProbeRequest) async throws -> ProbeFailure? {
  do {
    _ = try await transport.probe(request)
    return nil
  } catch let failure as ProbeFailure {
    return failure
  }
}

/// The failure of a request whose time runs out in the phase this reason is for, and the time limit it had.
///
/// A loaded machine may need more than a moment to get to that phase: while time runs out in an earlier one, the
/// request is given more of it.
func timeout(
  of request: ProbeRequest, in reason: ReasonCode
) async throws -> (failure: ProbeFailure?, limit: Duration) {
  let phases: [ReasonCode] = [.resolveTimeout, .connectTimeout, .tlsTimeout, .responseTimeout, .bodyTimeout]
  let earlier = phases.prefix { $0 != reason }
  var request = request
  request.timeout = .milliseconds(300)
  var failure = try await failure(of: request)
  while let reason = failure?.reason, earlier.contains(reason), request.timeout < .seconds(20) {
    request.timeout *= 3
    failure = try await CurlTransportTests.failure(of: request)
  }
  return (failure, request.timeout)
}

extension LoopbackServer {
  /// The URL of this server with `https` and a name its certificate is for.
  var secureURL: String { "https://localhost:\(port)/" }
}

extension ProbeRequest {
  /// Goes through a proxy on loopback.
  mutating func use(
    _ proxy: LoopbackServer, as scheme: String = "http", user: String? = nil, password: String? = nil
  ) throws {
    self.proxy = try ProbeProxy(
      "\(scheme)://\(scheme == "https" ? "localhost" : "127.0.0.1"):\(proxy.port)", user: user,
      password: password.map { Secret($0) })
  }
}
