public import OpenSSL

/// How a transfer ended, and all that was learnt.
public struct TransferResult: Sendable {
  /// How far a transfer came.
  public enum Phase: Hashable, Sendable {
    /// Looking the name up.
    case resolve
    /// Connecting.
    case connect
    /// The TLS handshake.
    case tls
    /// Waiting for, or receiving, the head.
    case response
    /// Receiving the body.
    case body
  }

  /// Moments of a transfer in microseconds from its start; 0 for one that was not reached.
  public struct Moments: Sendable {
    /// The name was looked up.
    public var resolved: Int64 = 0
    /// The connection stood.
    public var connected: Int64 = 0
    /// The TLS handshake was done.
    public var secured: Int64 = 0
    /// The request was about to be sent.
    public var requested: Int64 = 0
    /// The first byte of the answer came.
    public var answered: Int64 = 0
    /// All was done.
    public var finished: Int64 = 0
  }

  /// What a proxy said or did.
  public struct Proxy: Sendable {
    /// The status it answered CONNECT with, or 0.
    public var tunnelStatus = 0
    /// What went wrong with a SOCKS proxy (`CURLPX_…`), or 0.
    public var error: UInt32 = 0
    /// Whether the latest TLS handshake was the one with it.
    public var endedInHandshake = false
    /// What that handshake showed.
    public var handshake: Verification?
  }

  /// libcurl's result.
  public var code: CurlCode
  /// libcurl's own words on a failure; may hold bytes from the network.
  public var message: String
  /// The operating system's error behind a failure, or 0.
  public var systemError: Int32
  /// The phase that was under way when it ended.
  public var phase: Phase
  /// When what happened.
  public var moments: Moments
  /// The peer's address as text, or nil when no connection stood.
  public var remoteAddress: String?
  /// The peer's port.
  public var remotePort: UInt16
  /// The head and body received.
  public var answer: ReceivedAnswer
  /// What the TLS handshake showed, or nil without one.
  public var handshake: Verification?
  /// The connection that was asked for, when it stands.
  var socket: ConnectedSocket?
  /// What the proxy said or did.
  public var proxy = Proxy()
}

extension TransferResult {
  /// A transfer that could not start.
  static var cannotStart: TransferResult {
    TransferResult(
      code: .outOfMemory, message: "no memory or thread left to start the transfer",
      systemError: descriptorShortage(), phase: .resolve, moments: Moments(), remoteAddress: nil,
      remotePort: 0,
      answer: ReceivedAnswer(maxHead: 0, maxBody: 0), handshake: nil)
  }
}
