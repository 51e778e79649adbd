internal import FoundationEssentials
public import ProbeCore

extension AddressValidator {
  /// A single address, and a list with a block.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(
        Options(addresses: ["192.0.2.1"]), accepts: .example(from: IPAddress(v4: 0xC000_0201)),
        rejects: .example(from: IPAddress(v4: 0xC000_0202))),
      ValidatorExample(
        Options(addresses: ["192.0.2.1", "2001:db8::/32"]),
        accepts: .example(from: IPAddress(v6: 0x2001_0DB8 << 96 + 1)),
        rejects: .example(from: IPAddress(v6: 0x2001_0DB9 << 96 + 1))),
    ]
  }
}

extension CertificateValidator {
  /// Each requirement, and all of them.
  public static var examples: [ValidatorExample<Options>] {
    let good = ProbeResponse.example(certifiedUntil: .distantFuture)
    return [
      ValidatorExample(
        Options(expiresAfter: "14d"), accepts: good, rejects: .example(certifiedUntil: .distantPast)),
      ValidatorExample(
        Options(names: ["www.example.com", "192.0.2.1"]), accepts: good,
        rejects: .example(certifiedUntil: .distantFuture) { $0.alternativeNames = ["*.example.com"] }),
      ValidatorExample(
        Options(issuer: "example, inc"), accepts: good,
        rejects: .example(certifiedUntil: .distantFuture) { $0.issuerNames = ["Other"] }),
      ValidatorExample(
        Options(keyBits: KeyBits(rsa: 2048, ec: 256)), accepts: good,
        rejects: .example(certifiedUntil: .distantFuture) { $0.keyBits = 1024 }),
      ValidatorExample(
        Options(signature: ["sha384", "ecdsa-with-SHA256"]),
        accepts: .example(certifiedUntil: .distantFuture) { $0.signatureAlgorithm = "ecdsa-with-SHA256" },
        rejects: good),
      ValidatorExample(
        Options(
          expiresAfter: "14d", names: ["example.com"], issuer: "Example CA", keyBits: KeyBits(rsa: 2048),
          signature: ["sha256"]), accepts: good,
        rejects: .example(certifiedUntil: .distantFuture) { $0.signatureHash = "sha1" }),
    ]
  }
}

extension LatencyValidator {
  /// The total time of a probe, and that of one phase.
  public static var examples: [ValidatorExample<Options>] {
    [
      ValidatorExample(
        Options(below: "800ms"), accepts: .example(taking: .milliseconds(799)),
        rejects: .example(taking: .milliseconds(800))),
      ValidatorExample(
        Options(below: "1s", phase: .connect), accepts: .example(taking: .milliseconds(10)),
        rejects: .example(taking: .seconds(2))),
    ]
  }
}

extension LossValidator {
  /// Half of the requests may be lost.
  public static var examples: [ValidatorExample<Options>] {
    [ValidatorExample(Options(atMost: "50%"), accepts: .example(replies: 1), rejects: .example(replies: 0))]
  }
}

extension ProbeResponse {
  fileprivate static func example(replies: Int) -> ProbeResponse {
    var response = example()
    response.head = nil
    response.ping = PingFacts(
      sent: 2, roundTrips: Array(repeating: .milliseconds(1), count: replies))
    return response
  }

  fileprivate static func example(
    certifiedUntil end: Date, _ change: (inout CertificateFacts) -> Void = { _ in }
  ) -> ProbeResponse {
    var certificate = CertificateFacts(
      subject: "CN=example.com", issuer: #"CN=Example CA,O=Example\, Inc."#,
      alternativeNames: ["example.com", "*.example.com", "192.0.2.1"], serialNumber: "01",
      notBefore: .distantPast, notAfter: end, fingerprint: "00")
    certificate.issuerNames = ["Example, Inc.", "Example CA"]
    (certificate.keyAlgorithm, certificate.keyBits) = ("rsa", 2048)
    (certificate.signatureAlgorithm, certificate.signatureHash) = ("sha256WithRSAEncryption", "sha256")
    change(&certificate)
    var response = example()
    response.tls = TLSFacts(version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", chain: [certificate])
    return response
  }

  fileprivate static func example(from address: IPAddress) -> ProbeResponse {
    var response = example()
    response.remoteAddress = SocketAddress(address, port: 443)
    return response
  }

  fileprivate static func example(taking time: Duration) -> ProbeResponse {
    var response = example()
    response.timings = ProbeTimings(connect: time, total: time)
    return response
  }
}
