import Glibc
import LoopbackDNS
import ProbeCore
import TestSupport
import Testing

@testable import ProbeStreams

/// A server that responds with a response code and no address.
private func server(code: UInt8) throws -> LoopbackDNS {
  try LoopbackDNS { [DNSMessage(to: $0, code: code).bytes] }
}

/// A server that responds with one address.
private func server(_ address: [UInt8] = [192, 0, 2, 1]) throws -> LoopbackDNS {
  try LoopbackDNS { [DNSMessage(to: $0).with(.address(address)).bytes] }
}

private let silence: LoopbackDNS.Responses = { _ in [] }

@Suite struct AresChannelTests {
  @Test func findsAddressesOfTheRequestedFamily() async throws {
    let server = try LoopbackDNS { question in
      let bytes = question.kind == .a ? [192, 0, 2, 1] : [UInt8](repeating: 1, count: 16)
      return [DNSMessage(to: question).with(.address(bytes), timeToLive: 7).bytes]
    }
    let (v4, v6, both) = try await onAThread {
      let loop = try ChannelLoop(asking: server)
      return (
        try loop.lookUp("a.example", .v4), try loop.lookUp("a.example", .v6),
        try loop.lookUp("a.example", nil)
      )
    }
    #expect(v4 == ResolvedName([.init(IPAddress(v4: 0xC000_0201), timeToLive: .seconds(7))]))
    #expect(v6.addresses.map(\.address.description) == ["101:101:101:101:101:101:101:101"])
    #expect(Set(both.addresses) == Set(v4.addresses + v6.addresses))
    #expect(server.questions.allSatisfy { $0.name == "a.example" && !$0.isTCP })
    #expect(server.questions.prefix(2).map(\.kind) == [.a, .aaaa])
  }

  @Test func followsAliases() async throws {
    let server = try LoopbackDNS { question in
      [
        DNSMessage(to: question)
          .with(.alias("b_1.example"), timeToLive: 30)
          .with(.alias("c.example"), of: "b_1.example", timeToLive: 0x8000_0000)
          .with(.address([192, 0, 2, 7]), of: "c.example", timeToLive: 9)
          .with(.address([192, 0, 2, 8]), of: "another.example")
          .bytes
      ]
    }
    let answer = try await onAThread { try ChannelLoop(asking: server).lookUp("a.example") }
    #expect(answer.addresses == [.init(IPAddress(v4: 0xC000_0207), timeToLive: .seconds(9))])
    #expect(
      answer.aliases == [
        .init(from: "a.example", to: "b_1.example", timeToLive: .seconds(30)),
        .init(from: "b_1.example", to: "c.example", timeToLive: .zero),
      ])
  }

  @Test(arguments: [
    (UInt8(0), AresError.Code.noData), (1, .formatError), (2, .serverFailure), (3, .noSuchName),
    (4, .notImplemented),
    (5, .refused), (9, .serverFailure),
  ])
  func reportsWhyThereIsNoAddress(_ code: UInt8, _ expected: AresError.Code) async throws {
    let server = try server(code: code)
    for usesTCP in [false, true] {
      let failure = try await onAThread {
        try ChannelLoop(asking: server) { $0.usesTCP = usesTCP }.failure("a.example")
      }
      #expect(failure == expected, "\(usesTCP)")
    }
  }

  @Test func oneFailingServerOfTwoDoesNotMatter() async throws {
    let (failing, good) = (try server(code: 2), try server())
    let answer = try await onAThread { try ChannelLoop(asking: failing, good).lookUp("a.example") }
    #expect(answer.addresses.count == 1)
    #expect(failing.questions.count == 1)
  }

  @Test func aSilentServerDoesNotMatter() async throws {
    let (silent, good) = (try LoopbackDNS(silence), try server())
    let answer = try await onAThread {
      let loop = try ChannelLoop(asking: silent, good, timeout: .milliseconds(200)) { $0.attempts = 5 }
      return try loop.lookUp("a.example")
    }
    #expect(answer.addresses.count == 1)
  }

  @Test func truncatedResponsesAreRequestedAgainOverTCP() async throws {
    let server = try LoopbackDNS { question in
      let response = DNSMessage(to: question)
      guard question.isTCP else { return [response.truncated.bytes] }
      return [(0..<100).reduce(response) { $0.with(.address([10, 0, 0, UInt8($1)])) }.bytes]
    }
    let answer = try await onAThread { try ChannelLoop(asking: server).lookUp("a.example") }
    #expect(Set(answer.addresses).count == 100)
    #expect(server.questions.map(\.isTCP) == [false, true])
  }

  @Test func queriesOverTCPOnly() async throws {
    let server = try server()
    let answer = try await onAThread {
      try ChannelLoop(asking: server) { $0.usesTCP = true }.lookUp("a.example")
    }
    #expect(answer.addresses.count == 1 && server.questions.map(\.isTCP) == [true])
  }

  @Test func timesOutWithoutAResponse() async throws {
    let server = try LoopbackDNS(silence)
    let failure = try await onAThread {
      try ChannelLoop(asking: server, timeout: .milliseconds(20)) { $0.attempts = 3 }.failure("a.example")
    }
    #expect(failure == .timeout)
    // The last query may arrive after its time.
    for _ in 0..<10_000 where server.questions.count < 3 { try await Task.sleep(for: .milliseconds(2)) }
    #expect(server.questions.count == 3)
  }

  @Test func noServerListens() async throws {
    let failure = try await onAThread {
      let port = DeafPort()
      let address = SocketAddress(IPAddress(v4: 0x7F00_0001), port: port.number)
      defer { withExtendedLifetime(port) {} }
      var configuration = ResolverConfiguration()
      configuration.servers = [address, SocketAddress(IPAddress(v6: 1), port: address.port)]
      return try ChannelLoop(.dns, configuration).failure("a.example")
    }
    #expect(failure == .noServers)
  }

  /// The kernel reports the error of one query to the next one, which c-ares would take for the error of that.
  @Test(arguments: 1...5) func aRefusalEndsAllLookups(_ attempts: Int) async throws {
    let results = try await onAThread {
      let port = DeafPort()
      defer { withExtendedLifetime(port) {} }
      var configuration = ResolverConfiguration()
      configuration.servers = [SocketAddress(IPAddress(v4: 0x7F00_0001), port: port.number)]
      configuration.timeout = .seconds(60)
      configuration.attempts = attempts
      return try ChannelLoop(.dns, configuration).lookUp(["a.example", "b.example"])
    }
    // Without the report, a lookup would end with a timeout.
    for result in results {
      #expect(throws: AresError.self) { try #require(result).get() }
      guard case .failure(let error) = result else { continue }
      #expect(error.code == .noServers)
    }
  }

  @Test func unrelatedResponsesAreIgnored() async throws {
    let server = try LoopbackDNS { question in
      var other = question
      other.bytes[1] ^= 1
      let response = DNSMessage(to: question).with(.address([192, 0, 2, 1]))
      let forged = [192, 0, 2, 66] as [UInt8]
      return [
        [], [1, 2, 3], response.with(id: question.id ^ 1).bytes,
        DNSMessage(to: other).with(.address(forged)).bytes, DNSMessage(to: other, code: 2).bytes,
        response.bytes,
      ]
    }
    let answer = try await onAThread { try ChannelLoop(asking: server).lookUp("a.example") }
    #expect(answer.addresses.map(\.address.description) == ["192.0.2.1"])
  }

  @Test(arguments: [
    // A record that ends too early, a name that points to itself, an alias to a name with a space.
    [0xC0, 12, 0, 1], [0xC0, 27, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 1, 2, 3, 4],
    [0xC0, 12, 0, 5, 0, 1, 0, 0, 0, 9, 0, 5, 3, 0x61, 0x20, 0x62, 0],
  ])
  func garbageIsABadResponse(_ records: [UInt8]) async throws {
    let server = try LoopbackDNS { question in
      var bytes = DNSMessage(to: question).bytes
      bytes[7] = 1
      return [bytes + records]
    }
    let failure = try await onAThread { try ChannelLoop(asking: server).failure("a.example") }
    #expect(failure == .badResponse)
  }

  @Test func manyLookupsAtOnce() async throws {
    let server = try LoopbackDNS { question in
      let number = UInt8(truncatingIfNeeded: Int(question.name.split(separator: ".")[0]) ?? 0)
      return [DNSMessage(to: question).with(.address([10, 0, 0, number])).bytes]
    }
    let (results, descriptors) = try await onAThread {
      let loop = try ChannelLoop(asking: server, timeout: .milliseconds(500))
      let results = loop.lookUp((0..<300).map { "\($0).example" })
      return (results, loop.calls.count { $0 == "r" })
    }
    for (number, result) in results.enumerated() {
      let address = try #require(try result?.get()).addresses.map(\.address.description)
      #expect(address == ["10.0.0.\(number % 256)"])
    }
    // All lookups share one socket.
    #expect(descriptors == 1)
  }

  /// A scan has hundreds of queries in flight, and the thread may be busy when the responses arrive.
  @Test func manyResponsesWaitUntilTheyAreRead() async throws {
    let server = try server()
    let results = try await onAThread {
      let loop = try ChannelLoop(asking: server)
      var results: [Result<ResolvedName, AresError>] = []
      for number in 1...400 {
        loop.channel?.lookUp("\(number).example", .v4) { results.append($0) }
        // The socket of the server must not be full either.
        while server.questions.count < number { sched_yield() }
      }
      loop.run()
      return results
    }
    #expect(results.count == 400)
    #expect(results.allSatisfy { (try? $0.get())?.addresses.count == 1 })
    #expect(server.questions.count == 400, "no query is repeated")
  }

  @Test func serversTakeTurns() async throws {
    let servers = [try server(), try server()]
    try await onAThread {
      let loop = try ChannelLoop(asking: servers[0], servers[1]) { $0.rotates = true }
      for number in 0..<6 { _ = try loop.lookUp("\(number).example") }
    }
    #expect(servers.map(\.questions.count) == [3, 3])
  }
}
