import Validators
import FoundationEssentials
import ProbeCore
import Testing

@Suite struct CertificateValidatorTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)
  private static let day = 86_400.0

  private static func facts(_ name: String, expiresIn days: Double) -> CertificateFacts {
    CertificateFacts(
      subject: "CN=\(name)", issuer: "CN=root", alternativeNames: [name], serialNumber: "01",
      notBefore: now.addingTimeInterval(-300 * day), notAfter: now.addingTimeInterval(days * day),
      fingerprint: "")
  }

  private func response(_ days: [Double]?) throws -> ProbeResponse {
    let chain = days?.enumerated().map { Self.facts("c\($0)", expiresIn: $1) }
    return ProbeResponse(
      url: try ProbeURL("https://h.test/"), tls: chain.map { TLSFacts(version: "TLSv1.3", chain: $0) })
  }

  private let validator = CertificateValidator(expiresAfter: .seconds(14 * 86_400)) { Self.now }

  @Test(arguments: [
    ([14.0], true), ([13.999], false), ([400, 14], true), ([400, 3], false), ([3, 400], false),
  ])
  func noCertificateOfTheChainMayExpireTooSoon(_ days: [Double], _ accepted: Bool) throws {
    let validation = validator.validate(try response(days))
    #expect(validation.isAccepted == accepted)
    #expect(validation.rejection?.reason == (accepted ? nil : .certificateExpiresSoon))
  }

  /// A share of the lifetime of the server's own certificate applies to each certificate of the chain.
  @Test(arguments: [
    // 300 days have passed of each.
    ([150.0], "33%", true), ([147.0], "33%", false), ([150.0, 149], "33.3%", false),
    ([150, 4000], "33.3%", true),
    ([150, 140], "33%", false), ([700], "70 %", true), ([699], "70%", false), ([0.5], "0.1%", true),
    ([-1], "0.1%", false),
  ])
  func aShareOfTheLifetimeMustRemain(_ days: [Double], _ share: String, _ accepted: Bool) throws {
    let validator = try CertificateValidator(options: .init(expiresAfter: share), now: { Self.now })
    #expect(validator.validate(try response(days)).isAccepted == accepted)
  }

  @Test func theShareIsNamedInDays() throws {
    let validator = try CertificateValidator(options: .init(expiresAfter: "33.25%"), now: { Self.now })
    #expect(
      validator.validate(try response([100])).rejection?.expected
        == "certificates that are valid for 33.25% of the lifetime of the server's (133d) more")
    #expect(
      validator.validate(try response(nil)).rejection?.expected
        == "certificates that are valid for 33.25% of the lifetime of the server's more")
  }

  @Test(arguments: [".5%", "-1%", "33%%", "33%d", "1e1%", "%", "soon", "14", ""])
  func bothFormsAreNamed(_ text: String) {
    let error = #expect(throws: InvalidInput.self) {
      try CertificateValidator(options: .init(expiresAfter: text))
    }
    #expect(
      error?.description.hasSuffix(
        "\"\(text)\" is neither a duration nor a percentage: write a duration such as 14d, or a percentage such as 33%"
      ) == true, "\(String(describing: error))")
  }

  @Test(arguments: ["0%", "100%", "-1%", "%", "33%d", "1e1%", "99999999999999999999%", "3651d"])
  func aShareOutOfBoundsIsRefused(_ text: String) {
    #expect(throws: InvalidInput.self) { try CertificateValidator(options: .init(expiresAfter: text)) }
  }

  @Test func theRejectionNamesTheCertificateAndItsExpiry() throws {
    #expect(
      validator.validate(try response([400, 3])).rejection?.description
        == "expected certificates that are valid for 14d more, found \"CN=c1\", which expires on "
        + "2027-01-18T08:00:00Z")
    #expect(
      validator.validate(try response([-1])).rejection?.found
        == "\"CN=c0\", which expired on 2027-01-14T08:00:00Z")
  }

  @Test(arguments: [nil, []] as [[Double]?])
  func aMissingCertificateIsRejected(_ days: [Double]?) throws {
    let rejection = validator.validate(try response(days)).rejection
    #expect(rejection?.reason == .noCertificate)
    #expect(rejection?.found == "none to look at")
  }

  @Test func failuresAreExaminedToo() throws {
    let expired = ProbeFailure(.certificateUntrusted, "untrusted", partial: try response([400, 3]))
    let around: [any ResponseValidator] = [
      validator, AllOf([validator]), AnyOf([validator]), SuccessfulStatus.guarding(validator),
    ]
    for validator in around {
      #expect(validator.findings(in: expired).map(\.reason) == [.certificateExpiresSoon])
    }
    #expect(Not(validator).findings(in: expired).isEmpty)
    for partial in [nil, try response(nil), try response([]), try response([20])] {
      #expect(validator.findings(in: ProbeFailure(.connectReset, "reset", partial: partial)).isEmpty)
    }
  }

  /// A chain in which only the first certificate belongs to the server.
  private func response(own change: (inout CertificateFacts) -> Void) throws -> ProbeResponse {
    var response = try response([400, 400])
    guard var own = response.tls?.chain.first else { return response }
    own.alternativeNames = ["shop.example", "*.shop.example", "192.0.2.7", "2001:db8::7"]
    own.issuerNames = ["Let's Encrypt", "R11"]
    (own.keyAlgorithm, own.keyBits) = ("rsa", 2048)
    (own.signatureAlgorithm, own.signatureHash) = ("sha256WithRSAEncryption", "sha256")
    change(&own)
    response.tls?.chain[0] = own
    return response
  }

  private func rejection(
    _ options: CertificateValidator.Options, _ change: (inout CertificateFacts) -> Void = { _ in }
  ) throws -> Validation.Rejection? {
    try CertificateValidator(options: options).validate(response(own: change)).rejection
  }

  @Test(arguments: [
    (["shop.example"], true), (["SHOP.example.", "a.shop.example"], true), (["a.b.shop.example"], false),
    (["*.shop.example"], true), (["shop.example", "other.example"], false), (["192.0.2.7"], true),
    (["192.0.2.8"], false), (["2001:DB8:0::7"], true), (["2001:db8::8"], false),
  ])
  func allNamesMustBeCovered(_ names: [String], _ isAccepted: Bool) throws {
    let rejection = try rejection(.init(names: names))
    #expect(rejection?.reason == (isAccepted ? nil : .certificateLacksName))
  }

  @Test func theRejectionListsTheNames() throws {
    #expect(
      try rejection(.init(names: ["a.example", "b.example"]))?.description
        == "expected a certificate for a.example and b.example, found one for \"shop.example\", "
        + "\"*.shop.example\", \"192.0.2.7\", \"2001:db8::7\"")
    #expect(
      try rejection(.init(names: ["a.example"])) { $0.alternativeNames = [] }?.found == "one without names")
  }

  /// The rejection counts the names that are not listed, also those that a report leaves out.
  @Test func theRejectionCountsTheNames() throws {
    let rejection = try rejection(.init(names: ["a.example"])) {
      $0.alternativeNames = (0..<300).map { "h\($0).example" }
      $0.omittedNames = 7
    }
    #expect(rejection?.found.hasSuffix("\"h4.example\" and 302 more") == true, "\(rejection?.found ?? "")")
    #expect(
      try self.rejection(.init(names: ["h299.example"])) {
        $0.alternativeNames = (0..<300).map { "h\($0).example" }
      } == nil)
    let notAddress = try self.rejection(.init(names: ["192.0.2.7"])) {
      $0.alternativeNames = ["DNS:192.0.2.7"]
    }
    #expect(notAddress?.found == "one for \"DNS:192.0.2.7\"")
  }

  @Test(arguments: [("let's encrypt", true), ("R11", true), ("CN=R11", false), ("DigiCert", false)])
  func theIssuerMatchesPartOfAName(_ issuer: String, _ isAccepted: Bool) throws {
    let rejection = try rejection(.init(issuer: issuer))
    #expect(rejection?.reason == (isAccepted ? nil : .certificateIssuerMismatch))
    #expect(isAccepted || rejection?.found == "one from \"CN=root\"")
  }

  @Test(
    arguments: [
      (2048, nil, "rsa", 2048, true), (2049, nil, "rsa", 2048, false), (nil, 384, "rsa", 1024, true),
      (2048, 256, "ec", 256, true), (2048, 384, "ec", 256, false), (2048, nil, "ec", 224, true),
      (nil, 256, "ed25519", 256, true), (2048, 256, "dsa", 1024, false), (1024, nil, nil, nil, false),
      (1024, nil, "rsa", nil, false),
    ] as [(Int?, Int?, String?, Int?, Bool)])
  func theKeyIsLargeEnoughForItsKind(
    _ rsa: Int?, _ ec: Int?, _ kind: String?, _ bits: Int?, _ isAccepted: Bool
  ) throws {
    let rejection = try rejection(.init(keyBits: .init(rsa: rsa, ec: ec))) {
      ($0.keyAlgorithm, $0.keyBits) = (kind, bits)
    }
    #expect(rejection?.reason == (isAccepted ? nil : .certificateWeakKey))
  }

  @Test func theRejectionDescribesTheKey() throws {
    #expect(
      try rejection(.init(keyBits: .init(rsa: 3072, ec: 256)))?.description
        == "expected a key of at least 3072 bits for RSA or 256 bits for elliptic curves, "
        + "found an RSA key of 2048 bits")
  }

  @Test(
    arguments: [
      (["sha256"], "sha256WithRSAEncryption", "sha256", true), (["SHA256"], "rsassaPss", "sha384", true),
      (["sha256"], "sha1WithRSAEncryption", "sha1", false), (["sha384"], "ED25519", "sha512", true),
      (["ED25519", "sha384"], "ecdsa-with-SHA256", "sha256", false),
      (["sha384", "ecdsa-with-sha256"], "ecdsa-with-SHA256", "sha256", true), (["md5"], nil, nil, false),
      (["1.3.101.112"], "1.3.101.112", nil, true),
    ] as [([String], String?, String?, Bool)])
  func theSignatureIsStrongEnoughOrNamed(
    _ wanted: [String], _ algorithm: String?, _ hash: String?, _ isAccepted: Bool
  ) throws {
    let rejection = try rejection(.init(signature: wanted)) {
      ($0.signatureAlgorithm, $0.signatureHash) = (algorithm, hash)
    }
    #expect(rejection?.reason == (isAccepted ? nil : .certificateWeakSignature))
  }

  /// With redirects, the certificates of each server are judged, except by the names of the last one.
  @Test(arguments: [
    (CertificateValidator.Options(expiresAfter: "14d"), ReasonCode.certificateExpiresSoon as ReasonCode?),
    (.init(issuer: "Encrypt"), .certificateIssuerMismatch),
    (.init(keyBits: .init(rsa: 2048)), .certificateWeakKey),
    (.init(signature: ["sha256"]), .certificateWeakSignature), (.init(names: ["shop.example"]), nil),
  ])
  func theServersOfRedirectsAreJudged(_ options: CertificateValidator.Options, _ reason: ReasonCode?) throws {
    let now = Date()
    func session(_ host: String, isGood: Bool) throws -> ProbeResponse {
      var response = try self.response { own in
        if !isGood {
          (own.alternativeNames, own.issuerNames, own.keyBits) = (["other.example"], ["other"], 1024)
          (own.signatureAlgorithm, own.signatureHash) = ("sha1WithRSAEncryption", "sha1")
        }
      }
      for index in response.tls?.chain.indices ?? 0..<0 {
        response.tls?.chain[index].notAfter = now.addingTimeInterval(
          isGood || index == 0 ? 400 * Self.day : 3 * Self.day)
      }
      response.url = try ProbeURL("https://\(host)/")
      return response
    }
    let validator = try CertificateValidator(options: options)
    var response = try session("shop.example", isGood: true)
    #expect(validator.validate(response).isAccepted)
    let hops = try [session("a.example", isGood: true), session("b.example", isGood: false)]
    response.redirectSessions = hops.map { RedirectSession(url: $0.url, tls: $0.tls ?? TLSFacts()) }
    let rejection = validator.validate(response).rejection
    #expect(rejection?.reason == reason)
    #expect(
      reason == nil || rejection?.found.hasSuffix(", at \"https://b.example/\"") == true,
      "\(rejection?.found ?? "")")
    let failure = ProbeFailure(.connectReset, "reset", partial: response)
    #expect(validator.findings(in: failure).map(\.reason) == (reason.map { [$0] } ?? []))
    // A plain redirect has no certificate.
    response.redirectSessions = []
    #expect(validator.validate(response).isAccepted)
  }

  @Test func aFailureHasAllFindings() throws {
    let validator = try CertificateValidator(
      options: .init(names: ["a.example"], issuer: "x", keyBits: .init(rsa: 4096), signature: ["sha512"]))
    let failure = ProbeFailure(.certificateUntrusted, "untrusted", partial: try response { _ in })
    #expect(
      validator.findings(in: failure).map(\.reason) == [
        .certificateLacksName, .certificateIssuerMismatch, .certificateWeakKey, .certificateWeakSignature,
      ])
    #expect(validator.validate(try response(nil)).rejection?.reason == .noCertificate)
  }

  @Test func aKeySizeForRSAImpliesOneForEllipticCurves() throws {
    let json = #"{"keyBits": 3072, "names": "a.example", "signature": "sha256"}"#
    let options = try JSONDecoder().decode(CertificateValidator.Options.self, from: Data(json.utf8))
    #expect(
      options
        == .init(names: ["a.example"], keyBits: .init(rsa: 3072, ec: 256), signature: ["sha256"]))
  }

  @Test func optionsAreDecoded() throws {
    for json in ["\"14d\"", "{\"expiresAfter\":\"14d\"}"] {
      let options = try JSONDecoder().decode(CertificateValidator.Options.self, from: Data(json.utf8))
      #expect(options == .init(expiresAfter: "14d"))
    }
    for wrong in ["14", "-1d", "3651d"] {
      #expect(throws: InvalidInput.self) { try CertificateValidator(options: .init(expiresAfter: wrong)) }
    }
  }
}
