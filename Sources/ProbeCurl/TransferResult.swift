package import ProbeOpenSSL
package import ProbeCore
internal import ProbeSockets

/// How a transfer ended, and all that was learnt.
///
/// An object, so that tasks which wait for thousands of them need no room for one each.
package final class TransferResult: Sendable {
  /// How far a transfer came.
  package enum Phase: Hashable, Sendable {
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
  package struct Moments: Sendable {
    /// The name was looked up.
    package var resolved: Int64 = 0
    /// The connection stood.
    package var connected: Int64 = 0
    /// The TLS handshake was done.
    package var secured: Int64 = 0
    /// The request was about to be sent.
    package var requested: Int64 = 0
    /// The first byte of the answer came.
    package var answered: Int64 = 0
    /// All was done.
    package var finished: Int64 = 0
  }

  /// What a proxy said or did.
  package struct Proxy: Sendable {
    /// The status it answered CONNECT with, or 0.
    package var tunnelStatus = 0
    /// What went wrong with a SOCKS proxy (`CURLPX_…`), or 0.
    package var error: UInt32 = 0
    /// Whether what it answered CONNECT with was longer than is read.
    package var answerIsTooLong = false
    /// Whether the latest TLS handshake was the one with it.
    package var endedInHandshake = false
    /// What that handshake showed.
    package var handshake: Verification?
  }

  /// libcurl's result.
  package let code: CurlCode
  /// libcurl's own words on a failure; may hold bytes from the network.
  package let message: String
  /// The operating system's error behind a failure, or 0.
  package let systemError: Int32
  /// The phase that was under way when it ended.
  package let phase: Phase
  /// When what happened.
  package let moments: Moments
  /// The peer's end of the connection, or nil when none stood.
  package let remote: SocketAddress?
  /// Where a connection was last tried to when none stood, or nil when none was tried.
  package let tried: SocketAddress?
  /// Whether a resolved address was refused.
  package let hasRefusedAddress: Bool
  /// The head and body received.
  package let answer: ReceivedAnswer
  /// How many seconds the server wants to be left alone (`Retry-After`), or nil when it says nothing of it.
  package let retryAfter: Int64?
  /// What the TLS handshake showed, or nil without one.
  package let handshake: Verification?
  /// Whether the peer has said that it has sent all; true without TLS, where nobody can.
  package let hasCloseNotify: Bool
  /// What the proxy said or did.
  package let proxy: Proxy

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
