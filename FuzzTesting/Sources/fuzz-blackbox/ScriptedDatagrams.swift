@testable import ByteStreams
@testable import Transports
import ProbeCore
@testable import ProbeStreams

/// The transports of datagrams, whose received data is given as bytes.
struct ScriptedDatagrams: ProbeTransport {
  /// The received data.
  ///
  /// Of DNS: flags and counts of the header, and everything behind the question. Of a ping: for each echo reply
  /// the milliseconds that it takes, and its hop limit.
  let received: [UInt8]

  private static let server = SocketAddress(IPAddress(v4: 0xC000_0201), port: 53)

  var schemes: [URLScheme: Encryption] { [.dns: .plaintext, .dnsTLS: .encrypted, .icmp: .plaintext] }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    let response = ProbeResponse(url: request.url, remoteAddress: Self.server)
    return request.url.scheme == .icmp
      ? try echo(of: request, response) : try dnsResponse(to: request, response)
  }

  private func dnsResponse(to request: ProbeRequest, _ response: ProbeResponse) throws -> ProbeResponse {
    try DNSTransport().check(request)
    let query = try DNSQuery(request)
    let message = try query.message(id: 7)
    var conversation = DNSConversation(query, message: message, id: 7)
    conversation.begin(with: [Self.server], at: .zero)
    guard case .send = conversation.next(at: .zero) else { throw ProbeFailure(.dnsFailure, "no query") }
    if received.count >= 10 {
      conversation.received(
        [0, 7] + received[..<10] + Self.question(of: message) + received[10...], from: 0, at: .milliseconds(1)
      )
    }
    guard case .response(let parsed, _) = conversation.ending else {
      throw ProbeFailure(.responseTimeout, "no response: \(conversation.ignored ?? "")")
    }
    return response.with(parsed, maxBody: request.maxBody)
  }

  /// The question of a query's message.
  private static func question(of message: [UInt8]) -> ArraySlice<UInt8> {
    var end = 12
    while message[end] != 0 { end += Int(message[end]) + 1 }
    return message[12..<(end + 5)]
  }

  private func echo(of request: ProbeRequest, _ response: ProbeResponse) throws -> ProbeResponse {
    try ICMPTransport().check(request)
    var conversation = PingConversation(request[PingOptions.self] ?? PingOptions(), seed: 0)
    conversation.begin(with: [Self.server], at: .zero)
    var now = Duration.zero
    var rest = received[...]
    while case .send(var message, let address) = conversation.next(at: now) {
      guard let time = rest.popFirst(), let limit = rest.popFirst() else { break }
      now += .milliseconds(time)
      message[0] = 0
      conversation.received(message, hopLimit: Int(limit), from: address, at: now)
    }
    let facts = conversation.facts
    guard facts.received > 0 else { throw ProbeFailure(.responseTimeout, "no echo reply in time: \(facts)") }
    var response = response
    response.ping = facts
    response.timings.firstByte = facts.averageRoundTrip
    return response
  }
}
