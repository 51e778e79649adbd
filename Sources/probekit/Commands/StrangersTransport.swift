import ProbeCore

extension TransportRegistry {
  /// Restricts these transports so that only the user's own URLs can reach this machine and its link.
  ///
  /// A portal must not redirect to a service of this machine, whose response would then be in a file that is
  /// shared.
  ///
  /// - Parameter urls: The URLs that the user requested; their servers are not restricted, nor are addresses
  ///   to which the user's own rules route connections.
  /// - Returns: The transports.
  func keptOffThisMachine(unlessFor urls: [ProbeURL]) -> TransportRegistry {
    let servers = Set(urls.map(Server.init(of:)))
    return wrapping { StrangersTransport(transport: $0, servers: servers) }
  }
}

/// The server of a URL.
private struct Server: Hashable {
  let host: String
  let port: UInt16?

  init(of url: ProbeURL) {
    (host, port) = (url.host, url.port)
  }
}

/// A transport for URLs from the network, such as those in a portal's answer.
private struct StrangersTransport: ProbeTransport {
  let transport: any ProbeTransport
  let servers: Set<Server>

  var schemes: [URLScheme: Encryption] { transport.schemes }

  var executors: [any TaskExecutor] { transport.executors }

  func check(_ request: ProbeRequest) throws(InvalidInput) {
    try transport.check(request)
  }

  func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    try transport.checkFiles(of: request)
  }

  func requestKeys(for scheme: URLScheme) -> [RequestKey] { transport.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    guard !servers.contains(Server(of: request.url)) else { return try await transport.probe(request) }
    guard request.url.reach == .network else {
      throw ProbeFailure(
        .addressRefused, "\(request.url.host) is of this machine or its link alone: not connected to")
    }
    var request = request
    request.staysOffThisMachine = true
    return try await transport.probe(request)
  }
}
