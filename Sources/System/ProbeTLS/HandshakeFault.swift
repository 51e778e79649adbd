internal import CProbeOpenSSL
import ProbeBase

/// The reason why a handshake failed, from OpenSSL's packed error code.
package struct HandshakeFault: Hashable, Sendable {
  /// The packed code, as in `error:0A00010B:SSL routines::wrong version number`.
  package let packedCode: UInt
  /// The reason text, one line, such as `wrong version number`.
  package let text: String

  /// A fault with a packed code.
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

extension HandshakeFault {
  /// The number of the alert from the peer (RFC 8446 §6), or nil for another fault.
  package var alert: UInt8? {
    guard let reason = sslReason, reason >= SSL_AD_REASON_OFFSET else { return nil }
    return UInt8(exactly: reason - SSL_AD_REASON_OFFSET)
  }

  /// The name of the alert from the peer, such as `handshake failure`, or nil for another fault.
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
