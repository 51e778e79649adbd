/// One request of a probe: where to, how, and what it may cost.
public struct ProbeRequest: Sendable {
  /// Where to.
  public var url: ProbeURL
  /// The time for the whole probe, redirects included; with ``retries``, for each attempt.
  public var timeout: Duration = .seconds(5)
  /// The time for looking up the name, connecting and, where there is one, the TLS handshake; nil for as long as
  /// ``timeout`` allows.
  public var connectTimeout: Duration?
  /// How many redirects to follow; 0 judges the first answer, whatever it is.
  public var redirects = 0
  /// How many bytes of the body to keep, after decoding; the rest is not received.
  public var maxBody = 64 * 1024
  /// How many bytes the head may have, interim (1xx) responses included; a longer one fails the probe.
  public var maxHead = 64 * 1024
  /// The address family to use, or nil for either.
  public var family: IPFamily?
  /// Where to connect to instead, first match wins; host name, Host header and SNI stay as the URL says.
  public var connectTo: [ConnectTo] = []
  /// The interface or address of this machine to leave by, or nil for the one its routes say.
  public var source: ProbeSource?
  /// The proxy to go through, or nil for none; none is ever taken from the environment.
  public var proxy: ProbeProxy?
  /// Whether an address of this machine or of its link is not connected to, unless ``connectTo`` or ``proxy`` says so: for
  /// a URL from outside, whose host name may resolve to such an address.
  public var staysOffThisMachine = false
  /// How often to try again when an attempt fails for a reason that may pass, such as a timeout, a reset or a status
  /// 503; see ``TransientFailure``.
  public var retries = 0
  /// How long to wait before trying again.
  public var backoff = RetryBackoff()
  /// What tells a transport without framing of its own, such as TCP, that it has received enough; nil for one that
  /// need not receive anything.
  ///
  /// Transports whose answers have an end of their own take no notice.
  public var expectation: (any ResponseValidator)?
  @usableFromInline var httpOnHeap = CopyOnWrite(HTTPRequestOptions())
  @usableFromInline var tlsOnHeap = CopyOnWrite(TLSRequestOptions())
  private var transportOptions: [ObjectIdentifier: any Sendable] = [:]

  /// A request with the default options.
  public init(_ url: ProbeURL) {
    self.url = url
  }

  /// What HTTP needs to know.
  @inlinable public var http: HTTPRequestOptions {
    _read { yield httpOnHeap.value }
    _modify { yield &httpOnHeap.value }
  }

  /// What TLS needs to know.
  @inlinable public var tls: TLSRequestOptions {
    _read { yield tlsOnHeap.value }
    _modify { yield &tlsOnHeap.value }
  }

  /// Options of one transport alone, by their type.
  ///
  /// A transport defines a type of its own for what only it understands and reads it here; nil when not given.
  public subscript<Options: Sendable>(_ type: Options.Type) -> Options? {
    get { transportOptions[ObjectIdentifier(type)] as? Options }
    set { transportOptions[ObjectIdentifier(type)] = newValue }
  }

  /// Keeps what is the same in another request once for both; thousands of a plan differ in little but their URL.
  package mutating func share(with other: ProbeRequest) {
    if httpOnHeap == other.httpOnHeap { httpOnHeap = other.httpOnHeap }
    if tlsOnHeap == other.tlsOnHeap { tlsOnHeap = other.tlsOnHeap }
  }
}

/// The part of a request that only HTTP has.
public struct HTTPRequestOptions: Hashable, Sendable {
  /// The request method (RFC 9110 §9), case-sensitive.
  public var method = "GET"
  /// Header fields to send besides those the transport makes itself; one with its name replaces those.
  ///
  /// The transport's own are `User-Agent`, `Accept-Encoding`, `Connection: close` (RFC 9112 §9.6), and `no-cache` in
  /// `Cache-Control` and `Pragma`, so that no cache on the way answers for a server that cannot be reached.
  public var headers: HeaderFields = [:]
  /// The content to send, or nil for none.
  public var body: [UInt8]?
  /// What to show to be let in, or nil for nothing; beside it there can be no Authorization field.
  public var credentials: HTTPCredentials?
  /// The version of HTTP to speak.
  public var version = HTTPVersion.automatic
  /// The client to use.
  public var client = HTTPClient.automatic
  /// The content codings (RFC 9110 §8.4.1) to ask for, such as `gzip`.
  ///
  /// Without one every body stays as it comes; otherwise every coding that the transport knows is undone, also one that
  /// was not asked for.
  public var contentCodings = ["gzip", "deflate"]
  /// The User-Agent field.
  public var userAgent = "ProbeKit/\(probeKitVersion)"

  /// A GET without extra header fields.
  public init() {}
}

/// The part of a request that only TLS has.
public struct TLSRequestOptions: Hashable, Sendable {
  /// A PEM file of certificate authorities trusted besides the machine's own, or nil.
  ///
  /// When it changes, or the machine's own do, so do those that later connections trust.
  public var additionalAuthorities: String?
  /// The certificates, in PEM form, of the only authorities that are trusted, or nil.
  ///
  /// With them neither the machine's own authorities nor the additional ones are trusted, or even read: for a server
  /// that has an authority of its own, such as the replay server. They hold for every hop, and for an https proxy.
  public var onlyAuthorities: [UInt8]?
  /// The certificate to show to a server that asks for one, or nil for none.
  public var clientCertificate: ClientCertificate?

  /// The machine's own certificate authorities alone.
  public init() {}
}

/// The version of ProbeKit, as in its User-Agent field and `--version`.
public let probeKitVersion = "0.2.0"
