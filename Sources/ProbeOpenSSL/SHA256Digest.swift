internal import CProbeOpenSSL

/// SHA-256 (FIPS 180-4).
package enum SHA256Digest {
  /// The digest of bytes, as 64 lowercase hexadecimal digits.
  package static func hexadecimal(of bytes: [UInt8]) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    unsafe bytes.withUnsafeBufferPointer { buffer in
      _ = unsafe SHA256(buffer.baseAddress, buffer.count, &digest)
    }
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
