package import ProbeTLS
package import ProbeCore
internal import ProbeSystem

/// The outcome of a transfer, with all available facts.
///
/// It is an object, so that each of thousands of waiting tasks needs no space for one.
package final class TransferResult: Sendable {
  /// The phase that a transfer reached.
  package enum Phase: Hashable, Sendable {
    case resolve
    case connect
    /// The TLS handshake.
    case tls
    /// Waiting for the head, or receiving it.
    case response
    /// Receiving the body.
    case body
  }

  /// Times of a transfer in microseconds from its start; 0 for one that was not reached.
  package struct Moments: Sendable {
    /// The name was resolved.
    package var resolved: Int64 = 0
    /// The connection was established.
    package var connected: Int64 = 0
    /// The TLS handshake was complete.
    var secured: Int64 = 0
    /// The request was about to be sent.
    package var requested: Int64 = 0
    /// The first byte of the response was received.
    package var responded: Int64 = 0
    /// The transfer was complete.
    package var finished: Int64 = 0
  }

  /// The result of a proxy.
  package struct Proxy: Sendable {
    /// The status of its response to CONNECT, or 0.
    var tunnelStatus = 0
    /// The error of a SOCKS proxy (`CURLPX_…`), or 0.
    package var error: UInt32 = 0
    /// Whether its response to CONNECT exceeded the limit.
    var responseIsTooLong = false
    /// Whether the latest TLS handshake was with the proxy.
    var wasInHandshake = false
    /// The result of that handshake.
    package var handshake: Verification?
  }

  /// libcurl's result code.
  package let code: CurlCode
  /// libcurl's error message; may contain bytes from the network.
  package let message: String
  /// The system error that caused a failure, or 0.
  package let systemError: Int32
  /// The phase in which it ended.
  package let phase: Phase
  /// The times of the phases.
  package let moments: Moments
  /// The remote address of the connection, or nil if none was established.
  package let remote: SocketAddress?
  /// The last address that was tried if no connection was established, or nil if none was tried.
  package let tried: SocketAddress?
  /// Whether a resolved address was refused.
  let hasRefusedAddress: Bool
  /// The head and body received.
  package let response: ReceivedResponse
  /// Whether the body was received up to its limit, and further reading was requested; the result is then
  /// that of the further bytes, and the times are those at the limit.
  let isCompleteToLimit: Bool
  /// The delay in seconds that the server requests (`Retry-After`), or nil if there is none.
  package let retryAfter: Int64?
  /// The result of the TLS handshake, or nil without one.
  package let handshake: Verification?
  /// Whether the peer has announced its end; true without TLS, which has no such announcement.
  package let hasCloseNotify: Bool
  package let proxy: Proxy

  init(
    code: CurlCode, message: String, systemError: Int32, phase: Phase, moments: Moments,
    remote: SocketAddress?, tried: SocketAddress? = nil,
    hasRefusedAddress: Bool = false,
    response: ReceivedResponse, isCompleteToLimit: Bool = false, retryAfter: Int64? = nil,
    handshake: Verification?, hasCloseNotify: Bool = true,
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
    self.response = response
    self.isCompleteToLimit = isCompleteToLimit
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

  /// A transfer that ended before it started.
  static func unstarted(_ code: CurlCode, message: String, systemError: Int32 = 0) -> TransferResult {
    TransferResult(
      code: code, message: message, systemError: systemError, phase: .resolve, moments: Moments(),
      remote: nil, response: ReceivedResponse(maxHead: 0, maxBody: 0), handshake: nil)
  }
}
