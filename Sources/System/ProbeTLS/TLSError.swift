import ProbeBase
internal import CProbeOpenSSL
internal import Glibc

/// An error of OpenSSL.
package struct TLSError: Error, Hashable, Sendable {
  /// The kind of failure; the set may grow.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// A short, bounded identifier, suitable as a metric label.
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Bytes or text that are not a certificate, or an inconsistent one.
    package static let malformedCertificate = Code(rawValue: "malformedCertificate")
    /// A key or certificate could not be created.
    package static let cannotIssue = Code(rawValue: "cannotIssue")
    /// A context or session could not be configured.
    package static let cannotConfigure = Code(rawValue: "cannotConfigure")
    /// A host that is invalid in any certificate.
    package static let malformedHost = Code(rawValue: "malformedHost")
    package static let handshakeFailed = Code(rawValue: "handshakeFailed")
    /// The peer's records are not valid, or it sent an alert after the handshake.
    package static let protocolViolation = Code(rawValue: "protocolViolation")
    /// The connection ended or broke below TLS.
    package static let connectionLost = Code(rawValue: "connectionLost")
  }

  /// The kind of failure.
  package var code: Code
  /// A description of the failure and its reason, one line.
  package var message: String
  /// OpenSSL's own error, if there is one.
  package var handshakeFailure: HandshakeFailure?

  package init(_ code: Code, _ message: String, handshakeFailure: HandshakeFailure? = nil) {
    self.code = code
    self.message = message
    self.handshakeFailure = handshakeFailure
  }

  /// A failure with the reason in this thread's OpenSSL error queue, which is cleared.
  static func queued(_ code: Code, _ action: String) -> TLSError {
    guard let packed = ErrorQueue.take() else { return TLSError(code, action) }
    let handshakeFailure = HandshakeFailure(packedCode: packed)
    return TLSError(code, "\(action): \(handshakeFailure.text)", handshakeFailure: handshakeFailure)
  }
}

extension TLSError: CustomStringConvertible {
  package var description: String { message }
}

/// This thread's queue of OpenSSL errors, read immediately, so that no error is attributed to a later call.
enum ErrorQueue {
  /// The earliest error, which is the cause; clears the queue.
  static func take() -> UInt? {
    let first = ERR_peek_error()
    ERR_clear_error()
    return first == 0 ? nil : first
  }

  static func clear() {
    ERR_clear_error()
  }

  /// The reason text, such as `wrong version number`.
  static func text(_ packed: UInt) -> String {
    // Until a TLS object is created, OpenSSL has no texts for its errors.
    OPENSSL_init_ssl(UInt64(OPENSSL_INIT_LOAD_SSL_STRINGS), nil)
    var buffer = [CChar](repeating: 0, count: 256)
    unsafe buffer.withUnsafeMutableBufferPointer {
      unsafe ERR_error_string_n(packed, $0.baseAddress, $0.count)
    }
    let line = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The line is `error:CODE:LIBRARY:FUNCTION:REASON`; the function has been empty since OpenSSL 3.
    let parts = line.split(separator: ":", maxSplits: 4, omittingEmptySubsequences: false)
    return parts.count == 5 ? String(parts[4]) : line
  }
}

/// The reason why a handshake failed, from OpenSSL's packed error code.
package struct HandshakeFailure: Hashable, Sendable {
  /// The packed code, as in `error:0A00010B:SSL routines::wrong version number`.
  package let packedCode: UInt
  /// The reason text, one line, such as `wrong version number`.
  package let text: String

  package init(packedCode: UInt) {
    self.packedCode = packedCode
    text = ErrorQueue.text(packedCode)
  }

  /// The first packed code in a message, such as one in libcurl's error buffer.
  ///
  /// - Returns: nil if the message contains none.
  package init?(message: String) {
    let bytes = Array(message.utf8)
    let mark = Array("error:".utf8)
    guard bytes.count >= mark.count + 8 else { return nil }
    for start in 0...(bytes.count - mark.count - 8)
    where bytes[start..<(start + mark.count)].elementsEqual(mark) {
      let digits = String(decoding: bytes[(start + mark.count)..<(start + mark.count + 8)], as: UTF8.self)
      if let code = UInt(text: digits, radix: 16) {
        self.init(packedCode: code)
        return
      }
    }
    return nil
  }
}

extension HandshakeFailure {
  /// The number of the alert from the peer (RFC 8446 §6), or nil for another failure.
  package var alert: UInt8? {
    guard let reason = sslReason, reason >= SSL_AD_REASON_OFFSET else { return nil }
    return UInt8(exactly: reason - SSL_AD_REASON_OFFSET)
  }

  /// The name of the alert from the peer, such as `handshake failure`, or nil for another failure.
  package var alertName: String? {
    // OpenSSL has no name for these alerts of TLS 1.3 (RFC 8446 §6).
    switch alert {
    case 109: return "missing extension"
    case 116: return "certificate required"
    case 120: return "no application protocol"
    default: break
    }
    guard let alert, let name = unsafe SSL_alert_desc_string_long(Int32(truncatingIfNeeded: alert)) else {
      return nil
    }
    return unsafe String(cString: name)
  }

  /// Whether the peer's bytes are not TLS at all.
  package var isNotTLS: Bool {
    switch sslReason {
    case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_BAD_PACKET: true
    default: false
    }
  }

  /// Whether this side found that there is no common TLS version.
  package var isUnsupportedVersion: Bool {
    sslReason == SSL_R_UNSUPPORTED_PROTOCOL || sslReason == SSL_R_VERSION_TOO_LOW
  }

  /// Whether this side refused the peer's certificate; the verification has the reason.
  package var isCertificateRefused: Bool { sslReason == SSL_R_CERTIFICATE_VERIFY_FAILED }

  /// Whether the connection ended before the end of the handshake or the close notification.
  package var isUnexpectedEnd: Bool { sslReason == SSL_R_UNEXPECTED_EOF_WHILE_READING }

  /// The reason code if the error is of OpenSSL's TLS library (`ERR_GET_LIB`, `ERR_GET_REASON`).
  private var sslReason: Int32? {
    guard packedCode & 0x8000_0000 == 0, (packedCode >> 23) & 0xFF == UInt(ERR_LIB_SSL) else { return nil }
    return Int32(truncatingIfNeeded: packedCode & 0x7F_FFFF)
  }
}

extension ErrorQueue {
  /// Whether it is an error of the operating system due to a lack of file descriptors.
  static func isShortageOfDescriptors(_ packed: UInt) -> Bool {
    // OpenSSL marks system errors with this bit, and stores errno in the lower ones (ERR_SYSTEM_ERROR).
    guard packed & 0x8000_0000 != 0 else { return false }
    return [EMFILE, ENFILE].contains(Int32(truncatingIfNeeded: packed & 0x7FFF_FFFF))
  }
}
