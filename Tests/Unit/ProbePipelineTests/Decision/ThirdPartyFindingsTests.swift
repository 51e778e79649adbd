import PortalAnalysis
import ProbeCore
import Testing

@testable import ProbePipeline

/// Responses from third parties that show that a network is intercepted.
@Suite struct ThirdPartyFindingsTests {
  @Test(arguments: [(1, 0), (1, 1), (2, 2), (2, 6)])
  func unexpectedResponsesShowInterception(_ count: Int, beside passed: Int) throws {
    let probes =
      try hosts(count).map { try Seen.thirdParty($0, likeness: 1) }
      + hosts(passed, from: 100).map { Seen.accepted($0) }
    #expect(decision(probes).verdict == .intercepted)
  }

  @Test(arguments: [(1, 2), (1, 9), (2, 7)])
  func fewUnexpectedResponsesDoNotShowInterception(_ count: Int, beside passed: Int) throws {
    let probes =
      try hosts(count).map { try Seen.thirdParty($0, likeness: 1) }
      + hosts(passed, from: 100).map { Seen.accepted($0) }
    #expect(decision(probes).verdict == .inconclusive)
    let enough = try decision(probes, threshold: .count(1))
    #expect(enough.verdict == .online)
    #expect(enough.words(.intercepted).count == 1)
  }

  @Test func errorsAreFromThirdPartiesOnlyWhenOperatorsShareThem() throws {
    func verdict(_ likenesses: [UInt64?], _ urls: [String] = hosts(3)) throws -> Verdict {
      try decision(zip(urls, likenesses).map { try Seen.error($0, likeness: $1) }).verdict
    }
    #expect(try verdict([1]) == .inconclusive)
    #expect(try verdict([1, 2, 3]) == .inconclusive)
    #expect(try verdict([1, 1]) == .intercepted)
    #expect(try verdict([1, 2, 1]) == .intercepted)
    // Responses of one operator naturally resemble each other.
    #expect(try verdict([1, 1], ["http://a.one.example/", "http://b.one.example/"]) == .inconclusive)
    // Over verified connections, errors are the servers' own, however similar.
    #expect(try verdict([1, 1, 1], hosts(3, "https")) == .inconclusive)
    // Responses without an analysis are compared by their outcome.
    #expect(try verdict([nil, nil]) == .intercepted)
    let mixed = [try Seen.error(hosts(1)[0], 503), try Seen.error(hosts(1, from: 1)[0], 502)]
    #expect(decision(mixed).verdict == .inconclusive)
  }

  @Test func eachProbeReportsItsFindings() throws {
    func thirdParty(_ index: Int, _ detail: String?, from address: String) throws -> ProbeResult {
      var probe = try Seen.thirdParty(hosts(1, from: index)[0], likeness: 7, from: address)
      probe.detail = detail
      return probe
    }
    let two = [
      try thirdParty(0, "expected a, found b", from: "192.0.2.9"),
      try thirdParty(1, "expected c, found b", from: "192.0.2.8"),
      try thirdParty(2, "expected a, found b", from: "192.0.2.9"),
    ]
    #expect(
      decision(two).words(.intercepted) == [
        "3 probes received the response of a third party: expected a, found b; expected c, found b"
      ])
    let many = try (0..<9).map { try thirdParty($0, "expected \($0)", from: "192.0.2.9") }
    #expect(
      decision(many).words(.intercepted) == [
        "9 probes received the response of a third party from 192.0.2.9: expected 0; expected 1; expected 2; …"
      ])
  }

  @Test func similarResponsesAreReportedTogether() throws {
    let signs = [
      ResponseSign(.notice, 4, "its title says that it is blocked"),
      ResponseSign(.portal, 1, "it has a form", isFor: false),
    ]
    let probes =
      try hosts(2).map { try Seen.thirdParty($0, likeness: 7, signs, from: "192.0.2.9") }
      + [try Seen.thirdParty("http://other.example/", likeness: 8)]
    let decision = decision(probes)
    #expect(
      decision.words(.intercepted) == [
        "2 probes received the response of a third party from 192.0.2.9: expected a, found b",
        "1 probe received the response of a third party: expected a, found b",
      ])
    #expect(
      decision.words(.sameResponse) == [
        "2 unrelated operators returned the same response, so it is not their own"
      ])
    #expect(decision.words(.sign) == ["this response is a block page: its title says that it is blocked"])
    #expect(decision.words(.failed) == [])
  }

  /// An error that resembles the page of a third party has the same author.
  @Test func errorsSimilarToAThirdPartyResponseAreFromIt() throws {
    let probes = [
      try Seen.thirdParty(hosts(1)[0], likeness: 7), try Seen.error(hosts(1, from: 1)[0], likeness: 7),
    ]
    #expect(decision(probes).words(.sameResponse).count == 1)
    #expect(decision(probes).words(.failed) == [])
  }

  /// A set that probes over IPv4 and IPv6 has two probes of one URL.
  @Test func aFailureIsReportedDespiteAnInterceptionOfItsURL() throws {
    let url = hosts(1)[0]
    let decision = decision([
      try Seen.thirdParty(url, likeness: 1, family: .v4), Seen.failed(url, .connectTimeout, family: .v6),
    ])
    #expect(decision.verdict == .intercepted)
    #expect(decision.evidence.filter { $0.kind == .failed }.map(\.probes) == [[url]])
  }

  @Test func rulesOfASetCanReportInterceptionWithoutAResponse() throws {
    let probe = ProbeResult(
      url: "https://a.example/", outcome: .intercepted, reason: .certificateUntrusted, detail: "rule 1")
    #expect(decision([probe]).verdict == .intercepted)
    #expect(
      decision([probe]).words(.intercepted) == ["1 probe received the response of a third party: rule 1"])
  }
}
