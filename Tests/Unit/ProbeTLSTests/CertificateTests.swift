import FoundationEssentials
import ProbeCore
import ProbeTLS
import TestRequirements
import TestSupport
import Testing

@Suite struct CertificateTests {
  private static let hosts = [
    "portal.example", "*.example", "192.0.2.7", "2001:db8::1", "::1", "2001:db8:0:1::",
  ]

  private func der(hosts: [String] = hosts) throws -> [UInt8] {
    try CertificateAuthority().issue(LeafOptions(hosts: hosts)).certificateDER()
  }

  @Test func issuedCertificatesAreReadBack() throws {
    let authority = try CertificateAuthority(name: "Zürich, Test+CA")
    let identity = try authority.issue(LeafOptions(hosts: Self.hosts))
    let certificate = try CertificateFacts(der: identity.certificateDER())
    #expect(certificate == identity.chain.first)
    #expect(certificate.subject == "CN=portal.example")
    #expect(certificate.issuer == #"CN=Zürich\, Test\+CA"#)
    #expect(certificate.issuer == authority.certificate.subject)
    #expect(certificate.alternativeNames == Self.hosts)
    #expect(certificate.serialNumber.count == 32)
    #expect(certificate.serialNumber.allSatisfy { "0123456789abcdef".contains($0) })
    #expect(certificate.fingerprint.count == 64)
    #expect(certificate.notAfter.timeIntervalSince(certificate.notBefore) == 397 * 86_400)
    #expect(certificate.subject != certificate.issuer)
    #expect(authority.certificate.subject == authority.certificate.issuer)
    #expect(try CertificateFacts(pem: authority.pem) == authority.certificate)
    #expect(try CertificateFacts(pem: identity.chainPEM()) == certificate)
  }

  @Test func everyValidityAndSignerIsSupported() throws {
    let authority = try CertificateAuthority()
    let now = authority.certificate.notBefore + 86_400
    var options = LeafOptions(hosts: ["a"])
    options.validity = .expired
    #expect(try authority.issue(options).chain[0].notAfter < now)
    options.validity = .notYetValid
    #expect(try authority.issue(options).chain[0].notBefore > now)
    options.validity = CertificateValidity(from: -5, until: 5)
    let end = try authority.issue(options).chain[0].notAfter
    #expect(try end.timeIntervalSince(authority.issue(options).chain[0].notBefore) <= 11)
    options.signer = .itself
    #expect(try authority.issue(options).chain.map { $0.subject == $0.issuer } == [true])
    options.signer = .intermediate
    #expect(try authority.issue(options).chain.map { $0.subject == $0.issuer } == [false, false])
    options.signer = .missingIntermediate
    let alone = try authority.issue(options).chain
    #expect(alone.map(\.issuer) == ["CN=ProbeKit Test Authority\\, Intermediate"])
  }

  @Test func keysDiffer() throws {
    let authority = try CertificateAuthority()
    let identities = try (0..<2).map { _ in try authority.issue(LeafOptions(hosts: ["a"])) }
    #expect(try identities[0].privateKeyPEM() != identities[1].privateKeyPEM())
    #expect(try authority.privateKeyPEM().hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
    #expect(Set(identities.map(\.chain[0].serialNumber)).count == 2)
  }

  @Test(arguments: ["", "a b", "a\0b", "näh.example", "a,DNS:b\n", String(repeating: "a", count: 256)])
  func unsupportedHostsAreRefused(host: String) throws {
    let authority = try CertificateAuthority()
    let error = #expect(throws: TLSError.self) { try authority.issue(LeafOptions(hosts: ["ok", host])) }
    #expect(error?.code == .cannotIssue)
  }

  @Test func aNameCannotInjectAnother() throws {
    let host = "a.example,DNS:bank.example"
    #expect(try CertificateFacts(der: der(hosts: [host])).alternativeNames == [host])
  }

  @Test func aLongNameIsOmittedFromTheSubject() throws {
    let host = String(repeating: "a", count: 63) + ".example"
    let certificate = try CertificateFacts(der: der(hosts: [host]))
    #expect(certificate.subject == "CN=ProbeKit test certificate")
    #expect(certificate.alternativeNames == [host])
    #expect(throws: TLSError.self) { try CertificateAuthority(name: String(repeating: "a", count: 65)) }
  }
}

/// Certificates from unknown servers.
extension CertificateTests {
  /// Any name may be the one that a user requires.
  @Test(arguments: [1, 256, 257, 1000, 3000])
  func allNamesAreRead(_ count: Int) throws {
    let names = (0..<count).map { "host-\($0).example" }
    let certificate = try CertificateFacts(der: der(hosts: names))
    #expect(certificate.alternativeNames == names)
    #expect(try CertificateHost(names[count - 1]).isNamed(among: certificate.alternativeNames))
    #expect(try !CertificateHost("host-\(count).example").isNamed(among: certificate.alternativeNames))
  }

  /// An address matches addresses only, and names that look like one match nothing, as in a handshake with curl.
  @Test func namesThatLikeAddressesAreNone() throws {
    let names = "DNS:192.0.2.7,DNS:::1,DNS:2001:db8::7,DNS:*.shop.example,IP:192.0.2.8,IP:2001:db8::8"
    let folder = try TemporaryFolder()
    let code = try runProgram(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout",
        folder.path(of: "key"), "-out", folder.path(of: "certificate"), "-subj", "/CN=192.0.2.9", "-addext",
        "subjectAltName=\(names)",
      ])
    guard let code else { try skipTest("there is no openssl") }
    #expect(code == 0)
    let certificate = try CertificateFacts(pem: readText(folder.path(of: "certificate")))
    #expect(
      certificate.alternativeNames == [
        "DNS:192.0.2.7", "DNS:::1", "DNS:2001:db8::7", "*.shop.example", "192.0.2.8", "2001:db8::8",
      ])
    #expect(certificate.dnsNames == ["192.0.2.7", "::1", "2001:db8::7", "*.shop.example"])
    for (host, isNamed) in [
      ("192.0.2.7", false), ("::1", false), ("2001:db8::7", false), ("192.0.2.9", false), ("192.0.2.8", true),
      ("2001:db8:0::8", true), ("a.shop.example", true),
    ] {
      #expect(try CertificateHost(host).isNamed(among: certificate.alternativeNames) == isNamed, "\(host)")
      let kind = host.hasSuffix(".example") ? "-checkhost" : "-checkip"
      let script =
        "openssl x509 -in \"$0\" -noout \(kind) \(host) | grep -q 'does match certificate'"
      #expect(
        try runProgram("sh", ["-c", script, folder.path(of: "certificate")]) == (isNamed ? 0 : 1), "\(host)")
    }
  }

  /// Every date of a certificate is the one that openssl prints (RFC 5280 §4.1.2.5).
  @Test(arguments: [
    "00000101000000Z", "00000229235959Z", "00010101000000Z", "04000229000000Z", "15821004235959Z",
    "15821015000000Z",
    "17000301000000Z", "19000228000000Z", "19691231235959Z", "20000229120000Z", "99991231235959Z",
  ])
  func datesAreThoseOfOpenSSL(_ time: String) throws {
    var options = LeafOptions(hosts: ["a.example"])
    // From 2050 on, certificates have the form with four digits of the year.
    options.validity = CertificateValidity(from: -60, until: 86_400 * 365 * 100)
    var der = try CertificateAuthority().issue(options).certificateDER()
    let offset = try #require(
      der.indices.first { der[$0] == 0x18 && der.dropFirst($0 + 1).first == 15 && der[$0 + 16] == 0x5A })
    der.replaceSubrange((offset + 2)..<(offset + 17), with: time.utf8)
    let certificate = try CertificateFacts(der: der)
    let files = try TemporaryFolder(["pem": pem(of: der)])
    let script = "openssl x509 -in \"$0/pem\" -noout -enddate >\"$0/end\""
    guard try runProgram("sh", ["-c", script, files.path]) == 0 else { try skipTest("there is no openssl") }
    let end = UTCTime(certificate.notAfter)
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let day = end.day < 10 ? " \(end.day)" : "\(end.day)"
    #expect(
      readText(files.path(of: "end"))
        == "notAfter=\(months[end.month - 1]) \(day) \(end.timeText) \(end.year) GMT\n")
    let expected = Array(certificate.notAfter.inUTC.utf8).filter { (0x30...0x39).contains($0) }
    #expect(String(decoding: expected, as: UTF8.self) + "Z" == time)
  }

  private func pem(of der: [UInt8]) -> String {
    "-----BEGIN CERTIFICATE-----\n\(Data(der).base64EncodedString(options: .lineLength64Characters))\n"
      + "-----END CERTIFICATE-----\n"
  }

  @Test(arguments: [
    [UInt8](), [0], [0x30], [0x30, 0x80], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF],
    Array(repeating: 0x30, count: 10_000), Array(repeating: 0xFF, count: 100),
    Array(repeating: 0, count: CertificateLimits.certificateBytes + 1),
  ])
  func garbageIsRefused(bytes: [UInt8]) {
    let error = #expect(throws: TLSError.self) { try CertificateFacts(der: bytes) }
    #expect(error?.code == .malformedCertificate)
  }

  @Test(arguments: [
    "", "-----BEGIN CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n",
    "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n",
    "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n",
  ])
  func garbageTextIsRefused(pem: String) {
    #expect(throws: TLSError.self) { try CertificateFacts(pem: pem) }
  }

  @Test func everyTruncationIsRefused() throws {
    let der = try der()
    for count in 0..<der.count {
      #expect(throws: TLSError.self) { try CertificateFacts(der: Array(der.prefix(count))) }
    }
    #expect(throws: TLSError.self) { try CertificateFacts(der: der + [0]) }
  }

  @Test func changedBytesAreHandledSafely() throws {
    let der = try der()
    for index in der.indices {
      for value in [0, 0x7F, 0x80, 0xFF, der[index] ^ 1, der[index] ^ 0x20] {
        var changed = der
        changed[index] = value
        guard let certificate = try? CertificateFacts(der: changed) else { continue }
        #expect(certificate.subject.utf8.count <= 4 * CertificateLimits.nameBytes + 3)
        #expect(certificate.subject.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
      }
    }
  }

  @Test func unprintableBytesAreEscaped() throws {
    let der = try der(hosts: ["zero.example"])
    let name = Array("zero.example".utf8)
    let offsets = der.indices.filter { der[$0...].starts(with: name) }
    #expect(offsets.count == 2)
    let (inSubject, inAlternativeName) = (offsets[0], offsets[1])
    var changed = der
    changed[inAlternativeName + 4] = 0
    #expect(try CertificateFacts(der: changed).alternativeNames == ["zero\\x00example"])
    changed[inAlternativeName + 4] = 0xFF
    #expect(try CertificateFacts(der: changed).alternativeNames == ["zero\\xffexample"])
    changed[inSubject + 4] = 0x1B
    #expect(try CertificateFacts(der: changed).subject == "CN=zero\\1Bexample")
    // Invalid UTF-8 makes the certificate invalid; in a T61String the same byte is a letter.
    changed[inSubject + 4] = 0xFC
    #expect(throws: TLSError.self) { try CertificateFacts(der: changed) }
    changed[inSubject - 2] = 0x14
    #expect(try CertificateFacts(der: changed).subject == "CN=zeroüexample")
  }
}
