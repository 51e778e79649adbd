import ProbeCore

extension TransportRegistry {
  /// Returns these transports, restricted to connect to loopback and link-local addresses only for the user's
  /// own URLs.
  ///
  /// A portal must not redirect a recording to a service of this machine, because the response would end up
  /// in a file that is shared with others.
  ///
  /// - Parameter urls: The user's URLs. Their servers may have any address, as may the targets of
  ///   `--connect-to` rules.
  /// - Returns: The transports.
  func keptOffThisMachine(unlessFor urls: [ProbeURL]) -> TransportRegistry {
    let servers = Set(urls.map(Server.init(of:)))
    return guarded(by: .offThisMachine) { servers.contains(Server(of: $0)) }
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
