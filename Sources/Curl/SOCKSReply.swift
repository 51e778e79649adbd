internal import CCurl

/// What a SOCKS proxy said in place of making a connection (RFC 1928 §6), from libcurl's `CURLPX_…` code.
public struct SOCKSReply: Hashable, Sendable {
  /// In words, or nil when it broke off, or spoke no SOCKS.
  public let words: String?

  /// A reply by libcurl's code.
  public init(_ code: UInt32) {
    words =
      switch CURLproxycode(rawValue: code) {
      case CURLPX_NO_AUTH, CURLPX_USER_REJECTED: "it wants another login"
      case CURLPX_REPLY_NOT_ALLOWED: "its rules do not allow it"
      case CURLPX_REPLY_CONNECTION_REFUSED: "the server refused the connection"
      case CURLPX_REPLY_HOST_UNREACHABLE: "the host cannot be reached"
      case CURLPX_REPLY_NETWORK_UNREACHABLE: "the network cannot be reached"
      case CURLPX_REPLY_TTL_EXPIRED: "the way is too long, or goes in circles"
      case CURLPX_REPLY_GENERAL_SERVER_FAILURE: "it failed without saying why"
      case CURLPX_REPLY_COMMAND_NOT_SUPPORTED: "it does not make connections"
      case CURLPX_REPLY_ADDRESS_TYPE_NOT_SUPPORTED: "it does not know this kind of address"
      case CURLPX_REPLY_UNASSIGNED, CURLPX_REQUEST_FAILED: "it gave no known reason"
      default: nil
      }
  }
}
