import CurlTransport
import LoopbackServer
import ProbeCore

/// One transport for all tests, as a program has one.
let transport = CurlTransport()

/// A request to a server, with time enough for a loaded machine unless the test is about time.
func request(
  _ url: String, timeout: Duration = .seconds(20), _ adjust: (inout ProbeRequest) -> Void = { _ in }
) throws -> ProbeRequest {
  var request = ProbeRequest(try ProbeURL(url))
  request.timeout = timeout
  adjust(&request)
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

extension LoopbackServer {
  /// The URL of this server with `https` and a name its certificate is for.
  var secureURL: String { "https://localhost:\(port)/" }
}
