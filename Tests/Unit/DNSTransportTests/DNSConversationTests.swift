import ByteStreams
import ProbeCore
import ProbeStreams
import Testing

@testable import Transports

private let first = SocketAddress(IPAddress(v4: 0xC000_0201), port: 53)
private let second = SocketAddress(IPAddress(v6: 1), port: 53)

private func conversation(_ addresses: [SocketAddress]) throws -> DNSConversation {
  let query = try DNSQuery(name: "a.example", type: #require(RecordType("A")))
  var conversation = DNSConversation(query, message: [1], id: 7)
  conversation.begin(with: addresses, at: .milliseconds(10))
  return conversation
}

@Suite struct DNSConversationTests {
  @Test func theMessageIsRepeated() throws {
    var conversation = try conversation([first])
    #expect(conversation.next(at: .milliseconds(10)) == .send([1], to: 0))
    #expect(conversation.next(at: .milliseconds(10)) == .wait(until: .milliseconds(1010)))
    #expect(conversation.next(at: .milliseconds(1010)) == .send([1], to: 0))
    #expect(conversation.next(at: .milliseconds(1010)) == .wait(until: .milliseconds(3010)))
    #expect(conversation.next(at: .milliseconds(3010)) == .send([1], to: 0))
    #expect(conversation.next(at: .milliseconds(3010)) == .wait(until: .milliseconds(7010)))
    #expect(conversation.failure == nil)
  }

  @Test func theAddressesTakeTurns() throws {
    var conversation = try conversation([first, second])
    #expect(conversation.next(at: .milliseconds(10)) == .send([1], to: 0))
    #expect(conversation.next(at: .milliseconds(1010)) == .send([1], to: 1))
    #expect(conversation.next(at: .milliseconds(3010)) == .send([1], to: 0))
  }

  @Test func anAddressWithAnErrorIsNotUsedAgain() throws {
    var conversation = try conversation([first, second])
    #expect(conversation.next(at: .milliseconds(10)) == .send([1], to: 0))
    conversation.failed(0, 113, wasSent: true, at: .milliseconds(20))
    #expect(conversation.next(at: .milliseconds(20)) == .send([1], to: 1))
    #expect(conversation.failure == nil)
    conversation.failed(1, 111, wasSent: true, at: .milliseconds(30))
    #expect(conversation.next(at: .milliseconds(30)) == .finished)
    // A closed port explains more than an unreachable host.
    #expect(conversation.failure == 111)
  }

  @Test func aLateResponseCounts() throws {
    var conversation = try conversation([first, second])
    _ = conversation.next(at: .milliseconds(10))
    _ = conversation.next(at: .milliseconds(1010))
    conversation.received([0, 7, 0x81, 5, 0, 0, 0, 0, 0, 0, 0, 0], from: 0, at: .milliseconds(1100))
    guard case .response(let response, from: 0)? = conversation.ending else {
      Issue.record("there is no reply")
      return
    }
    #expect(response.facts.code == .refused)
    #expect(conversation.responseTime == .milliseconds(1090))
    #expect(conversation.next(at: .milliseconds(1100)) == .finished)
  }

  @Test func onlySomeResponsesAreRead() throws {
    var conversation = try conversation([first])
    _ = conversation.next(at: .milliseconds(10))
    for _ in 0..<100 { conversation.received([0], from: 0, at: .milliseconds(20)) }
    #expect(conversation.ignored != nil)
    conversation.received([0, 7, 0x81, 5, 0, 0, 0, 0, 0, 0, 0, 0], from: 0, at: .milliseconds(30))
    #expect(conversation.ending == nil)
  }
}
