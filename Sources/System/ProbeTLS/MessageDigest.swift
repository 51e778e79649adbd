internal import CProbeOpenSSL
import ProbeBase

/// A hash function (FIPS 180-4).
package enum MessageDigest: String, CaseIterable, Sendable {
  /// SHA-256.
  case sha256
  /// SHA-512.
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
