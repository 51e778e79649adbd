package import ProbeOpenSSL
package import ProbeCore

/// What one transfer is to do and what it may cost; every value goes to libcurl as it stands.
package struct TransferOptions: Sendable {
  /// The part of a transfer that only HTTP has.
  package struct HTTP: Sendable {
    /// The request method.
    package var method: String
    /// Header lines, `Name: value`; libcurl's own with the same name give way.
    package var headers: [String]
    /// The content to send.
    package var body: [UInt8]?
    /// The most bytes the head may have, interim responses included.
    package var maxHead: Int
    /// The most bytes of decoded body to keep.
    package var maxBody: Int

    /// The version of HTTP to speak.
    package var version = HTTPVersion.automatic
    /// The content codings to ask for and undo, as in Accept-Encoding; nil for none.
    package var contentCodings: String?

    /// The HTTP part of a transfer.
    package init(method: String, headers: [String], body: [UInt8]?, maxHead: Int, maxBody: Int) {
      self.method = method
      self.headers = headers
      self.body = body
      self.maxHead = maxHead
      self.maxBody = maxBody
    }
  }

  /// The URL.
  package var url: String
  /// Where to connect to instead of the URL's host and port, in libcurl's form `::HOST:PORT`.
  package var connectTo: String?
  /// The time for everything.
  package var timeout: Duration
  /// The time for looking up and connecting, or nil for no limit of its own.
  package var connectTimeout: Duration?
  /// The address family to keep to.
  package var family: IPFamily?
  /// Whom to trust; nil for a transfer without TLS.
  package var trust: TrustStore?
  /// The certificate and key to show to a server that asks for one.
  package var identity: Identity?
  /// The proxy to go through.
  package var proxy: ProbeProxy?
  /// The interface or address to leave by, in libcurl's form `if!NAME` or `host!ADDRESS`.
  package var interface: String?

  /// Says of which addresses, as text, no connection is made; nil for none.
  package var refusesAddress: (@Sendable (String) -> Bool)?

  /// A transfer with the given time for everything.
  package init(url: String, timeout: Duration) {
    self.url = url
    self.timeout = timeout
  }
}
