import FoundationEssentials
import ProbeCore
import ProbeSystem
import ProbeTLS

/// The files below /etc of a machine that is in a replayed network and trusts the replay server's authority.
///
/// Programs have no common store of authorities. OpenSSL, GnuTLS, curl and Go read the system's bundle;
/// OpenSSL also reads a folder of files that are named after a hash of the subject. Chromium, Firefox and
/// Java have separate stores, which administrators extend with the files here.
struct TrustFiles {
  /// The path of the bundle for variables such as SSL_CERT_FILE.
  static let bundle = TrustStore.systemBundles[0]

  /// The contents by path, without the leading `/etc/`.
  let files: [String: [UInt8]]

  /// Makes the files from those of this machine, with the authority and the DNS server added.
  ///
  /// - Parameters:
  ///   - authority: The authority.
  ///   - nameServer: The address of the DNS server.
  ///   - hostName: The name of this machine, which the command sees too; nil if it is unknown.
  init(_ authority: CertificateAuthority, nameServer: String, hostName: String? = nil) {
    let isWritable = hostName?.utf8.allSatisfy {
      $0.isASCIILetter || $0.isASCIIDigit || "-.".utf8.contains($0)
    }
    let ownName = isWritable == true ? hostName.map { "127.0.1.1 \($0)\n" } ?? "" : ""
    let pem = Array(authority.pem.utf8)
    let own = "ssl/certs/probekit-replay.pem"
    var files: [String: [UInt8]] = [
      "resolv.conf": Array("nameserver \(nameServer)\n".utf8),
      "hosts": Array("127.0.0.1 localhost\n\(ownName)::1 localhost ip6-localhost ip6-loopback\n".utf8),
      own: pem, "ssl/certs/\(authority.subjectHash).0": pem,
      "ssl/certs/java/cacerts": JavaTrustStore(certificate: authority.der).bytes,
    ]
    if let names = Self.nameSources { files["nsswitch.conf"] = names }
    for path in TrustStore.systemBundles {
      // The machine's authorities stay in the bundle: no server in this network has a certificate from them.
      let present = Self.contents(path)
      guard present != nil || path == Self.bundle else { continue }
      files[String(path.dropFirst("/etc/".count))] = (present ?? []) + pem
    }
    let chromium = Array("{\"CACertificates\":[\"\(Data(authority.der).base64EncodedString())\"]}\n".utf8)
    for folder in ["chromium", "opt/chrome", "opt/edge", "brave"] {
      files["\(folder)/policies/managed/probekit-replay.json"] = chromium
    }
    let firefox = Array(
      "{\"policies\":{\"Certificates\":{\"Install\":[\"/etc/\(own)\"]}}}\n".utf8)
    for folder in ["firefox", "firefox-esr"] { files["\(folder)/policies/policies.json"] = firefox }
    self.files = files
  }

  /// The configuration of name lookups, without the machine's services, which are in its real network; nil if
  /// there is none.
  private static var nameSources: [UInt8]? {
    contents("/etc/nsswitch.conf").map { bytes in
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let others = lines.filter { !$0.starts(with: "hosts:".utf8) }
      return Array("hosts: files dns\n".utf8) + others.joined(separator: [UInt8(ascii: "\n")])
    }
  }

  private static func contents(_ path: String) -> [UInt8]? {
    try? FileReading.bytes(of: path, limit: 16 << 20, .regularFiles)
  }
}

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
