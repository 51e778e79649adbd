/// A request for a probe: its URL, its options and its limits.
public struct ProbeRequest: Sendable {
  /// The URL to probe.
  public var url: ProbeURL
  /// The kinds of exchanges to allow, or nil for those that the ``Prober`` allows.
  public var policy: ProbePolicy?
  /// The timeout for the whole probe, including redirects; with ``retries``, for each attempt.
  public var timeout: Duration = .seconds(5)
  /// The timeout for the name lookup, connecting and, if applicable, the TLS handshake; nil if only
  /// ``timeout`` applies.
  public var connectTimeout: Duration?
  /// The maximum number of redirects to follow; 0 judges the first response, whatever it is.
  public var redirects = 0
  /// Whether a redirect without a single http or https target fails the probe, as in browsers.
  ///
  /// Its Location is not a URL, has another scheme, or differs between several fields. A redirect without a
  /// Location, or with an empty one, is a response like any other.
  public var strictRedirects = false
  /// Whether a redirect with several Location fields that differ is followed to the first one, as Go's client does;
  /// otherwise it is a response like any other.
  package var followsFirstLocation = false
  /// The maximum number of body bytes to keep, after decoding; the rest is not received.
  ///
  /// In a run of a pipeline, it is what validators see. If a body is longer and not accepted, the run receives
  /// up to 1 MiB of it to find out what it is.
  public var maxBody = 64 * 1024
  /// The maximum size of the head in bytes, including interim (1xx) responses; a larger one fails the probe.
  public var maxHead = 64 * 1024
  /// The address family to use, or nil for either.
  public var family: IPFamily?
  /// Rules for connecting elsewhere, of which the first match applies; host name, Host field and SNI remain
  /// those of the URL.
  public var connectTo: [ConnectTo] = []
  /// The local interface or address to send from, or nil for the one that the routing table selects.
  public var source: ProbeSource?
  /// The DNS server that looks up every name, alone; nil for the name services of this machine.
  ///
  /// No hosts file, search domain or other server is used. An address that ``connectTo`` names needs no lookup. A
  /// proxy that looks up names itself cannot be combined with it.
  public var resolver: SocketAddress?
  /// The proxy to use, or nil for none; it is never read from the environment.
  public var proxy: ProbeProxy?
  /// Chooses the proxy for the target of each redirect; nil for ``proxy``.
  package var proxyAfterRedirect: (@Sendable (ProbeURL) -> ProbeProxy?)?
  /// Whether to refuse connections to an address of this machine or of its link, unless ``connectTo`` or
  /// ``proxy`` names it.
  ///
  /// Set it for a URL from an external source, whose host name may resolve to such an address.
  public var staysOffThisMachine = false
  /// Further rules about the addresses to connect to, each of which can refuse one.
  ///
  /// Like ``staysOffThisMachine``, they do not apply if ``connectTo`` names the address, or to that of ``proxy``.
  package var addressRules: [AddressRule] = []
  /// The addresses to use instead of a lookup, if they belong to the host to connect to; nil for a lookup.
  ///
  /// Datagram sockets and libcurl look up names in any case.
  package var knownAddresses: FoundAddresses?
  /// Whether to find out if the address is one of this machine, which takes a query to the system; a run about the
  /// network needs it.
  package var checksOwnAddress = false
  /// The secrets that the URL, a header field, the body or an option of a transport contains, in addition to
  /// those of the credentials, the proxy and the client certificate.
  ///
  /// Reports redact them. A redirect to another origin drops every header field and the body that contain one,
  /// and is not followed if its target contains one.
  public var otherSecrets: [Secret] = []
  /// The maximum number of retries after a transient failure, such as a timeout, a reset or a status 503.
  public var retries = 0
  /// How long to wait before a retry.
  public var backoff = RetryBackoff()
  /// Decides when a transport without framing, such as TCP, has received enough; nil if nothing need be
  /// received.
  ///
  /// Transports with framed responses ignore it.
  public var expectation: (any ResponseValidator)?
  /// Decides how much of a body to receive beyond ``maxBody``; nil for nothing.
  package var furtherReading: (any FurtherReading)?
  /// Decides whether the bytes of the body are kept, and provides their memory; nil keeps all of them.
  package var bodyKeeping: (any BodyKeeping)?
  /// Whether a run or a scan sends the cookies that a redirect sets with the requests that follow it.
  package var keepsCookies = true
  /// The source of its cookies, or nil for none.
  package var cookies: (any CookieKeeper)?
  @usableFromInline var httpOnHeap = CopyOnWrite(HTTPRequestOptions())
  @usableFromInline var tlsOnHeap = CopyOnWrite(TLSRequestOptions())
  private var transportOptions: [ObjectIdentifier: any Sendable] = [:]

  /// Creates a request with the default options.
  public init(_ url: ProbeURL) {
    self.url = url
  }

  /// A request with the default options, whatever its URL.
  package static let standard = ProbeRequest(ProbeURL(check: Program([])))

  /// The options for HTTP.
  @inlinable public var http: HTTPRequestOptions {
    _read { yield httpOnHeap.value }
    _modify { yield &httpOnHeap.value }
  }

  /// The options for TLS.
  @inlinable public var tls: TLSRequestOptions {
    _read { yield tlsOnHeap.value }
    _modify { yield &tlsOnHeap.value }
  }

  /// The options of a single transport, by their type; nil if not set.
  ///
  /// A transport defines its own type for options that only it supports, and reads them here.
  public subscript<Options: Sendable>(_ type: Options.Type) -> Options? {
    get { transportOptions[ObjectIdentifier(type)] as? Options }
    set { transportOptions[ObjectIdentifier(type)] = newValue }
  }

  /// Shares equal options with another request to save memory; thousands of requests may differ only in their
  /// URL.
  package mutating func share(with other: ProbeRequest) {
    if httpOnHeap == other.httpOnHeap { httpOnHeap = other.httpOnHeap }
    if tlsOnHeap == other.tlsOnHeap { tlsOnHeap = other.tlsOnHeap }
  }
}

/// The options of a request that apply only to HTTP.
public struct HTTPRequestOptions: Hashable, Sendable {
  /// The request method (RFC 9110 §9), case-sensitive.
  public var method = "GET"
  /// Header fields to send in addition to the default ones; a field with the same name replaces the default.
  ///
  /// The default fields are `User-Agent`, `Accept-Encoding`, `Connection: close` (RFC 9112 §9.6), and
  /// `no-cache` in `Cache-Control` and `Pragma`, so that no cache on the path responds for an unreachable
  /// server.
  public var headers: HeaderFields = [:]
  /// The names of default header fields not to send, in any case.
  public var omittedFields: [String] = []
  /// Parameters that the planner of a pipeline adds to the query of the URL, in order.
  package var query: [QueryParameter] = []
  /// The body to send, or nil for none.
  public var body: [UInt8]?
  /// The credentials to send, or nil for none; they cannot be combined with an Authorization field.
  public var credentials: HTTPCredentials?
  /// The version of HTTP to use.
  public var version = HTTPVersion.automatic
  /// Whether to offer HTTP/2 by ALPN over https, unless ``version`` or ``client`` specifies otherwise.
  package var offersHTTP2 = false
  /// The client to use.
  public var client = HTTPClient.automatic
  /// The content codings (RFC 9110 §8.4.1) to request, such as `gzip`.
  ///
  /// If empty, the body is left as received; otherwise every coding that the transport supports is decoded,
  /// even one that was not requested.
  public var contentCodings = ["gzip", "deflate"]
  /// Whether a response over http with an incomplete head is accepted, as browsers do.
  ///
  /// A head that the end of the connection cuts counts as far as it was received. On port 80, a response
  /// without a status line is one of HTTP/0.9: content with status 200. What browsers accept otherwise is accepted too,
  /// over https as well: of several gzip members, only the first is decoded, its checksum is not compared, and a
  /// Content-Length of more than 2^63 - 1 is ignored.
  public var acceptsIncompleteHeads = false
  /// The User-Agent field.
  public var userAgent = "ProbeKit/\(probeKitVersion)"

  /// Creates options for a GET without extra header fields.
  public init() {}
}

/// The options of a request that apply only to TLS.
public struct TLSRequestOptions: Hashable, Sendable {
  /// A PEM file of certificate authorities to trust in addition to the machine's own, or nil.
  ///
  /// If the file or the machine's own authorities change, later connections use the new contents.
  public var additionalAuthorities: String?
  /// The only certificate authorities to trust, in PEM form, or nil.
  ///
  /// If set, the machine's own authorities and the additional ones are neither trusted nor read. Use it for a
  /// server with its own authority, such as the replay server. It applies to every hop, and to an HTTPS
  /// proxy.
  public var onlyAuthorities: [UInt8]?
  /// The certificate to present to a server that requests one, or nil for none.
  public var clientCertificate: ClientCertificate?

  /// The versions to offer, and the handling of the server's certificates.
  package var checks = TLSChecks()

  /// Creates options that trust only the machine's own certificate authorities.
  public init() {}
}

/// The version of ProbeKit, as in its User-Agent field and `--version`.
public let probeKitVersion = "0.3.0"

/// The options of a DNS query: in a file the keys `recursion`, `dnssec` and `path`.
public struct DNSQueryOptions: Hashable, Sendable {
  /// Whether the server should query other servers if necessary (RD, RFC 1035 §4.1.1).
  public var recursion: Bool
  /// Whether to request DNSSEC signatures (DO, RFC 3225).
  public var dnssec: Bool
  /// The path of the server for queries over HTTPS (RFC 8484 §4.1), with a query if the server needs one; the `path` in
  /// the query of a URL takes precedence.
  public var path = "/dns-query"
  /// Whether to query the server of a dns URL over TCP from the start.
  package var usesTCP = false

  /// Creates options.
  public init(recursion: Bool = true, dnssec: Bool = false) {
    self.recursion = recursion
    self.dnssec = dnssec
  }
}

/// A client certificate for servers that request one, as PEM files.
///
/// It is presented only to the origin it is for, not to other origins that redirects point to. If the files
/// change, later connections use the new contents.
public struct ClientCertificate: Hashable, Sendable {
  /// The file with the certificate, followed by the intermediate certificates up to an authority.
  public var certificateFile: String
  /// The file with the private key, or nil if the key is in the certificate file.
  public var keyFile: String?
  /// The passphrase of an encrypted key, or nil.
  public var passphrase: Secret?

  /// Creates a certificate from files.
  public init(certificateFile: String, keyFile: String? = nil, passphrase: Secret? = nil) {
    self.certificateFile = certificateFile
    self.keyFile = keyFile
    self.passphrase = passphrase
  }
}
