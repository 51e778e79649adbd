import LoopbackDNS
import ProbeCore
import TestSupport
import Testing

@testable import ProbeStreams

/// When a channel's lookups end, and when its sockets are closed.
@Suite struct AresLivesTests {
  private static let response: LoopbackDNS.Responses = {
    [DNSMessage(to: $0).with(.address([192, 0, 2, 1])).bytes]
  }

  @Test func lookupsEndWithTheirChannel() async throws {
    let server = try LoopbackDNS { _ in [] }
    let (codes, calls, descriptors) = try await onAThread {
      let loop = try ChannelLoop(asking: server)
      var codes: [AresError.Code?] = []
      for number in 0..<10 {
        loop.channel?.lookUp("\(number).example", number < 5 ? .v4 : nil) { codes.append($0.failure?.code) }
      }
      loop.drop()
      return (codes, loop.calls, loop.descriptors)
    }
    #expect(codes == [AresError.Code?](repeating: .cancelled, count: 10))
    #expect(calls == ["r", ""] && descriptors == [])
  }

  @Test func lookupsAreCancelled() async throws {
    let server = try LoopbackDNS { $0.name == "later.example" ? Self.response($0) : [] }
    let (codes, later, underway) = try await onAThread {
      let loop = try ChannelLoop(asking: server)
      var codes: [AresError.Code?] = []
      var later: Result<ResolvedName, AresError>?
      for number in 0..<3 {
        loop.channel?.lookUp("\(number).example", .v4) { [unowned loop] result in
          codes.append(result.failure?.code)
          // A lookup that begins in the meantime continues.
          if number == 0 { loop.channel?.lookUp("later.example", .v4) { later = $0 } }
        }
      }
      loop.channel?.cancelAll()
      let underway = loop.channel?.underway
      loop.run()
      return (codes, later, underway)
    }
    #expect(codes == [.cancelled, .cancelled, .cancelled])
    #expect(try later?.get().addresses.count == 1)
    #expect(underway == 1)
  }

  @Test func aClosureCanReleaseTheChannel() async throws {
    let server = try LoopbackDNS(Self.response)
    let codes = try await onAThread {
      let loop = try ChannelLoop(asking: server)
      var codes: [AresError.Code?] = []
      for number in 0..<4 {
        loop.channel?.lookUp("\(number).example", .v4) { [unowned loop] result in
          codes.append(result.failure?.code)
          loop.drop()
        }
      }
      loop.run()
      return codes
    }
    // Whether the other lookups have their answers by then depends on timing.
    #expect(codes.count == 4 && codes.first == .some(nil), "\(codes)")
    #expect(codes.allSatisfy { $0 == nil || $0 == .cancelled }, "\(codes)")
  }

  @Test func thereIsATimeoutOnlyDuringALookup() async throws {
    let server = try LoopbackDNS { _ in [] }
    let left = try await onAThread {
      let loop = try ChannelLoop(asking: server, timeout: .seconds(60))
      var left = [loop.channel?.timeLeft]
      loop.channel?.lookUp("a.example", .v4) { _ in }
      left.append(loop.channel?.timeLeft)
      loop.channel?.processTimeouts()
      loop.channel?.cancelAll()
      left.append(loop.channel?.timeLeft)
      return left
    }
    #expect(left[0] == nil && left[2] == nil)
    #expect(try #require(left[1]) > .seconds(2) && #require(left[1]) <= .milliseconds(60_001))
  }

  @Test func noChildInheritsASocket() async throws {
    let server = try LoopbackDNS { _ in [] }
    let flags = try await onAThread {
      try [false, true].map { usesTCP in
        let loop = try ChannelLoop(asking: server) { $0.usesTCP = usesTCP }
        loop.channel?.lookUp("a.example", .v4) { _ in }
        return loop.descriptors.map { descriptorFlags($0) }
      }
    }
    #expect(
      flags == [[.init(closesOnExec: true, blocks: false)], [.init(closesOnExec: true, blocks: false)]])
  }

  @Test func aShortageIsNotAnOutage() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackDNS(Self.response)
      let (codes, isAnswered) = try await onAThread {
        let loop = try ChannelLoop(asking: server)
        let files = try ChannelLoop(.hostsFile)
        let codes = withoutDescriptors {
          [loop.failure("a.example"), loop.failure("b.example", nil), files.failure("a.invalid")]
        }
        return (codes, try loop.lookUp("a.example").addresses.count == 1)
      }
      try #require(codes == [.noDescriptors, .noDescriptors, .noDescriptors])
      try #require(isAnswered)
      withoutDescriptors {
        #expect(throws: AresError.self) { try AresChannel(.dns, ResolverConfiguration()) { _, _, _ in } }
        #expect(throws: AresError.self) { try AresChannel(.dns) { _, _, _ in } }
      }
    }
  }
}

extension Result {
  fileprivate var failure: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
