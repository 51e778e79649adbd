internal import CProbeOpenSSL
import ProbeBase

/// The contents of a ClientHello (RFC 8446 §4.1.2).
package struct ClientHello: Hashable, Sendable {
  /// The requested host name (SNI, RFC 6066 §3) in lower case, or nil if it is missing or not a valid host
  /// name.
  package let serverName: String?

  init(serverName: String?) {
    self.serverName = serverName
  }

  /// A hello with this server_name extension, or nil for none.
  ///
  /// - Returns: nil if the bytes are not a list of names (RFC 6066 §3).
  init?(serverNameExtension bytes: [UInt8]?) {
    guard let bytes else {
      self.init(serverName: nil)
      return
    }
    // ServerNameList: a length of two bytes; its entry has a type, 0 for host_name, and a length of two
    // bytes. Further entries have never been defined, and OpenSSL's handshake accepts only one as well.
    guard bytes.count >= 5, Int(widening: bytes[0]) << 8 | Int(widening: bytes[1]) == bytes.count - 2,
      bytes[2] == 0,
      Int(widening: bytes[3]) << 8 | Int(widening: bytes[4]) == bytes.count - 5
    else { return nil }
    self.init(serverName: HostName(bytes[5...])?.text)
  }
}

/// Reads only a ClientHello, for a server that decides afterwards how to respond.
///
/// Pass it the client's bytes, and keep them: a ``TLSSession`` for the actual handshake starts with them
/// again. OpenSSL does the parsing. It must be used by one thread at a time.
@safe package final class ClientHelloReader {
  /// The maximum number of bytes of an incomplete hello; real ones have 200 to 2000.
  package static let maximumBytes = 64 * 1024

  private enum Finding {
    case hello(ClientHello)
    /// The format of SSL 2.0 (RFC 6176 §3).
    case obsoleteForm
    case malformedServerName
  }

  private let buffered: BufferedSSL
  private var received = 0
  private var finding: Finding?

  /// A reader that waits for a client.
  ///
  /// - Throws: ``TLSError`` if OpenSSL has no memory for it.
  package init() throws(TLSError) {
    ErrorQueue.clear()
    buffered = try unsafe BufferedSSL(adopting: SSL_new(Pause.context.get().pointer))
  }
}

extension ClientHelloReader {
  package func receive(_ bytes: Span<UInt8>) {
    received += bytes.count
    buffered.receive(bytes)
  }

  package func receive(_ bytes: [UInt8]) {
    receive(bytes.span)
  }

  /// The client's hello, as soon as it is complete.
  ///
  /// - Returns: nil while more bytes are needed.
  /// - Throws: ``TLSError`` if the bytes are not a ClientHello; the output may contain an alert. The failure of
  ///   the error shows whether the bytes are not TLS at all.
  package func read() throws(TLSError) -> ClientHello? {
    if case .hello(let hello) = finding { return hello }
    ErrorQueue.clear()
    let ssl = unsafe buffered.pointer
    unsafe SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
    let result = unsafe SSL_accept(ssl)
    unsafe SSL_set_ex_data(ssl, 0, nil)
    switch finding {
    case .hello(let hello): return hello
    case .obsoleteForm:
      ErrorQueue.clear()
      throw TLSError(.handshakeFailed, "the ClientHello has the form of SSL 2.0")
    case .malformedServerName:
      ErrorQueue.clear()
      throw TLSError(.handshakeFailed, "the ClientHello's server_name extension is malformed")
    case nil: break
    }
    guard unsafe SSL_get_error(ssl, result) == SSL_ERROR_WANT_READ else {
      throw TLSError.queued(.handshakeFailed, "there is no ClientHello")
    }
    guard received <= Self.maximumBytes else {
      throw TLSError(.handshakeFailed, "the ClientHello has more than \(Self.maximumBytes) bytes")
    }
    return nil
  }

  /// The bytes to send to the client: the alert that reports an invalid hello, or none.
  package func takeOutput() -> [UInt8] {
    buffered.takeOutput()
  }
}

extension ClientHelloReader {
  /// Inspects a hello that OpenSSL has parsed; returns how to continue.
  fileprivate func see(_ ssl: OpaquePointer, alert: UnsafeMutablePointer<Int32>?) -> Int32 {
    guard unsafe SSL_client_hello_isv2(ssl) == 0 else {
      finding = .obsoleteForm
      unsafe alert?.pointee = SSL_AD_PROTOCOL_VERSION
      return SSL_CLIENT_HELLO_ERROR
    }
    var bytes: UnsafePointer<UInt8>?
    var count = 0
    let hasName =
      unsafe SSL_client_hello_get0_ext(ssl, UInt32(bitPattern: TLSEXT_TYPE_server_name), &bytes, &count) == 1
    let name = unsafe hasName ? Array(UnsafeBufferPointer(start: bytes, count: count)) : nil
    guard let hello = ClientHello(serverNameExtension: name) else {
      finding = .malformedServerName
      unsafe alert?.pointee = SSL_AD_DECODE_ERROR
      return SSL_CLIENT_HELLO_ERROR
    }
    finding = .hello(hello)
    return SSL_CLIENT_HELLO_RETRY
  }
}

/// The settings that all readers share: a server that pauses after parsing a ClientHello.
@safe private final class Pause {
  static let context = Result { () throws(TLSError) in try Pause() }

  let pointer: OpaquePointer

  private init() throws(TLSError) {
    ErrorQueue.clear()
    guard let context = unsafe SSL_CTX_new(TLS_server_method()) else {
      throw TLSError.queued(.cannotConfigure, "cannot make a TLS server")
    }
    unsafe pointer = context
    // The actual handshake decides which versions are accepted.
    unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, 0, nil)
    unsafe SSL_CTX_set_client_hello_cb(
      context,
      { ssl, alert, _ in
        guard let ssl = unsafe ssl, let reader = unsafe SSL_get_ex_data(ssl, 0) else {
          return SSL_CLIENT_HELLO_ERROR
        }
        return unsafe Unmanaged<ClientHelloReader>.fromOpaque(reader).takeUnretainedValue()
          .see(ssl, alert: alert)
      }, nil)
  }

  deinit {
    unsafe SSL_CTX_free(pointer)
  }
}

// Nothing changes after init, and OpenSSL locks what connections share.
extension Pause: @unchecked Sendable {}
