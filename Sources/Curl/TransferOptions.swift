public import OpenSSL
public import ProbeCore

/// What one transfer is to do and what it may cost; every value goes to libcurl as it stands.
public struct TransferOptions: Sendable {
  /// The part of a transfer that only HTTP has.
  public struct HTTP: Sendable {
    /// The request method.
    public var method: String
    /// Header lines, `Name: value`; libcurl's own with the same name give way.
    public var headers: [String]
    /// The content to send.
    public var body: [UInt8]?
    /// The most bytes the head may have, interim responses included.
    public var maxHead: Int
    /// The most bytes of decoded body to keep.
    public var maxBody: Int

    /// The version of HTTP to speak.
    public var version = HTTPVersion.automatic
    /// The content codings to ask for and undo, as in Accept-Encoding; nil for none.
    public var contentCodings: String?

    /// The HTTP part of a transfer.
    public init(method: String, headers: [String], body: [UInt8]?, maxHead: Int, maxBody: Int) {
      self.method = method
      self.headers = headers
      self.body = body
      self.maxHead = maxHead
      self.maxBody = maxBody
    }
  }

  /// The URL.
  public var url: String
  /// Where to connect to instead of the URL's host and port, in libcurl's form `::HOST:PORT`.
  public var connectTo: String?
  /// The time for everything.
  public var timeout: Duration
  /// The time for looking up and connecting, or nil for no limit of its own.
  public var connectTimeout: Duration?
  /// The address family to keep to.
  public var family: IPFamily?
  /// Whom to trust; nil for a transfer without TLS.
  public var trust: TrustStore?
  /// The certificate and key to show to a server that asks for one.
  public var identity: Identity?
  /// The proxy to go through.
  public var proxy: ProbeProxy?
  /// The interface or address to leave by, in libcurl's form `if!NAME` or `host!ADDRESS`.
  public var interface: String?

  /// Says of which addresses, as text, no connection is made; nil for none.
  public var refusesAddress: (@Sendable (String) -> Bool)?

  /// A transfer with the given time for everything.
  public init(url: String, timeout: Duration) {
    self.url = url
    self.timeout = timeout
  }
}
