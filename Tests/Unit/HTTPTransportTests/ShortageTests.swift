import LoopbackServer
import ProbeTLS
import ProbeCore
import Testing

/// A process without free descriptors: the shortage is reported, and nothing hangs.
@Suite(.eachClient) struct ShortageTests {
  @Test func aShortageOfDescriptorsIsReported() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer.holding()
      let url = server.url()
      // Creates the loop's own descriptors before the shortage.
      _ = try await failure(of: try request(url, timeout: .milliseconds(50)))
      let hoard = DescriptorHoard(limit: 200, sparing: 60)
      let reasons = await withTaskGroup(of: ReasonCode?.self) { group in
        for _ in 0..<150 {
          group.addTask { try? await failure(of: try request(url))?.reason }
        }
        // Those that got a descriptor keep it until they are cancelled.
        var reasons: [ReasonCode?] = []
        while reasons.count < 80, let reason = await group.next() { reasons.append(reason) }
        group.cancelAll()
        let rest = await group.reduce(into: Set()) { $0.insert($1) }
        return (first: Set(reasons), rest: rest)
      }
      try #require(reasons.first == [.noDescriptors], "\(reasons)")
      try #require(reasons.rest.isSubset(of: [.noDescriptors, .cancelled]), "\(reasons)")
      hoard.release()
      let responding = try LoopbackServer.http { _ in .response(body: "ok") }
      try #require(try await transport.probe(try request(responding.url())).status == 200)
    }
  }

  @Test func aShortageDuringALookupIsReported() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer.holding()
      // Creates the loop's own descriptors before the shortage.
      _ = try await failure(of: try request("http://127.0.0.1:\(try LoopbackServer.refusedPort())/"))
      for spared in 0..<6 {
        let hoard = DescriptorHoard(limit: 200, sparing: spared)
        let failure = try await timeout(
          of: try request("http://localhost:\(server.port)/"), in: .responseTimeout
        ).failure
        hoard.release()
        // With a few to spare the lookup succeeds.
        let expected: Set<ReasonCode?> = spared == 0 ? [.noDescriptors] : [.noDescriptors, .responseTimeout]
        try #require(expected.contains(failure?.reason), "\(spared): \(failure as Any)")
      }
    }
  }

  @Test func authoritiesAreReadAgainAfterAShortage() async {
    await #expect(processExitsWith: .success) {
      let context = try Identities.shared.context(LeafOptions(hosts: ["localhost"]))
      let server = try LoopbackServer.http(tls: context) { _ in .response(body: "ok") }
      let trusting = try request(server.secureURL) { $0.trustTestAuthority() }
      let hoard = DescriptorHoard(limit: 200)
      let failure = try await failure(of: trusting)
      hoard.release()
      try #require(failure?.reason == .noDescriptors, "\(failure as Any)")
      // The shortage must not be remembered as a machine without authorities.
      try #require(try await transport.probe(trusting).status == 200)
    }
  }
}
