internal import COpenSSL

/// OpenSSL's server side of one TLS connection between two buffers: what the peer sent, and what is to be sent to it.
///
/// It belongs to one thread at a time.
@safe final class BufferedSSL {
  /// The size of output up to which its buffer is kept, in bytes; a handshake's is smaller.
  private static let keptOutput = 4096

  /// OpenSSL's object; valid while this one lives.
  let pointer: OpaquePointer
  private let input: OpaquePointer
  private let output: OpaquePointer
  private var mostOutput = 0

  /// Takes over a new object, nil when OpenSSL had no memory for it, and waits for a client.
  init(adopting ssl: OpaquePointer?) throws(TLSError) {
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
    unsafe SSL_set_accept_state(ssl)
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
    // A buffer of OpenSSL's never shrinks; a connection that is idle behind a long answer is not to keep one.
    if mostOutput > Self.keptOutput, outputCount == 0, let empty = unsafe BUF_MEM_new() {
      unsafe BIO_ctrl(output, BIO_C_SET_BUF_MEM, Int(BIO_CLOSE), empty)
      mostOutput = 0
    }
    return count
  }
}
