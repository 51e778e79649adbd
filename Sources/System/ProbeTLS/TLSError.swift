internal import CProbeOpenSSL

/// An error of OpenSSL.
package struct TLSError: Error, Hashable, Sendable {
  /// The kind of failure; the set may grow.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// A short, bounded identifier, suitable as a metric label.
    package let rawValue: String

    /// A code with an identifier.
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
    /// The handshake failed.
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
  package var fault: HandshakeFault?

  /// A failure.
  package init(_ code: Code, _ message: String, fault: HandshakeFault? = nil) {
    self.code = code
    self.message = message
    self.fault = fault
  }

  /// A failure with the reason in this thread's OpenSSL error queue, which is cleared.
  static func queued(_ code: Code, _ action: String) -> TLSError {
    guard let packed = ErrorQueue.take() else { return TLSError(code, action) }
    let fault = HandshakeFault(packedCode: packed)
    return TLSError(code, "\(action): \(fault.text)", fault: fault)
  }
}

extension TLSError: CustomStringConvertible {
  /// The message.
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

  /// Clears the queue.
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
