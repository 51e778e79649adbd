internal import CProbeOpenSSL
import ProbeBase

/// One side of a TLS connection between two buffers: input from the peer, and output to the peer.
///
/// It must be used by one thread at a time.
@safe final class BufferedSSL {
  /// The size up to which a buffer is kept once it is empty, in bytes.
  private static let maximumKept = 4096

  /// OpenSSL's object; valid for the lifetime of this one.
  let pointer: OpaquePointer
  private let input: OpaquePointer
  private let output: OpaquePointer
  private var peakInput = 0
  private var peakOutput = 0

  /// Takes ownership of a new server or client object; nil means that OpenSSL had no memory for it.
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
    // Including its buffers.
    unsafe SSL_free(pointer)
  }

  /// Adds bytes from the peer to the input.
  func receive(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBytes { bytes in
      _ = unsafe BIO_write(input, bytes.baseAddress, Int32(clamping: bytes.count))
    }
    peakInput = max(peakInput, inputCount)
  }

  /// The number of unread bytes from the peer.
  private var inputCount: Int { Int(clamping: unsafe BIO_ctrl_pending(input)) }

  /// Releases memory of the input buffer, if it is empty.
  func releaseInput() {
    if peakInput > Self.maximumKept, inputCount == 0, unsafe renew(input) { peakInput = 0 }
  }

  /// Replaces the memory of an empty buffer by a small one; returns whether it succeeded.
  ///
  /// OpenSSL's memory never shrinks, and a connection that is idle after much data should not keep it.
  private func renew(_ buffer: OpaquePointer) -> Bool {
    guard let memory = unsafe BUF_MEM_new() else { return false }
    return unsafe BIO_ctrl(buffer, BIO_C_SET_BUF_MEM, Int(BIO_CLOSE), memory) == 1
  }

  /// Records that the peer will send no more.
  func receiveEnd() {
    unsafe BIO_ctrl(input, BIO_C_SET_BUF_MEM_EOF_RETURN, 0, nil)
  }

  /// The number of bytes of output.
  var outputCount: Int { Int(clamping: unsafe BIO_ctrl_pending(output)) }

  /// Removes and returns the output.
  func takeOutput() -> [UInt8] {
    let count = outputCount
    guard count > 0 else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = unsafe takeOutput(buffer.baseAddress, count)
    }
  }

  /// Moves output into a buffer, as much as fits.
  ///
  /// - Returns: The number of bytes; 0 if there are none.
  func takeOutput(into buffer: inout MutableSpan<UInt8>) -> Int {
    unsafe buffer.withUnsafeMutableBytes { unsafe takeOutput($0.baseAddress, $0.count) }
  }

  private func takeOutput(_ start: UnsafeMutableRawPointer?, _ limit: Int) -> Int {
    peakOutput = max(peakOutput, outputCount)
    let count = max(0, Int(widening: unsafe BIO_read(output, start, Int32(clamping: limit))))
    if peakOutput > Self.maximumKept, outputCount == 0, unsafe renew(output) { peakOutput = 0 }
    return count
  }
}
