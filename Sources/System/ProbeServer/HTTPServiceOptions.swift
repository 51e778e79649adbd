package import ProbeTLS

/// The limits of a service.
package struct HTTPServiceOptions: Sendable {
  /// The maximum size of a request's head in bytes; the response to a larger one is 431 (RFC 6585 §5).
  package var maximumHead = 16 * 1024
  /// The maximum size of a request's content in bytes; the response to a larger one is 413 (RFC 9110
  /// §15.5.14).
  package var maximumBody = 1 << 20
  /// The maximum number of connections; beyond it, the connection that has been idle longest is closed.
  package var maximumConnections = 32
  /// The maximum number of concurrent requests; the response to further ones is 503.
  package var maximumRequests = Int.max
  /// The timeout for receiving a request; the response after it is 408.
  ///
  /// It also limits a TLS handshake.
  package var requestTimeout = Duration.seconds(30)
  /// The timeout for a connection that is idle, or whose client does not receive a response.
  var idleTimeout = Duration.seconds(75)
  /// The timeout for the end of a client's input after the service has ended a connection; until then, it is discarded.
  package var drainTimeout = Duration.seconds(5)
  /// The TLS settings; nil for a service without TLS.
  package var tls: (any ServiceTLS)?
  /// The authentication of clients, after ``admission``; nil accepts all clients.
  package var authentication: BasicAuthentication?
  /// Header fields of every response, as lines without line breaks.
  package var fields: @Sendable () -> [String] = { [] }
  /// The preferred executors of handlers, used in turn, such as the loops of a transport; empty for none.
  package var executors: [any TaskExecutor] = []
  /// Whether the handler of a request runs on the service's own thread instead, because it responds at once:
  /// work on the executors then does not delay it.
  package var respondsAtOnce: @Sendable (HTTPServiceRequest) -> Bool = { _ in false }
  /// The accepted hosts of requests; a service sets them for each of its addresses.
  var hosts = HostRule.any
  /// Refuses a request before its content is received, such as one without credentials; nil accepts it.
  package var admission: @Sendable (HTTPServiceRequest) -> HTTPServiceFailure? = { _ in nil }
  /// Creates the response for a failure, also one of a handler.
  package var failureResponse: @Sendable (HTTPServiceFailure) -> HTTPServiceResponse = { $0.plainResponse }

  /// The default limits, for any host and any client.
  package init() {}
}

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
