import ProbeTLS

/// A store of certificates in the format of Java (JKS), with the usual password `changeit`.
///
/// The only specification is Java's source code (`sun.security.provider.JavaKeyStore`): numbers are in
/// network byte order, strings are preceded by their length, and a hash of the password and all preceding
/// bytes detects accidental changes.
struct JavaTrustStore {
  /// The contents of the file.
  let bytes: [UInt8]

  /// Creates a store with one trusted certificate.
  ///
  /// - Parameter certificate: The certificate in DER.
  init(certificate: [UInt8]) {
    var bytes: [UInt8] = [0xFE, 0xED, 0xFE, 0xED]
    bytes += Self.number(2)  // the version
    bytes += Self.number(1)  // the number of entries
    bytes += Self.number(2)  // a trusted certificate
    bytes += Self.text("probekit-replay")
    bytes += [UInt8](repeating: 0, count: 8)  // the date
    bytes += Self.text("X.509")
    bytes += Self.number(certificate.count) + certificate
    let password = "changeit".utf16.flatMap {
      [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0 & 0xFF)]
    }
    self.bytes = bytes + MessageDigest.sha1(of: password + Array("Mighty Aphrodite".utf8) + bytes)
  }

  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func text(_ text: String) -> [UInt8] {
    number(text.utf8.count).suffix(2) + Array(text.utf8)
  }
}
