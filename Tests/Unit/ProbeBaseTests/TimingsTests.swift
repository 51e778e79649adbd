import FoundationEssentials
import ProbeBase
import Testing

@Suite struct TimingsTests {
  @Test func add() {
    var timings = ProbeTimings(resolve: .seconds(1), connect: nil, tls: .seconds(3), total: nil)
    timings.add(ProbeTimings(resolve: .seconds(10), connect: .seconds(20), total: nil))
    #expect(
      timings == ProbeTimings(resolve: .seconds(11), connect: .seconds(20), tls: .seconds(3), total: nil))
  }

  @Test func earliestExpiry() {
    func certificate(until seconds: Double) -> CertificateFacts {
      CertificateFacts(
        subject: "", issuer: "", alternativeNames: [], serialNumber: "", notBefore: .distantPast,
        notAfter: Date(timeIntervalSince1970: seconds), fingerprint: "")
    }
    #expect(TLSFacts().earliestExpiry == nil)
    #expect(
      TLSFacts(chain: [certificate(until: 5), certificate(until: 3)]).earliestExpiry
        == Date(timeIntervalSince1970: 3))
  }
}
