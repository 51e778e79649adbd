public import OpenSSL
public import ProbeCore
internal import Sockets

/// How a transfer ended, and all that was learnt.
///
/// An object, so that tasks which wait for thousands of them need no room for one each.
public final class TransferResult: Sendable {
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
    /// Whether what it answered CONNECT with was longer than is read.
    public var answerIsTooLong = false
    /// Whether the latest TLS handshake was the one with it.
    public var endedInHandshake = false
    /// What that handshake showed.
    public var handshake: Verification?
  }

  /// libcurl's result.
  public let code: CurlCode
  /// libcurl's own words on a failure; may hold bytes from the network.
  public let message: String
  /// The operating system's error behind a failure, or 0.
  public let systemError: Int32
  /// The phase that was under way when it ended.
  public let phase: Phase
  /// When what happened.
  public let moments: Moments
  /// The peer's end of the connection, or nil when none stood.
  public let remote: SocketAddress?
  /// Where a connection was last tried to when none stood, or nil when none was tried.
  public let tried: SocketAddress?
  /// Whether a resolved address was refused.
  public let hasRefusedAddress: Bool
  /// The head and body received.
  public let answer: ReceivedAnswer
  /// How many seconds the server wants to be left alone (`Retry-After`), or nil when it says nothing of it.
  public let retryAfter: Int64?
  /// What the TLS handshake showed, or nil without one.
  public let handshake: Verification?
  /// Whether the peer has said that it has sent all; true without TLS, where nobody can.
  public let hasCloseNotify: Bool
  /// What the proxy said or did.
  public let proxy: Proxy

  init(
    code: CurlCode, message: String, systemError: Int32, phase: Phase, moments: Moments,
    remote: SocketAddress?, tried: SocketAddress? = nil, hasRefusedAddress: Bool = false,
    answer: ReceivedAnswer, retryAfter: Int64? = nil, handshake: Verification?, hasCloseNotify: Bool = true,
    proxy: Proxy = Proxy()
  ) {
    self.code = code
    self.message = message
    self.systemError = systemError
    self.phase = phase
    self.moments = moments
    self.remote = remote
    self.tried = tried
    self.hasRefusedAddress = hasRefusedAddress
    self.answer = answer
    self.retryAfter = retryAfter
    self.handshake = handshake
    self.hasCloseNotify = hasCloseNotify
    self.proxy = proxy
  }
}

extension TransferResult {
  /// A transfer that could not start.
  static var cannotStart: TransferResult {
    unstarted(
      .outOfMemory, message: "no memory or thread left to start the transfer",
      systemError: descriptorShortage())
  }

  /// A transfer that ended before it began.
  static func unstarted(_ code: CurlCode, message: String, systemError: Int32 = 0) -> TransferResult {
    TransferResult(
      code: code, message: message, systemError: systemError, phase: .resolve, moments: Moments(),
      remote: nil, answer: ReceivedAnswer(maxHead: 0, maxBody: 0), handshake: nil)
  }
}
