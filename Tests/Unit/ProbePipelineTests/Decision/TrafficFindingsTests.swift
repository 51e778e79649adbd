import ProbeCore
import Testing
import TestTransports

@testable import ProbePipeline

/// The kinds of traffic that pass, and those that are blocked.
@Suite struct TrafficFindingsTests {
  @Test func onlyUnencryptedTrafficPasses() {
    let decision = decision(hosts(2).map { Seen.accepted($0) } + hosts(2, "https").map { Seen.failed($0) })
    #expect(decision.verdict == .partial)
    #expect(decision.words(.traffic) == ["unencrypted traffic passes, encrypted traffic does not"])
    #expect(decision.evidence.filter { $0.kind == .traffic }.map(\.probes) == [hosts(2, "https")])
  }

  /// A check of a disk passes without a network.
  @Test func checksSayNothingAboutTheNetwork() {
    let stopped = decision(hosts(2).map { Seen.failed($0) } + [Seen.accepted("check://check_disk")])
    #expect(stopped.verdict == .inconclusive)
    #expect(stopped.words(.traffic) == [])
    let failing = decision(
      hosts(2).map { Seen.accepted($0) } + [Seen.failed("check://check_disk", .checkCritical)])
    #expect(failing.words(.traffic) == [])
  }

  @Test func onlyEncryptedTrafficPasses() {
    let decision = decision(hosts(2).map { Seen.failed($0) } + hosts(2, "https").map { Seen.accepted($0) })
    #expect(decision.verdict == .partial)
    #expect(decision.words(.traffic) == ["encrypted traffic passes, unencrypted traffic does not"])
  }

  @Test(arguments: [
    (IPFamily.v6, "IPv4 passes, IPv6 does not"), (.v4, "IPv6 passes, IPv4 does not"),
  ])
  func onlyOneFamilyPasses(_ cut: IPFamily, _ words: String) {
    let probes = hosts(3, "https").flatMap { url in
      [IPFamily.v4, .v6].map { family in
        family == cut
          ? Seen.failed(url, .connectTimeout, family: family) : Seen.accepted(url, family: family)
      }
    }
    let decision = decision(probes)
    #expect(decision.verdict == .partial)
    #expect(decision.words(.traffic) == [words])
  }

  @Test func aBlockedFamilyIsReportedBesideAWorkingOne() throws {
    let probes = [
      Seen.accepted(hosts(1)[0], family: .v4), Seen.failed(hosts(1)[0], .connectTimeout, family: .v6),
    ]
    let decision = try decision(probes, threshold: .percent(50))
    #expect(decision.verdict == .online)
    #expect(decision.words(.traffic) == ["IPv4 passes, IPv6 does not"])
  }

  @Test func onlySomeServersAreReachable() {
    let probes = [Seen.accepted(hosts(1)[0])] + hosts(2, from: 1).map { Seen.failed($0) }
    #expect(decision(probes).verdict == .partial)
    #expect(decision(probes).words(.traffic) == ["some operators can be reached, 2 others cannot"])
    let one = [Seen.accepted(hosts(1)[0]), Seen.failed(hosts(1, from: 1)[0])]
    #expect(decision(one).words(.traffic) == ["some operators can be reached, 1 other cannot"])
    let same = [Seen.accepted("http://a.x.example/a"), Seen.failed("http://a.x.example:80/b")]
    #expect(
      decision(same).words(.traffic) == [
        "one probe reaches a server that another does not reach"
      ])
  }

  @Test func otherPortsAndHostsOfAnOperatorAreNotTheSameServer() {
    let probes = [
      Seen.accepted("http://a.x.example/"), Seen.failed("http://a.x.example:8080/"),
      Seen.failed("http://b.x.example/"),
    ]
    #expect(
      decision(probes).words(.traffic) == [
        "a.x.example:8080, b.x.example:80 cannot be reached, while other ports or hosts of the same operator can"
      ])
    let many = [Seen.accepted("http://x.example/")] + (1...5).map { Seen.failed("http://x.example:\($0)/") }
    #expect(
      decision(many).words(.traffic) == [
        "x.example:1, x.example:2, x.example:3 and 2 more cannot be reached, while other ports or hosts of the same "
          + "operator can"
      ])
  }

  /// A server that refuses, as Redis does without a password, can be reached.
  @Test(arguments: [ReasonCode.dialogRejected, .bodyMismatch]) func aRefusalIsNotAnOutage(
    _ reason: ReasonCode
  )
    throws
  {
    var refusal = Seen.failed("tcp://redis.example:6379", reason)
    refusal.response = try fakeResponse("tcp://redis.example:6379", nil)
    // Nothing has been received yet.
    #expect(decision([refusal]).verdict == .offline)
    refusal.response?.timings.firstByte = .milliseconds(1)
    #expect(decision([refusal]).verdict == .inconclusive)
  }

  @Test func allOrNothingPassingHasNoFindings() {
    #expect(decision(hosts(2).map { Seen.accepted($0) }).words(.traffic) == [])
    #expect(decision(hosts(2).map { Seen.failed($0) }).words(.traffic) == [])
  }

  @Test func anErrorOverAVerifiedConnectionCountsAsPassing() throws {
    let probes = try hosts(2, "https").map { try Seen.error($0) } + hosts(2).map { Seen.failed($0) }
    #expect(decision(probes).words(.traffic) == ["encrypted traffic passes, unencrypted traffic does not"])
    #expect(decision(probes).verdict == .partial)
    // Over plain HTTP, the error may come from a third party.
    let plain = [try Seen.error(hosts(1)[0]), Seen.failed(hosts(1, from: 1, "https")[0])]
    #expect(decision(plain).words(.traffic) == [])
  }

  @Test(arguments: [
    ReasonCode.noSuchHost, .dnsFailure, .connectRefused, .connectUnreachable, .connectReset, .connectTimeout,
    .tlsHandshake, .notTLS, .httpNoResponse, .responseTimeout,
  ])
  func networkFailuresCountAsBlockedTraffic(_ reason: ReasonCode) {
    let probes = [Seen.accepted(hosts(1)[0]), Seen.failed(hosts(1, from: 1)[0], reason)]
    #expect(decision(probes).verdict == .partial)
    #expect(decision([probes[1]]).verdict == .offline)
  }

  @Test(arguments: [
    ReasonCode.plaintext, .invalidRequest, .totalTimeout, .noTrustStore, .cancelled,
    ReasonCode(rawValue: "my.word"),
  ])
  func otherFailuresDoNotCountAsBlockedTraffic(_ reason: ReasonCode) {
    let probes = [Seen.accepted(hosts(1)[0]), Seen.failed(hosts(1, from: 1)[0], reason)]
    #expect(decision(probes).verdict == .inconclusive)
    #expect(decision(probes).words(.traffic) == [])
  }
}
