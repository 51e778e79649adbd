import ProbeCore
import Testing
import TestTransports

@testable import ProbePipeline

/// Addresses that show that DNS answers are from a third party.
@Suite struct AddressFindingsTests {
  @Test(arguments: [
    "10.0.0.1", "192.168.1.1", "172.16.0.1", "100.64.0.1", "169.254.1.1", "240.0.0.1", "fd00::1",
    "fe80::1", "::ffff:10.0.0.1",
  ])
  func publicNamesAtNonPublicAddressesShowInterception(_ address: String) throws {
    let decision = decision(try hosts(2).map { try Seen.failed($0, at: address) })
    #expect(decision.verdict == .intercepted)
    #expect(decision.words(.address).count == 1)
    #expect(decision.words(.address)[0].hasPrefix("2 probes of public names connected to "))
  }

  @Test(arguments: ["127.0.0.1", "0.0.0.0", "::", "::1", "::ffff:127.0.0.1"])
  func addressesOfThisMachineDoNotShowInterception(_ address: String) throws {
    let decision = decision(try hosts(2).map { try Seen.failed($0, at: address) })
    #expect(decision.verdict != .intercepted && decision.words(.address) == [])
  }

  /// Documentation addresses represent public ones, and so do NAT64 addresses of public ones.
  @Test(arguments: [
    "192.0.2.1", "203.0.113.9", "2001:db8::1", "2606:4700::1", "64:ff9b::c000:201", "8.8.8.8",
  ])
  func publicAddressesDoNotShowInterception(_ address: String) throws {
    let decision = decision(try hosts(2).map { try Seen.failed($0, at: address) })
    #expect(decision.verdict == .offline)
    #expect(decision.words(.address) == [])
  }

  @Test(arguments: [
    "http://10.0.0.1/", "http://[fd00::1]/", "http://router/", "http://nas.local/", "http://nas.lan/",
    "http://a.b.internal/", "http://a.home.arpa/", "http://x.localhost/",
  ])
  func localNamesMayHavePrivateAddresses(_ url: String) throws {
    let decision = decision([
      try Seen.failed(url, at: "10.0.0.1"), try Seen.failed("http://other.lan/", at: "10.0.0.1"),
    ])
    #expect(decision.verdict == .offline)
    #expect(decision.words(.address) == [])
  }

  /// The names of an internal network resolve to internal addresses.
  @Test func namesOfOneOperatorDoNotProveInterception() throws {
    let probes = try ["http://git.firm.example/", "http://wiki.firm.example/"].map {
      try Seen.failed($0, at: "10.0.0.1")
    }
    #expect(decision(probes).verdict == .offline)
    #expect(decision(probes).words(.address).count == 1)
  }

  @Test func withAnAcceptedProbeAddressesAreOnlyEvidence() throws {
    let probes =
      try hosts(2).map { try Seen.failed($0, at: "10.0.0.1") } + [
        Seen.accepted("http://other.example/")
      ]
    #expect(decision(probes).verdict == .partial)
    #expect(decision(probes).words(.address).count == 1)
  }

  @Test func acceptedProbesMayHaveAnyAddress() throws {
    var probe = Seen.accepted("https://intranet.firm.example/")
    probe.response = try fakeResponse(probe.url, 200, from: "10.0.0.1")
    #expect(decision([probe]).evidence.map(\.kind) == [.accepted])
  }

  @Test func aVerifiedResponseIsNotAnAddressFinding() throws {
    let probes = try hosts(2, "https").map { url in
      var probe = try Seen.error(url)
      probe.response = try fakeResponse(url, 503, from: "10.0.0.1")
      return probe
    }
    #expect(decision(probes).verdict == .inconclusive)
    #expect(decision(probes).words(.address) == [])
  }

  @Test func aRedirectTargetsAddressDoesNotCountForTheName() throws {
    let probes = try hosts(2).map { url in
      var probe = try Seen.portal(url, at: "http://10.0.0.1/login")
      probe.response = try fakeResponse("http://10.0.0.1/login", 200, from: "10.0.0.1")
      return probe
    }
    #expect(decision(probes).words(.address) == [])
  }

  /// With a proxy or `connectTo`, this machine does not look up the names.
  @Test func aConfiguredAddressDoesNotProveInterception() async throws {
    let transport = FakeTransport { request in
      throw ProbeFailure(
        .connectReset, "reset", partial: try fakeResponse(request.url.string, nil, from: "10.0.0.1"))
    }
    func verdict(_ adjust: (inout ProbeRequest) throws -> Void) async throws -> RunResult {
      let probes = try hosts(2).map { url in
        var request = ProbeRequest(try ProbeURL(url))
        try adjust(&request)
        return PlannedProbe(url: url, request: request)
      }
      let plan = try ProbePlan(
        name: "test", policy: .plaintextAllowed, sets: [PlannedSet(name: "a", probes: probes)])
      return await PipelineRunner(try transport.registry).run(plan)
    }
    #expect(try await verdict { _ in }.verdict == .intercepted)
    #expect(try await verdict { $0.proxy = try ProbeProxy("http://p.example:3128") }.verdict == .offline)
    #expect(try await verdict { $0.connectTo = [try ConnectTo("::127.0.0.1:80")] }.verdict == .offline)
    #expect(
      try await verdict { $0.connectTo = [try ConnectTo("x.example::127.0.0.1:80")] }.verdict == .intercepted)
    #expect(try await verdict { $0.connectTo = [try ConnectTo(":::8080")] }.verdict == .intercepted)
  }

  @Test func theMostFrequentAddressIsReportedFirst() throws {
    let probes =
      try hosts(1).map { try Seen.failed($0, at: "10.0.0.1") }
      + hosts(2, from: 5).map { try Seen.failed($0, at: "10.0.0.2") }
      + hosts(30, from: 10).enumerated().map { try Seen.failed($1, at: "10.1.0.\($0)") }
    let words = decision(probes).words(.address)
    #expect(words.count == 10)
    #expect(
      words[0]
        == "2 probes of public names connected to 10.0.0.2, which is not a public address: a third party answers name lookups"
    )
    #expect(
      words[1]
        == "1 probe of public names connected to 10.0.0.1, which is not a public address: a third party answers name lookups"
    )
  }
}
