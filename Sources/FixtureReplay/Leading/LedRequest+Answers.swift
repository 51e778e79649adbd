import ProbeCore

/// Answers that say of the network what a fixture says, and not how they came from this machine's own loopback.
extension LedRequest {
  /// The answer as from the real network.
  ///
  /// - Parameters:
  ///   - response: What the transport brought.
  ///   - server: Where it was led to.
  ///   - address: What the name resolves to, or nil when that means nothing.
  /// - Returns: The answer, with that address in place of the replay server's.
  /// - Throws: ``ProbeFailure`` when the answer does not come from the replay server.
  func answer(
    _ response: ProbeResponse, from server: SocketAddress, as address: IPAddress?
  ) throws(ProbeFailure) -> ProbeResponse {
    guard let remote = response.remoteAddress else {
      throw ProbeFailure(
        .transportFailure,
        "the transport does not tell where its answer came from, so that it may be another server's than the "
          + "replay server's: give the answer its remoteAddress", partial: response)
    }
    if let stray = stray(from: remote, server, partial: response) { throw stray }
    return disguised(response, address)
  }

  /// The failure as from the real network, or one that says that it is not the replay server's.
  func failure(
    _ failure: ProbeFailure, from server: SocketAddress, as address: IPAddress?
  ) -> ProbeFailure {
    if let remote = failure.partial?.remoteAddress,
      let stray = stray(from: remote, server, partial: failure.partial)
    {
      return stray
    }
    var failure = failure
    failure.partial = failure.partial.map { disguised($0, address) }
    // A library's own words may name the end of the connection.
    let host = IPAddress(peerHost)?.family == .v6 ? "[\(peerHost)]" : peerHost
    failure.detail = failure.detail
      .replacing(server.description, with: "\(host):\(peerPort)")
      .replacing("\(server.address) port \(server.port)", with: "\(peerHost) port \(peerPort)")
    return failure
  }

  private func disguised(_ response: ProbeResponse, _ address: IPAddress?) -> ProbeResponse {
    var response = response
    if response.remoteAddress != nil {
      response.remoteAddress = address.map { SocketAddress($0, port: peerPort) }
    }
    // The name was looked up after all, in no time.
    if nameToLookUp != nil, response.timings.resolve == nil { response.timings.resolve = .zero }
    return response
  }

  private func stray(
    from remote: SocketAddress, _ server: SocketAddress, partial: ProbeResponse?
  ) -> ProbeFailure? {
    guard remote != server else { return nil }
    return ProbeFailure(
      .transportFailure,
      "the connection went to \(remote) and not to the replay server: the transport for \(request.url.scheme) "
        + "has to follow connectTo", partial: partial)
  }
}
