/// What came back from a probe, as far as it came.
///
/// A complete answer has a head (HTTP) or received bytes (TCP); inside a ``ProbeFailure`` the same type holds
/// what was learnt before the probe failed.
public struct ProbeResponse: Hashable, Sendable {
  @usableFromInline struct Values: Hashable, Sendable {
    @usableFromInline var url: ProbeURL
    @usableFromInline var head: HTTPResponseHead?
    @usableFromInline var body: [UInt8]
    @usableFromInline var bodyIsCut: Bool
    @usableFromInline var redirects: [RedirectHop]
    @usableFromInline var remoteAddress: SocketAddress?
    @usableFromInline var timings: ProbeTimings
    @usableFromInline var tls: TLSFacts?
    @usableFromInline var captures: [String: String]
    @usableFromInline var attempts = 1
    @usableFromInline var retryAfter: Duration?
    @usableFromInline var connection: ConnectionFacts?
    @usableFromInline var deviations: [Deviation] = []
  }

  @usableFromInline var heap: CopyOnWrite<Values>

  /// An answer.
  public init(
    url: ProbeURL, head: HTTPResponseHead? = nil, body: [UInt8] = [], bodyIsCut: Bool = false,
    redirects: [RedirectHop] = [], remoteAddress: SocketAddress? = nil,
    timings: ProbeTimings = ProbeTimings(),
    tls: TLSFacts? = nil, captures: [String: String] = [:]
  ) {
    heap = CopyOnWrite(
      Values(
        url: url, head: head, body: body, bodyIsCut: bodyIsCut, redirects: redirects,
        remoteAddress: remoteAddress, timings: timings, tls: tls, captures: captures))
  }
}

extension ProbeResponse {
  /// The URL this answer is for: the request's, or the last one redirects led to.
  @inlinable public var url: ProbeURL {
    get { heap.value.url }
    _modify { yield &heap.value.url }
  }

  /// Status line and header fields, or nil when there are none (TCP, or nothing came).
  @inlinable public var head: HTTPResponseHead? {
    get { heap.value.head }
    _modify { yield &heap.value.head }
  }

  /// The body with its codings (chunked, gzip, …) removed; for TCP the bytes received.
  @inlinable public var body: [UInt8] {
    get { heap.value.body }
    _modify { yield &heap.value.body }
  }

  /// Whether the body was longer than ``ProbeRequest/maxBody`` and is cut there, or is the beginning of a redirect's that
  /// did not come whole.
  @inlinable public var bodyIsCut: Bool {
    get { heap.value.bodyIsCut }
    _modify { yield &heap.value.bodyIsCut }
  }

  /// Every redirect answer in the order they came; the last one is this answer itself when it was not followed.
  @inlinable public var redirects: [RedirectHop] {
    get { heap.value.redirects }
    _modify { yield &heap.value.redirects }
  }

  /// The peer's end of the connection; of a probe that failed before one stood, where it was last tried.
  @inlinable public var remoteAddress: SocketAddress? {
    get { heap.value.remoteAddress }
    _modify { yield &heap.value.remoteAddress }
  }

  /// How the connection came about, or nil when the transport does not tell.
  @inlinable public var connection: ConnectionFacts? {
    get { heap.value.connection }
    _modify { yield &heap.value.connection }
  }

  /// How the answer breaks the rules of HTTP where it is read all the same, each once; empty when it keeps them or the
  /// transport does not tell.
  @inlinable public var deviations: [Deviation] {
    get { heap.value.deviations }
    _modify { yield &heap.value.deviations }
  }

  /// How long each phase took.
  @inlinable public var timings: ProbeTimings {
    get { heap.value.timings }
    _modify { yield &heap.value.timings }
  }

  /// The TLS session, or nil without TLS.
  @inlinable public var tls: TLSFacts? {
    get { heap.value.tls }
    _modify { yield &heap.value.tls }
  }

  /// What named groups matched while the answer was received, by name, such as in a TCP dialog.
  @inlinable public var captures: [String: String] {
    get { heap.value.captures }
    _modify { yield &heap.value.captures }
  }

  /// How long from its arrival on the server wants to be left alone (`Retry-After`, RFC 9110 §10.2.3); nil when it does
  /// not say so in a form that can be read.
  @inlinable public var retryAfter: Duration? {
    get { heap.value.retryAfter }
    _modify { yield &heap.value.retryAfter }
  }

  /// How many attempts it took: more than one when the request allows retries and earlier ones failed.
  @inlinable public var attempts: Int {
    get { heap.value.attempts }
    _modify { yield &heap.value.attempts }
  }
}

extension ProbeResponse {
  /// Lends the bytes of the values of all header fields with this name, in any case, in wire order.
  ///
  /// The bytes are not copied on the way: every validator of text asks for a field of every answer.
  ///
  /// - Returns: Whether there is a head at all.
  package func forEachRawFieldValue(of name: String, _ body: (Span<UInt8>) -> Void) -> Bool {
    guard let fields = heap.value.head?.fields else { return false }
    fields.forEachRawValue(for: name, body)
    return true
  }

  /// The HTTP status code, or nil when there is none.
  public var status: Int? { head?.status }

  /// The address family of the connection.
  public var family: IPFamily? { remoteAddress?.address.family }
}

/// A probe that got no complete answer: why, and what was learnt before.
public struct ProbeFailure: Error, Hashable, Sendable {
  /// Why, as a stable word.
  public var reason: ReasonCode
  /// Why, in words for a person: one line, safe to print.
  public var detail: String
  /// What was learnt before it failed: address, timings, certificate chain, head, redirects; nil when nothing was.
  public var partial: ProbeResponse?

  /// A failure.
  public init(_ reason: ReasonCode, _ detail: String, partial: ProbeResponse? = nil) {
    self.reason = reason
    self.detail = detail.escapedForDisplay
    self.partial = partial
  }
}

extension ProbeFailure: CustomStringConvertible {
  /// Reason and detail on one line.
  public var description: String { "\(reason): \(detail)" }
}
