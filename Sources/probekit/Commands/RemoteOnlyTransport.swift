import ProbeCore

extension TransportRegistry {
  /// These transports, which connect to loopback and link-local addresses only for the user's own URLs.
  ///
  /// A portal must not redirect a recording to a service of this machine, whose answer would then be in a file that is
  /// given to others.
  ///
  /// - Parameter urls: The user's URLs. Their servers may have any address; so may the target of a `--connect-to` rule.
  /// - Returns: The transports.
  func keptOffThisMachine(unlessFor urls: [ProbeURL]) -> TransportRegistry {
    let servers = Set(urls.map(Server.init(of:)))
    return wrapping { RemoteOnlyTransport(transport: $0, servers: servers) }
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

/// A transport that refuses addresses of this machine and its links, except for some servers.
private struct RemoteOnlyTransport: ProbeTransport {
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
        .addressRefused, "\(request.url.host) is an address of this machine or of its link: not connected")
    }
    var request = request
    request.staysOffThisMachine = true
    return try await transport.probe(request)
  }
}
