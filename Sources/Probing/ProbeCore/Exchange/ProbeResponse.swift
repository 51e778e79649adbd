/// The response to a probe, as far as it was received.
///
/// A complete response has a head (HTTP) or received bytes (TCP). In a ``ProbeFailure``, the same type
/// contains what was learned before the probe failed.
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
    var redirectSessions: [RedirectSession] = []
    @usableFromInline var deviations: [Deviation] = []
    @usableFromInline var dns: CopyOnWrite<DNSFacts>?
    @usableFromInline var ping: CopyOnWrite<PingFacts>?
    @usableFromInline var judgements: ProgramJudgements?
    var performance: [PerformanceValue] = []
    var connectsToItself = false
    var isFromThisMachine = false
  }

  @usableFromInline var heap: CopyOnWrite<Values>

  /// Creates a response.
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
  /// The URL of the response: the request's, or that of the last redirect that was followed.
  @inlinable public var url: ProbeURL {
    get { heap.value.url }
    _modify { yield &heap.value.url }
  }

  /// The status line and header fields, or nil if there are none (TCP, or nothing was received).
  @inlinable public var head: HTTPResponseHead? {
    get { heap.value.head }
    _modify { yield &heap.value.head }
  }

  /// The body with its codings (chunked, gzip, …) decoded; for TCP, the bytes received; for DNS, the
  /// records of the answer; for ICMP, a summary of the replies.
  @inlinable public var body: [UInt8] {
    get { heap.value.body }
    _modify { yield &heap.value.body }
  }

  /// Whether the body is incomplete: it was longer than ``ProbeRequest/maxBody``, or belongs to a redirect
  /// that was not received completely.
  @inlinable public var bodyIsCut: Bool {
    get { heap.value.bodyIsCut }
    _modify { yield &heap.value.bodyIsCut }
  }

  /// All redirect responses in order; the last one is this response itself if it was not followed.
  @inlinable public var redirects: [RedirectHop] {
    get { heap.value.redirects }
    _modify { yield &heap.value.redirects }
  }

  /// The remote address of the connection; if no connection was established, the address tried last.
  @inlinable public var remoteAddress: SocketAddress? {
    get { heap.value.remoteAddress }
    _modify { yield &heap.value.remoteAddress }
  }

  /// How the connection was established, or nil if the transport does not report it.
  @inlinable public var connection: ConnectionFacts? {
    get { heap.value.connection }
    _modify { yield &heap.value.connection }
  }

  /// The violations of HTTP in the response, each once.
  ///
  /// Empty if there are none or the transport does not report them.
  @inlinable public var deviations: [Deviation] {
    get { heap.value.deviations }
    _modify { yield &heap.value.deviations }
  }

  /// How long each phase took.
  @inlinable public var timings: ProbeTimings {
    get { heap.value.timings }
    _modify { yield &heap.value.timings }
  }

  /// The TLS session, or nil if TLS was not used.
  @inlinable public var tls: TLSFacts? {
    get { heap.value.tls }
    _modify { yield &heap.value.tls }
  }

  /// The contents of a DNS response, or nil if there are none (any protocol other than DNS).
  public var dns: DNSFacts? {
    get { heap.value.dns?.value }
    set { heap.value.dns = newValue.map { CopyOnWrite($0) } }
  }

  /// The replies to echo requests, or nil if there are none (any protocol other than ICMP).
  public var ping: PingFacts? {
    get { heap.value.ping?.value }
    set { heap.value.ping = newValue.map { CopyOnWrite($0) } }
  }

  /// The TLS sessions of the redirects that were followed to this response, in order.
  package var redirectSessions: [RedirectSession] {
    get { heap.value.redirectSessions }
    set { heap.value.redirectSessions = newValue }
  }

  /// Adds what is known from an earlier exchange of the same probe, and from those before it, except its redirects.
  mutating func add(_ earlier: ProbeResponse) {
    timings.add(earlier.timings)
    // The first response is the one to the URL of the probe.
    isFromThisMachine = earlier.isFromThisMachine
    let own = earlier.tls.map { [RedirectSession(url: earlier.url, tls: $0)] } ?? []
    let sessions = earlier.redirectSessions + own
    if !sessions.isEmpty { redirectSessions = sessions + redirectSessions }
  }

  /// The values that a monitoring plugin measured; empty for any other probe.
  package var performance: [PerformanceValue] {
    get { heap.value.performance }
    set { heap.value.performance = newValue }
  }

  /// The judgements of programs; nil if no program judges the response.
  package var judgements: ProgramJudgements? {
    get { heap.value.judgements }
    set { heap.value.judgements = newValue }
  }

  /// Whether the connection, or the attempt, was to an address of this machine.
  ///
  /// A transport that can find out sets it, if the request asks for it.
  package var connectsToItself: Bool {
    get { heap.value.connectsToItself }
    set { heap.value.connectsToItself = newValue }
  }

  /// Whether the probe reached this machine itself, or tried to, because the name in its URL resolves to one of its own
  /// addresses, such as by an entry in /etc/hosts; ``Prober`` sets it.
  ///
  /// Such a response is no evidence about the network. It is false if the URL has an address or a local name, or if the
  /// request specifies where to connect: then a server of this machine is what the user wants.
  package var isFromThisMachine: Bool {
    get { heap.value.isFromThisMachine }
    set { heap.value.isFromThisMachine = newValue }
  }

  /// The text that named groups matched while the response was received, by name, for example in a TCP
  /// dialog.
  @inlinable public var captures: [String: String] {
    get { heap.value.captures }
    _modify { yield &heap.value.captures }
  }

  /// The delay that the server requests before the next request (`Retry-After`, RFC 9110 §10.2.3), measured
  /// from receipt.
  ///
  /// Nil if there is no such field or it cannot be parsed.
  @inlinable public var retryAfter: Duration? {
    get { heap.value.retryAfter }
    _modify { yield &heap.value.retryAfter }
  }

  /// The number of attempts; more than one if earlier ones failed and were retried.
  @inlinable public var attempts: Int {
    get { heap.value.attempts }
    _modify { yield &heap.value.attempts }
  }
}

extension ProbeResponse {
  /// Calls a closure with the bytes of each value of the header fields with this name, in any case, in wire
  /// order.
  ///
  /// The bytes are not copied, because every text validator reads a field of every response.
  ///
  /// - Returns: Whether there is a head.
  func forEachRawFieldValue(of name: String, _ body: (Span<UInt8>) -> Void) -> Bool {
    guard let fields = heap.value.head?.fields else { return false }
    fields.forEachRawValue(for: name, body)
    return true
  }

  /// The HTTP status code, or nil when there is none.
  public var status: Int? { head?.status }

  /// The address family of the connection.
  public var family: IPFamily? { remoteAddress?.address.family }
}

/// The TLS session of a redirect that was followed.
package struct RedirectSession: Hashable, Sendable {
  /// The URL that sent the redirect.
  package let url: ProbeURL
  package let tls: TLSFacts

  package init(url: ProbeURL, tls: TLSFacts) {
    (self.url, self.tls) = (url, tls)
  }
}

/// A probe without a complete response: the reason, and what was learned before it failed.
public struct ProbeFailure: Error, Hashable, Sendable {
  /// The reason, as a stable code.
  public var reason: ReasonCode
  /// The reason for a person: one line, safe to print.
  public var detail: String
  /// What was learned before the probe failed: address, timings, certificate chain, head, redirects; nil if
  /// nothing.
  public var partial: ProbeResponse?

  /// Creates a failure.
  public init(_ reason: ReasonCode, _ detail: String, partial: ProbeResponse? = nil) {
    self.reason = reason
    self.detail = detail.escapedForDisplay
    self.partial = partial
  }
}

extension ProbeFailure: CustomStringConvertible {
  /// The reason and the detail, on one line.
  public var description: String { "\(reason): \(detail)" }
}
