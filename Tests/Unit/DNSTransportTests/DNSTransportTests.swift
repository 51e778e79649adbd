import LoopbackDNS
import ProbeCore
import TestSupport
import Testing

@testable import Transports

/// A request to a server on loopback.
func request(
  _ server: LoopbackDNS, _ path: String = "a.example?type=A",
  _ change: (inout ProbeRequest) -> Void = { _ in }
) throws -> ProbeRequest {
  var request = ProbeRequest(try ProbeURL("dns://\(server.address)/\(path)"))
  request.timeout = .seconds(600)
  change(&request)
  return request
}

private let one: [UInt8] = [192, 0, 2, 1]

private func failure(_ request: ProbeRequest) async -> ProbeFailure? {
  await #expect(throws: ProbeFailure.self) { try await DNSTransport().probe(request) }
}

@Suite struct DNSTransportTests {
  @Test func theAnswerIsTheBody() async throws {
    let server = try LoopbackDNS { question in
      [
        DNSMessage(to: question).with(.alias("b.example"), timeToLive: 30)
          .with(.address(one), of: "b.example", timeToLive: 7).bytes
      ]
    }
    let response = try await DNSTransport().probe(try request(server))
    #expect(
      String(decoding: response.body, as: UTF8.self)
        == "a.example.\t30\tIN\tCNAME\tb.example.\nb.example.\t7\tIN\tA\t192.0.2.1\n")
    let dns = try #require(response.dns)
    #expect(dns.code == .noError && dns.name == "a.example." && dns.type == "A")
    #expect(response.remoteAddress == server.address)
    #expect(response.timings.firstByte != nil && response.timings.resolve == nil)
    let question = try #require(server.questions.first)
    #expect(!question.isTCP && question.kind == .a)
    // RD and AD, and a pseudo-record of EDNS.
    #expect(Array(question.message[2..<4]) == [0x01, 0x20] && question.message[11] == 1)
  }

  @Test func optionsAreFlags() async throws {
    let server = try LoopbackDNS { [DNSMessage(to: $0).bytes] }
    _ = try await DNSTransport().probe(
      try request(server) { $0[DNSQueryOptions.self] = DNSQueryOptions(recursion: false, dnssec: true) })
    let message = try #require(server.questions.first).message
    #expect(message[2] == 0)
    #expect(message[message.count - 4] == 0x80)
  }

  @Test(arguments: [0, 1, 2, 3, 5] as [UInt8])
  func everyCodeIsAResponse(_ code: UInt8) async throws {
    let server = try LoopbackDNS { [DNSMessage(to: $0, code: code).bytes] }
    let response = try await DNSTransport().probe(try request(server))
    #expect(response.dns?.code.rawValue == UInt16(code))
    #expect(response.body.isEmpty)
    let rejection = SuccessfulStatus().validate(response).rejection
    #expect(rejection?.reason == (code == 0 || code == 3 ? .noSuchHost : .dnsFailure))
  }

  @Test func theBodyIsCutAtItsLimit() async throws {
    let server = try LoopbackDNS { [DNSMessage(to: $0).with(.address(one)).bytes] }
    let response = try await DNSTransport().probe(try request(server) { $0.maxBody = 5 })
    #expect(response.body == Array("a.exa".utf8) && response.bodyIsCut)
    #expect(response.dns?.answer.count == 1)
  }

  @Test(arguments: [false, true])
  func aTruncatedResponseIsRequestedAgainOverTCP(cutInARecord: Bool) async throws {
    let server = try LoopbackDNS { question in
      var message = DNSMessage(to: question)
      guard question.isTCP else {
        let bytes = message.with(.address(one)).truncated.bytes
        return [cutInARecord ? Array(bytes.dropLast(2)) : bytes]
      }
      for number in 0..<300 {
        message = message.with(
          .other(type: 16, [200] + [UInt8](repeating: 0x78, count: 200)), timeToLive: UInt32(number))
      }
      return [message.bytes]
    }
    let response = try await DNSTransport().probe(
      try request(server, "a.example?type=TXT") { $0.maxBody = 1 << 20 })
    #expect(response.dns?.answer.count == 300)
    #expect(response.body.count > 60_000)
    #expect(server.questions.map(\.isTCP) == [false, true])
    #expect(response.remoteAddress == server.address && response.timings.connect != nil)
    let parts = [response.timings.connect, response.timings.firstByte].compactMap { $0 }.reduce(.zero, +)
    #expect(try #require(response.timings.total) >= parts)
  }

  @Test func anInvalidResponseOverTCPIsAFailure() async throws {
    let server = try LoopbackDNS { question in
      question.isTCP
        ? [DNSMessage(to: question).with(id: question.id &+ 1).bytes]
        : [DNSMessage(to: question).truncated.bytes]
    }
    let failure = await failure(try request(server))
    #expect(failure?.reason == .dnsFailure)
    #expect(
      failure?.detail == "over TCP: the response is not valid: its ID is not that of the query")
    #expect(failure?.partial?.remoteAddress == server.address)
  }

  @Test func messagesOtherThanTheResponseAreIgnored() async throws {
    let other = DNSQuestion(Array("\0\0\u{1}\0\0\u{1}\0\0\0\0\0\0\u{1}b\0\0\u{1}\0\u{1}".utf8))
    let server = try LoopbackDNS { question in
      var another = try! #require(other)
      another.id = question.id
      let genuine = DNSMessage(to: question).with(.address(one))
      return [
        [], [1, 2, 3], [UInt8](repeating: 0xFF, count: 2000), question.message,
        genuine.with(id: question.id &+ 1).bytes,
        DNSMessage(to: another).with(.address([192, 0, 2, 66])).bytes,
        Array(genuine.bytes.dropLast()), genuine.bytes,
      ]
    }
    let response = try await DNSTransport().probe(try request(server))
    #expect(response.dns?.answer.map(\.data) == ["192.0.2.1"])
  }

  @Test func anotherSourceIsIgnored() async throws {
    let attacker = try DatagramSender()
    let server = try LoopbackDNS { question in
      // The correct port, ID and question, but from another port.
      attacker.send(DNSMessage(to: question).with(.address([192, 0, 2, 66])).bytes, toPort: question.port)
      return [DNSMessage(to: question).with(.address(one)).bytes]
    }
    for _ in 0..<5 {
      let response = try await DNSTransport().probe(try request(server))
      #expect(response.dns?.answer.map(\.data) == ["192.0.2.1"])
    }
    #expect(attacker.count == 5)
    // Neither the ports nor the IDs repeat.
    #expect(Set(server.questions.map(\.port)).count == 5)
    #expect(Set(server.questions.map(\.id)).count > 1)
  }

  @Test func silenceIsATimeout() async throws {
    let server = try LoopbackDNS { _ in [] }
    let failure = await failure(try request(server) { $0.timeout = .milliseconds(100) })
    #expect(failure?.reason == .responseTimeout)
    #expect(failure?.detail == "no response from the DNS server in time")
    #expect(failure?.partial?.remoteAddress == server.address)
  }

  @Test func theTimeoutSaysWhatWasIgnored() async throws {
    let server = try LoopbackDNS { [DNSMessage(to: $0).with(id: $0.id &+ 1).bytes] }
    let ignored = try await withGrowingLimit(
      from: .milliseconds(300),
      while: { (failure: ProbeFailure?) in failure?.detail.hasSuffix("not that of the query") != true }
    ) { limit in
      await failure(try request(server) { $0.timeout = limit })
    }
    #expect(ignored?.reason == .responseTimeout)
    #expect(
      ignored?.detail
        == "no response from the DNS server in time; what was received was ignored: its ID is not that of the query"
    )
  }

  @Test func rulesAboutAddressesApply() async throws {
    let server = try LoopbackDNS { [DNSMessage(to: $0).bytes] }
    let failure = await failure(try request(server) { $0.staysOffThisMachine = true })
    #expect(failure?.reason == .addressRefused)
    #expect(server.questions.isEmpty)
    var routed = ProbeRequest(try ProbeURL("dns:///a.example"))
    routed.connectTo = [try ConnectTo("::127.0.0.1:\(server.address.port)")]
    routed.staysOffThisMachine = true
    let response = try await DNSTransport().probe(routed)
    #expect(response.remoteAddress == server.address)
  }

  @Test func namesOfServersAreLookedUp() async throws {
    let server = try LoopbackDNS { [DNSMessage(to: $0).with(.address(one)).bytes] }
    var request = ProbeRequest(try ProbeURL("dns://localhost:\(server.address.port)/a.example"))
    request.family = .v4
    let response = try await DNSTransport().probe(request)
    #expect(response.remoteAddress == server.address && response.timings.resolve != nil)
  }
}
