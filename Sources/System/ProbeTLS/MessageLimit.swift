internal import CProbeOpenSSL

/// Limits the handshake messages that one connection may send.
///
/// OpenSSL continues to read while there are any, also after the handshake: HelloRequests (RFC 5246
/// §7.4.1.1), which it ignores, session tickets, requests for certificates, and key updates (RFC 8446
/// §4.6.3). Each costs far more work than its few bytes, so a peer that sends nothing else would occupy the
/// thread.
final class MessageLimit {
  /// The maximum size of all messages: several times OpenSSL's limit for certificates.
  static let maximumBytes = 512 * 1024
  /// The maximum number of messages, other than HelloRequests, until the peer has sent further data.
  static let maximumMessages = 64
  /// The number of bytes of data after which the messages are counted anew.
  static let dataBetween = 16 * 1024

  private var bytes = 0
  private var messages = 0
  private var data = 0

  /// Whether the peer has sent more messages than allowed.
  private(set) var isExceeded = false

  /// Counts a message, and ends a connection that sends too many.
  func count(_ message: UnsafeRawBufferPointer, on connection: OpaquePointer) {
    bytes += message.count
    if unsafe message.first != UInt8(SSL3_MT_HELLO_REQUEST) { messages += 1 }
    guard bytes > Self.maximumBytes || messages > Self.maximumMessages else { return }
    isExceeded = true
    // Further input is discarded, as after the peer's own end.
    unsafe SSL_set_shutdown(connection, SSL_RECEIVED_SHUTDOWN)
  }

  /// Counts data that was received inside TLS.
  func received(_ count: Int) {
    data += count
    guard data >= Self.dataBetween else { return }
    (data, messages) = (0, 0)
  }
}
