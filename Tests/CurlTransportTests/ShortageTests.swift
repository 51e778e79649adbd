import CurlTransport
import LoopbackServer
import ProbeCore
import Testing

/// A process that runs out of descriptors: told so, and nothing hangs.
@Suite struct ShortageTests {
  @Test func aProbeBeyondTheLastDescriptorSaysSo() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer.holding()
      let url = server.url()
      // The loop's own descriptors are taken before they run out.
      _ = try await failure(of: try request(url, timeout: .milliseconds(50)))
      let hoard = DescriptorHoard(limit: 200, sparing: 60)
      let reasons = await withTaskGroup(of: ReasonCode?.self) { group in
        for _ in 0..<150 {
          group.addTask { try? await failure(of: try request(url, timeout: .seconds(1)))?.reason }
        }
        return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      try #require(Set(reasons.keys).isSubset(of: [.noDescriptors, .responseTimeout]), "\(reasons)")
      try #require(reasons[.noDescriptors, default: 0] >= 90, "\(reasons)")
      hoard.release()
      let answering = try LoopbackServer.http { _ in .response(body: "ok") }
      try #require(try await transport.probe(try request(answering.url())).status == 200)
    }
  }

  @Test func aNameThatCannotBeLookedUpForItSaysSo() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer.holding()
      _ = try await failure(of: try request(server.url(), timeout: .milliseconds(50)))
      for spared in 0..<6 {
        let hoard = DescriptorHoard(limit: 200, sparing: spared)
        let failure = try await failure(of: try request("http://localhost:\(server.port)/", timeout: .seconds(1)))
        hoard.release()
        // With a few to spare the lookup succeeds.
        let expected: Set<ReasonCode?> = spared < 2 ? [.noDescriptors] : [.noDescriptors, .responseTimeout]
        try #require(expected.contains(failure?.reason), "\(spared): \(failure as Any)")
      }
    }
  }
}
