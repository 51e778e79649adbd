import ProbeCore
import Testing

@testable import ProbePipeline

/// Conclusions from rejected certificates: a wrong clock, interception of TLS, or a server's own error.
@Suite struct CertificateFindingsTests {
  private let plain = Seen.accepted("http://plain.example/")
  private let verified = Seen.accepted("https://verified.example/")

  private func refused(_ reasons: [ReasonCode], issuer: String? = nil, fingerprint: String? = nil) throws
    -> [ProbeResult]
  {
    try zip(hosts(reasons.count, "https"), reasons).map { url, reason in
      try Seen.certificate(url, reason, issuer: issuer ?? "CN=Own \(url)", fingerprint: fingerprint)
    }
  }

  @Test(arguments: [
    (ReasonCode.certificateNotYetValid, "are not valid yet", "slow"),
    (.certificateExpired, "have expired", "fast"),
  ])
  func uniformlyWrongDatesIndicateAWrongClock(_ reason: ReasonCode, _ words: String, _ clock: String) throws {
    let wrong = decision([plain] + (try refused([reason, reason])))
    #expect(wrong.verdict == .partial)
    #expect(
      wrong.words(.clock) == [
        "the certificates of 2 operators \(words): this machine's clock seems to be \(clock)"
      ])
    #expect(wrong.words(.certificates) == [])
    #expect(wrong.words(.serverCertificate) == [])
    // There was no response, but servers can be reached: no outage, and the clock is still reported.
    let alone = decision(try refused([reason, reason]))
    #expect(alone.verdict == .inconclusive)
    #expect(alone.words(.clock).count == 1)
  }

  @Test func isolatedWrongDatesAreServerErrors() throws {
    let expired = try refused([.certificateExpired])
    for beside in [[plain], [verified]] {
      let decision = decision(beside + expired)
      #expect(decision.words(.clock) == [])
      #expect(decision.words(.serverCertificate).count == 1)
    }
    // So are two wrong dates if the dates of others are right.
    let two = decision([verified] + (try refused([.certificateExpired, .certificateNotYetValid])))
    #expect(two.words(.clock) == [])
    #expect(
      two.words(.serverCertificate) == [
        "2 operators present different certificates that are not trusted; those of others are valid, "
          + "so the fault is their own"
      ])
  }

  @Test(arguments: [
    ReasonCode.certificateUntrusted, .certificateSelfSigned, .certificateWrongHost, .certificateInvalid,
  ])
  func thirdPartyCertificatesOfSeveralOperatorsAreInterception(_ reason: ReasonCode) throws {
    let decision = decision([plain] + (try refused([reason, reason])))
    #expect(decision.verdict == .intercepted)
    #expect(
      decision.words(.certificates) == [
        "TLS is being intercepted: 2 operators present certificates that are not theirs"
      ])
    #expect(decision.words(.serverCertificate) == [])
  }

  @Test func theSharedIssuerIsReported() throws {
    let decision = decision(
      try refused([.certificateUntrusted, .certificateUntrusted], issuer: "CN=Box\u{1B}"))
    #expect(
      decision.words(.certificates) == [
        "TLS is being intercepted: 2 operators present certificates that are not theirs, "
          + "all issued by \"CN=Box\\x1b\""
      ])
  }

  /// A middlebox that intercepts some names passes others through.
  @Test func onlyASharedIssuerOrCertificateOutweighsVerifiedServers() throws {
    let reasons = [ReasonCode.certificateUntrusted, .certificateUntrusted]
    let own = decision([verified] + (try refused(reasons)))
    #expect(own.verdict != .intercepted)
    #expect(own.words(.serverCertificate).count == 1)
    #expect(decision([verified] + (try refused(reasons, issuer: "CN=Box"))).verdict == .intercepted)
    #expect(decision([verified] + (try refused(reasons, fingerprint: "ab"))).verdict == .intercepted)
  }

  @Test func oneOperatorsBadCertificateIsItsOwnFault() throws {
    let sites = try ["https://a.odd.example/", "https://b.odd.example/"].map {
      try Seen.certificate($0, issuer: "CN=Odd")
    }
    let decision = decision([verified] + sites)
    #expect(decision.verdict != .intercepted)
    #expect(
      decision.words(.serverCertificate) == [
        "only one operator presents a certificate that is not trusted; those of others are valid, "
          + "so the fault is its own"
      ])
    #expect(try ProbePipelineTests.decision([verified] + sites, threshold: .count(1)).verdict == .online)
  }

  /// Without any verified server, a single operator proves nothing about the network.
  @Test func oneOperatorAloneDoesNotProveInterception() throws {
    let refused = try refused([.certificateUntrusted])
    for (beside, verdict) in [([], Verdict.inconclusive), ([plain], .partial)] {
      let decision = decision(beside + refused)
      #expect(decision.verdict == verdict)
      #expect(decision.words(.certificates) == [])
      #expect(
        decision.words(.serverCertificate) == [
          "only one operator presents a certificate that is not trusted"
        ])
    }
  }

  @Test func certificatesWithoutAChainStillCount() {
    let probes = hosts(2, "https").map { Seen.failed($0, .certificateUntrusted) }
    #expect(decision(probes).verdict == .intercepted)
  }
}
