import LoopbackDNS
import ProbeCore
import TestSupport
import Testing

@testable import Ares

@Suite struct AresChannelTests {
  @Test func bringsAddressesOfTheFamily() async throws {
    let server = try LoopbackDNS { question in
      [
        DNSMessage(to: question)
          .with(
            .address(question.kind == .a ? [192, 0, 2, 1] : [UInt8](repeating: 1, count: 16)), timeToLive: 7
          )
          .bytes
      ]
    }
    let (v4, v6) = try await onAThread {
      let loop = try ChannelLoop(asking: server)
      return (try loop.lookUp("a.example", .v4), try loop.lookUp("a.example", .v6))
    }
    #expect(v4 == NameAnswer([.init(IPAddress(v4: 0xC000_0201), timeToLive: .seconds(7))]))
    #expect(v6.addresses.map(\.address.description) == ["101:101:101:101:101:101:101:101"])
    #expect(server.questions.map(\.name) == ["a.example", "a.example"])
    #expect(server.questions.map(\.kind) == [.a, .aaaa])
  }
}
