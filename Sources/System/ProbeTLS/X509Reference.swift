internal import CProbeOpenSSL
import ProbeBase

/// A reference to an OpenSSL certificate object, released on deinit.
@safe final class X509Reference {
  /// The object; valid for the lifetime of this reference.
  let pointer: OpaquePointer

  /// Takes ownership of a reference of the caller.
  init(adopting pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  /// Acquires a new reference to an existing object.
  init(sharing pointer: OpaquePointer) {
    unsafe X509_up_ref(pointer)
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe X509_free(pointer)
  }

  /// SHA-256 of the certificate's DER form.
  func digest() throws(TLSError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var length: UInt32 = 0
    guard unsafe X509_digest(pointer, EVP_sha256(), &digest, &length) == 1 else {
      throw TLSError.queued(.malformedCertificate, "the certificate has no digest")
    }
    digest.removeLast(digest.count - Int(widening: length))
    return digest
  }

  /// References to the certificates of a stack, from its start.
  static func chain(_ stack: OpaquePointer?) -> [X509Reference] {
    guard let stack = unsafe stack else { return [] }
    let count = min(Int(widening: unsafe OPENSSL_sk_num(stack)), CertificateLimits.chainLength)
    return (0..<max(0, count)).compactMap { index in
      guard let element = unsafe OPENSSL_sk_value(stack, Int32(truncatingIfNeeded: index)) else { return nil }
      return unsafe X509Reference(sharing: OpaquePointer(element))
    }
  }
}

/// A buffer that OpenSSL reads from or writes to.
@safe final class MemoryBIO {
  /// The buffer; valid for the lifetime of this object.
  let pointer: OpaquePointer

  /// A buffer with these bytes to read.
  init(_ bytes: [UInt8] = []) throws(TLSError) {
    guard let pointer = unsafe BIO_new(BIO_s_mem()) else {
      throw TLSError.queued(.cannotConfigure, "cannot make a buffer")
    }
    unsafe self.pointer = pointer
    guard !bytes.isEmpty else { return }
    guard let size = Int32(exactly: bytes.count),
      unsafe bytes.withUnsafeBytes({ unsafe BIO_write(pointer, $0.baseAddress, size) }) == size
    else { throw TLSError.queued(.cannotConfigure, "cannot fill a buffer") }
  }

  deinit {
    unsafe BIO_free(pointer)
  }

  /// Removes and returns written bytes, the oldest first.
  func contents(upTo limit: Int = Int(Int32.max)) -> [UInt8] {
    let count = min(limit, Int(clamping: unsafe BIO_ctrl_pending(pointer)))
    guard count > 0 else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(
        0, Int(widening: unsafe BIO_read(pointer, buffer.baseAddress, Int32(truncatingIfNeeded: count))))
    }
  }
}
