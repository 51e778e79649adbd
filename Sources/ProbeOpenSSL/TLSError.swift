internal import CProbeOpenSSL

/// What OpenSSL could not do, and why.
package struct TLSError: Error, Hashable, Sendable {
  /// The kind of failure; the set may grow.
  package struct Code: RawRepresentable, Hashable, Sendable {
    /// A short, bounded word, fit for a metric label.
    package let rawValue: String

    /// A code from its word.
    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Bytes or text that are no certificate, or one that makes no sense.
    package static let malformedCertificate = Code(rawValue: "malformedCertificate")
    /// A key or certificate could not be made.
    package static let cannotIssue = Code(rawValue: "cannotIssue")
    /// A context or session could not be set up.
    package static let cannotConfigure = Code(rawValue: "cannotConfigure")
    /// A host that no certificate can be for.
    package static let malformedHost = Code(rawValue: "malformedHost")
    /// The handshake did not succeed.
    package static let handshakeFailed = Code(rawValue: "handshakeFailed")
    /// The peer's records are not valid, or it sent an alert after the handshake.
    package static let protocolViolation = Code(rawValue: "protocolViolation")
    /// The connection ended or broke below TLS.
    package static let connectionLost = Code(rawValue: "connectionLost")
  }

  /// The kind of failure.
  package var code: Code
  /// What failed and why, one line.
  package var message: String
  /// What OpenSSL's own error says, where there is one.
  package var fault: HandshakeFault?

  /// A failure.
  package init(_ code: Code, _ message: String, fault: HandshakeFault? = nil) {
    self.code = code
    self.message = message
    self.fault = fault
  }

  /// A failure with the reason that OpenSSL left in this thread's error queue; the queue is emptied.
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

/// This thread's queue of OpenSSL errors: read at once, so that no error is taken for that of a later call.
enum ErrorQueue {
  /// The earliest error, which is the cause; the queue is emptied.
  static func take() -> UInt? {
    let first = ERR_peek_error()
    ERR_clear_error()
    return first == 0 ? nil : first
  }

  /// Empties the queue.
  static func clear() {
    ERR_clear_error()
  }

  /// The reason in words, such as `wrong version number`.
  static func text(_ packed: UInt) -> String {
    // Until something of TLS is made, OpenSSL has no words for its errors.
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
