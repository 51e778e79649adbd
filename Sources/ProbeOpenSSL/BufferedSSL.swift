internal import CProbeOpenSSL

/// One side of a TLS connection between two buffers: what the peer sent, and what is to be sent to it.
///
/// It belongs to one thread at a time.
@safe final class BufferedSSL {
  /// What a buffer may have held to be kept once it is empty, in bytes.
  private static let mostKept = 4096

  /// OpenSSL's object; valid while this one lives.
  let pointer: OpaquePointer
  private let input: OpaquePointer
  private let output: OpaquePointer
  private var mostInput = 0
  private var mostOutput = 0

  /// Takes over a new object, nil when OpenSSL had no memory for it, which waits for a client or is one.
  init(adopting ssl: OpaquePointer?, isClient: Bool = false) throws(TLSError) {
    guard let ssl = unsafe ssl else {
      throw TLSError.queued(.cannotConfigure, "cannot make a TLS session")
    }
    let (input, output) = unsafe (BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()))
    guard let input = unsafe input, let output = unsafe output else {
      unsafe BIO_free(input)
      unsafe BIO_free(output)
      unsafe SSL_free(ssl)
      throw TLSError.queued(.cannotConfigure, "cannot make a TLS session")
    }
    // An empty buffer means "try again", not the end of the connection.
    unsafe BIO_ctrl(input, BIO_C_SET_BUF_MEM_EOF_RETURN, -1, nil)
    unsafe SSL_set_bio(ssl, input, output)
    if isClient { unsafe SSL_set_connect_state(ssl) } else { unsafe SSL_set_accept_state(ssl) }
    unsafe (pointer, self.input, self.output) = (ssl, input, output)
  }

  deinit {
    // With its buffers.
    unsafe SSL_free(pointer)
  }

  /// Takes bytes that the peer sent.
  func receive(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBytes { bytes in
      _ = unsafe BIO_write(input, bytes.baseAddress, Int32(clamping: bytes.count))
    }
    mostInput = max(mostInput, inputCount)
  }

  /// How many bytes from the peer nobody has asked for yet.
  private var inputCount: Int { Int(unsafe BIO_ctrl_pending(input)) }

  /// Gives back what the input's buffer has grown to, once it is empty.
  func releaseInput() {
    if mostInput > Self.mostKept, inputCount == 0, unsafe renew(input) { mostInput = 0 }
  }

  /// Gives a buffer that is empty new, small memory; says whether it could.
  ///
  /// OpenSSL's never shrinks, and a connection that is idle behind much data is not to keep as much memory.
  private func renew(_ buffer: OpaquePointer) -> Bool {
    guard let memory = unsafe BUF_MEM_new() else { return false }
    return unsafe BIO_ctrl(buffer, BIO_C_SET_BUF_MEM, Int(BIO_CLOSE), memory) == 1
  }

  /// Takes note that the peer will send no more.
  func receiveEnd() {
    unsafe BIO_ctrl(input, BIO_C_SET_BUF_MEM_EOF_RETURN, 0, nil)
  }

  /// How many bytes there are to send to the peer now.
  var outputCount: Int { Int(unsafe BIO_ctrl_pending(output)) }

  /// The bytes to send to the peer now.
  func takeOutput() -> [UInt8] {
    let count = outputCount
    guard count > 0 else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = unsafe takeOutput(buffer.baseAddress, count)
    }
  }

  /// Moves bytes to send to the peer now into a buffer, as many as there is room for.
  ///
  /// - Returns: How many; 0 when there are none.
  func takeOutput(into buffer: inout MutableSpan<UInt8>) -> Int {
    unsafe buffer.withUnsafeMutableBytes { unsafe takeOutput($0.baseAddress, $0.count) }
  }

  private func takeOutput(_ start: UnsafeMutableRawPointer?, _ limit: Int) -> Int {
    mostOutput = max(mostOutput, outputCount)
    let count = max(0, Int(unsafe BIO_read(output, start, Int32(clamping: limit))))
    if mostOutput > Self.mostKept, outputCount == 0, unsafe renew(output) { mostOutput = 0 }
    return count
  }
}
