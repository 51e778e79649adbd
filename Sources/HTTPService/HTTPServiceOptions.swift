/// The limits of a service.
package struct HTTPServiceOptions: Sendable {
  /// The maximum head of a request in bytes; a larger one is answered with 431 (RFC 6585 §5).
  package var longestHead = 16 * 1024
  /// The maximum content of a request in bytes; more is answered with 413 (RFC 9110 §15.5.14).
  package var largestBody = 1 << 20
  /// The maximum number of connections; for a further one, the longest idle one is closed.
  package var mostConnections = 32
  /// The maximum number of requests that are handled at the same time; a further one is answered with 503.
  package var mostRequests = Int.max
  /// How long a client may take to send a request; then it is answered with 408.
  ///
  /// A TLS handshake that takes longer is ended.
  package var requestTime = Duration.seconds(30)
  /// How long a connection may stay open without a request, or without taking a response.
  package var idleTime = Duration.seconds(75)
  /// How long a client may continue to send after the service has ended a connection; the data is discarded.
  package var drainTime = Duration.seconds(5)
  /// The TLS side; nil for a service without TLS.
  package var tls: (any ServiceTLS)?
  /// Decides who may use the service, after ``admission``; nil accepts everybody.
  package var authentication: (any ServiceAuthentication)?
  /// Header fields of every response, as lines without line ends.
  package var fields: @Sendable () -> [String] = { [] }
  /// The executors that handlers prefer, in turn, such as the loops of a transport; empty for none.
  package var executors: [any TaskExecutor] = []
  /// The hosts that requests may be for; a service sets them for each of its places.
  var hosts = HostRule.any
  /// Refuses a request before its content is received, for instance one without credentials; nil accepts it.
  package var admission: @Sendable (HTTPServiceRequest) -> HTTPServiceFault? = { _ in nil }
  /// Makes the response for a fault.
  package var faultResponse: @Sendable (HTTPServiceFault) -> HTTPServiceResponse = { $0.plainResponse }

  /// The default limits, for any host and any client.
  package init() {}
}
