import ProbeBase
internal import CProbeOpenSSL

/// An incremental SHA-256 digest (FIPS 180-4).
@safe
package struct RunningDigest: ~Copyable {
  private let context: OpaquePointer?

  /// The digest of no bytes.
  package init() {
    unsafe context = EVP_MD_CTX_new()
    unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil)
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
  }

  /// Adds bytes.
  package mutating func add(_ bytes: ArraySlice<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      _ = unsafe EVP_DigestUpdate(context, buffer.baseAddress, buffer.count)
    }
  }

  /// Returns the digest in lowercase hexadecimal digits, and resets it to that of no bytes.
  package mutating func finish() -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe EVP_DigestFinal_ex(context, &digest, nil)
    unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil)
    return digest.hexText
  }
}
