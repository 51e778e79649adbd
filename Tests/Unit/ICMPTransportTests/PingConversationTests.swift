import ByteStreams
import ProbeCore
import Testing

@testable import Transports
import ProbeStreams

private let v4 = SocketAddress(IPAddress(v4: 0xC000_0201), port: 0)
private let v6 = SocketAddress(IPAddress(v6: 1), port: 0)

private func conversation(_ addresses: [SocketAddress] = [v4], _ options: PingOptions = PingOptions(size: 10))
  -> PingConversation
{
  var conversation = PingConversation(options, seed: 0x0807_0605_0403_0201)
  conversation.begin(with: addresses, at: .zero)
  return conversation
}

private let data: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 8, 9]

@Suite struct PingConversationTests {
  @Test func requestsAreNumberedAndSpaced() {
    var conversation = conversation()
    #expect(conversation.next(at: .zero) == .send([8, 0, 0, 0, 0, 0, 0, 1] + data, to: 0))
    #expect(conversation.next(at: .zero) == .wait(until: .milliseconds(200)))
    #expect(conversation.next(at: .milliseconds(200)) == .send([8, 0, 0, 0, 0, 0, 0, 2] + data, to: 0))
    #expect(conversation.next(at: .milliseconds(400)) == .send([8, 0, 0, 0, 0, 0, 0, 3] + data, to: 0))
    #expect(conversation.next(at: .milliseconds(400)) == .wait(until: nil))
    for number in [UInt8(2), 1, 3] {
      conversation.received([0, 0, 9, 9, 7, 7, 0, number] + data, from: 0, at: .milliseconds(410))
    }
    #expect(conversation.next(at: .milliseconds(410)) == .finished)
    #expect(conversation.facts.roundTrips == [.milliseconds(410), .milliseconds(210), .milliseconds(10)])
    #expect(
      conversation.facts.description == "3 sent, 3 received, 0.0 % loss, min/avg/max 10.0/210.0/410.0 ms")
  }

  @Test func messagesOtherThanTheReplyAreIgnored() {
    var conversation = conversation()
    _ = conversation.next(at: .zero)
    let reply: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1]
    for other in [
      [], reply, reply + data.dropLast(), reply + data + [0], reply + data.reversed(),
      [8] + reply[1...] + data,
      [0, 1] + reply[2...] + data, reply[..<7] + [2] + data, reply[..<6] + [1, 1] + data,
      reply[..<7] + [0] + data, [129] + reply[1...] + data,
    ] as [[UInt8]] {
      conversation.received(other, from: 0, at: .milliseconds(1))
    }
    #expect(conversation.facts.received == 0)
    conversation.received(reply + data, from: 0, at: .milliseconds(2))
    // A repeated reply changes nothing.
    conversation.received(reply + data, from: 0, at: .milliseconds(3))
    #expect(conversation.facts.roundTrips == [.milliseconds(2)])
  }

  @Test func ipv6HasItsOwnTypes() {
    var conversation = conversation([v6], PingOptions(count: 1, size: 0))
    #expect(conversation.next(at: .zero) == .send([128, 0, 0, 0, 0, 0, 0, 1], to: 0))
    conversation.received([129, 0, 0, 0, 0, 0, 0, 1], from: 0, at: .milliseconds(1))
    #expect(conversation.next(at: .milliseconds(1)) == .finished)
  }

  @Test func anAddressWithoutARouteIsSkipped() {
    var conversation = conversation([v6, v4])
    #expect(conversation.next(at: .zero) == .send([128, 0, 0, 0, 0, 0, 0, 1] + data, to: 0))
    conversation.failed(0, 101, wasSent: false, at: .zero)
    #expect(conversation.next(at: .zero) == .send([8, 0, 0, 0, 0, 0, 0, 1] + data, to: 1))
    conversation.failed(1, 101, wasSent: false, at: .zero)
    #expect(conversation.next(at: .zero) == .finished)
    #expect(conversation.error == 101 && conversation.facts.sent == 0)
  }

  @Test func networkErrorsEndTheWaitForReplies() {
    var conversation = conversation([v4], PingOptions(count: 2, interval: .milliseconds(10)))
    _ = conversation.next(at: .zero)
    conversation.failed(0, 113, wasSent: true, at: .milliseconds(1))
    _ = conversation.next(at: .milliseconds(10))
    #expect(conversation.next(at: .milliseconds(10)) == .wait(until: nil))
    conversation.failed(0, 113, wasSent: true, at: .milliseconds(11))
    #expect(conversation.next(at: .milliseconds(11)) == .finished)
    #expect(conversation.facts.description == "2 sent, 0 received, 100.0 % loss")
  }

  @Test(arguments: [
    (
      "icmp://host.example:7", PingOptions(),
      "an icmp URL has no port, path or query: write it as icmp://host"
    ),
    (
      "icmp://host.example/a", PingOptions(),
      "an icmp URL has no port, path or query: write it as icmp://host"
    ),
    (
      "icmp://host.example", PingOptions(count: 0),
      "the count 0 is out of bounds: use one from 1 to 100"
    ),
    (
      "icmp://host.example", PingOptions(interval: .milliseconds(1)),
      "the interval 1ms is out of bounds: use one from 10ms to 1m"
    ),
    (
      "icmp://host.example", PingOptions(size: 65_508),
      "the size 65508 is out of bounds: use one from 0 to 65507"
    ),
    (
      "icmp://host.example", PingOptions(count: 6, interval: .seconds(1)),
      "6 echo requests every 1s take longer than the timeout: use a smaller count or interval, or a longer timeout"
    ),
  ])
  func mistakesAreExplained(_ url: String, _ options: PingOptions, _ message: String) throws {
    var request = ProbeRequest(try ProbeURL(url))
    request[PingOptions.self] = options
    let error = #expect(throws: InvalidInput.self) { try ICMPTransport().check(request) }
    #expect(error?.description == message)
  }
}
