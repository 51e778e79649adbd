import FoundationEssentials
import ProbeBase
internal import CProbeOpenSSL

/// A hash function (FIPS 180-4).
package enum MessageDigest: String, CaseIterable, Sendable {
  case sha256
  case sha512

  /// The number of hexadecimal digits of a digest.
  package var digitCount: Int {
    switch self {
    case .sha256: 64
    case .sha512: 128
    }
  }

  /// The digest of bytes, in lowercase hexadecimal digits.
  package func hexadecimal(of bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: digitCount / 2)
    unsafe bytes.withUnsafeBufferPointer { buffer in
      _ =
        switch self {
        case .sha256: unsafe SHA256(buffer.baseAddress, buffer.count, &digest)
        case .sha512: unsafe SHA512(buffer.baseAddress, buffer.count, &digest)
        }
    }
    return digest.hexText
  }

  /// The SHA-256 digest of bytes, for values that are derived from it.
  package static func sha256(of bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    _ = unsafe bytes.withUnsafeBufferPointer { unsafe SHA256($0.baseAddress, $0.count, &digest) }
    return digest
  }
}

extension MessageDigest {
  /// The SHA-1 digest of bytes, for formats that prescribe it; it is not secure.
  package static func sha1(of bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 20)
    _ = unsafe bytes.withUnsafeBufferPointer { unsafe SHA1($0.baseAddress, $0.count, &digest) }
    return digest
  }
}

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

extension String {
  /// The digest of a style or script in the form of a content security policy (CSP Level 3 §6.7.3.2).
  package var digestForPolicy: String {
    "'sha256-\(Data(MessageDigest.sha256(of: Array(utf8))).base64EncodedString())'"
  }
}
