import ProbeCore

extension TransportRegistry {
  /// These transports, which go to this machine and its link for the user's own URLs alone: what a portal leads to must
  /// not be a service of this machine, whose answer would then stand in a file that is given away.
  ///
  /// - Parameter urls: The URLs that the user asks for; for their servers everything is allowed, and so is where the user
  ///   leads a connection to.
  /// - Returns: The transports.
  func keptOffThisMachine(unlessFor urls: [ProbeURL]) -> TransportRegistry {
    let servers = Set(urls.map(Server.init(of:)))
    return wrapping { StrangersTransport(transport: $0, servers: servers) }
  }
}

/// Where a URL is asked for.
private struct Server: Hashable {
  let host: String
  let port: UInt16?

  init(of url: ProbeURL) {
    (host, port) = (url.host, url.port)
  }
}

/// A transport for URLs from outside, such as those that a portal names.
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
