package import ProbeTLS
package import ProbeCore

/// The task of a transfer and its limits; every value is passed to libcurl unchanged.
package struct TransferOptions: Sendable {
  package struct HTTP: Sendable {
    package var method: String
    /// Header lines, `Name: value`; they replace libcurl's own with the same name.
    package var headers: [String]
    /// The content to send.
    package var body: [UInt8]?
    /// The maximum size of the head in bytes, including interim responses.
    package var maxHead: Int
    /// The maximum number of bytes of decoded body to keep.
    package var maxBody: Int

    /// Whether a response without a status line (HTTP/0.9) is received as content without a head.
    var allowsHTTP09 = false
    package var version = HTTPVersion.automatic
    /// The content codings to request and decode, as in Accept-Encoding; nil for none.
    package var contentCodings: String?
    /// Decides how much of the body is received beyond the limit; nil for nothing.
    package var furtherReading: (any FurtherReading)?
    /// Returns the response of a transfer so far, for ``furtherReading``.
    package var makeResponse: (@Sendable (TransferResult) -> ProbeResponse)?
    /// Decides whether the bytes of the body are kept, and provides their memory; nil keeps all of them.
    package var bodyKeeping: (any BodyKeeping)?

    package init(method: String, headers: [String], body: [UInt8]?, maxHead: Int, maxBody: Int) {
      self.method = method
      self.headers = headers
      self.body = body
      self.maxHead = maxHead
      self.maxBody = maxBody
    }
  }

  package var url: String
  /// The destination instead of the URL's host and port, in libcurl's format `::HOST:PORT`.
  package var connectTo: String?
  /// The addresses of the host to connect to, which is the proxy if there is one, and the port; nil if libcurl looks up
  /// the name.
  package var knownAddresses: (all: [IPAddress], port: UInt16)?
  /// The timeout for the whole transfer.
  package var timeout: Duration
  /// The timeout for resolving and connecting, or nil for none.
  package var connectTimeout: Duration?
  /// The only address family to use.
  package var family: IPFamily?
  /// The trusted authorities; nil for a transfer without TLS.
  package var trust: TrustStore?
  /// The host that the server's certificate must be for; empty for a transfer without TLS to the server.
  package var host = ""
  /// The TLS versions to offer, and the reporting of certificates.
  package var checks = TLSChecks()
  /// The certificate and key to send if the server requests one.
  package var identity: Identity?
  package var proxy: ProbeProxy?
  /// The source interface or address, in libcurl's format `if!NAME` or `host!ADDRESS`.
  package var interface: String?

  /// Returns whether an address, as text, must not be connected to; nil for no restriction.
  var refusesAddress: (@Sendable (String) -> Bool)?

  package init(url: String, timeout: Duration) {
    self.url = url
    self.timeout = timeout
  }
}

extension TransferOptions {
  /// The hosts that the certificates of the server and of the proxy must be for; nil for one without TLS.
  var certificateHosts: (server: CertificateHost?, proxy: CertificateHost?) {
    guard trust != nil else { return (nil, nil) }
    return (try? CertificateHost(host), proxy.flatMap { try? CertificateHost($0.host) })
  }
}
