package import ProbeTLS

/// The TLS settings of a service.
package protocol ServiceTLS: Sendable {
  /// The TLS server for the next connection; nil for one without TLS.
  ///
  /// This is called for each connection on the thread of the service, which waits for it, so that new
  /// certificates apply to new connections.
  func server() -> ServerContext?
}

extension ServerContext: ServiceTLS {
  /// The server itself, for a service whose certificate does not change.
  package func server() -> ServerContext? { self }
}
