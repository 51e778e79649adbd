package import ProbeOpenSSL

/// The TLS side of a service.
package protocol ServiceTLS: Sendable {
  /// The server that the next connection speaks to.
  ///
  /// It is called for each connection on the thread of the service, which waits: new certificates apply to new
  /// connections.
  func server() -> ServerContext
}

extension ServerContext: ServiceTLS {
  /// The server itself, for a service whose certificate does not change.
  package func server() -> ServerContext { self }
}
