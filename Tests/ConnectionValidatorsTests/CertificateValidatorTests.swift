import ConnectionValidators
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

  @Test func theWordsNameTheCertificateAndItsEnd() throws {
    #expect(
      validator.validate(try response([400, 3])).rejection?.description
        == "expected certificates that are valid for 14d more, found \"CN=c1\", which expires on "
        + "2027-01-18T08:00:00Z")
    #expect(
      validator.validate(try response([-1])).rejection?.found
        == "\"CN=c0\", which expired on 2027-01-14T08:00:00Z")
  }

  @Test(arguments: [nil, []] as [[Double]?])
  func withoutACertificateThereIsNothingToAccept(_ days: [Double]?) throws {
    let rejection = validator.validate(try response(days)).rejection
    #expect(rejection?.reason == .noCertificate)
    #expect(rejection?.found == "none to look at")
  }

  @Test func aFailureIsLookedAtToo() throws {
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
