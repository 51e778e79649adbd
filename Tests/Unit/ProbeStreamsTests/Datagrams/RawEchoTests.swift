import Testing

@testable import ProbeStreams

/// What a raw socket sends and receives in a ping.
@Suite struct RawEchoTests {
  private static let echo = RawEcho(isV6: false, identifier: 0x1234)
  private static let echoV6 = RawEcho(isV6: true, identifier: 0x1234)
  /// A packet from 192.0.2.1 with an echo reply of identifier 0x1234, number 1 and three bytes of data.
  private static let packet: [UInt8] = header() + reply
  private static let reply: [UInt8] = [0, 0, 0x24, 0xC8, 0x12, 0x34, 0, 1, 0xAB, 2, 0x1E]

  private static func header(words: UInt8 = 5, version: UInt8 = 4) -> [UInt8] {
    [version << 4 | words, 0, 0, 31, 0, 0, 0, 0, 64, 1, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2]
      + [UInt8](repeating: 1, count: max(0, Int(words) - 5) * 4)
  }

  @Test func aRequestHasTheIdentifierAndInIPv4AChecksum() {
    let request: [UInt8] = [8, 0, 0, 0, 0, 0, 0, 1, 0xAB, 2, 0x1E]
    #expect(Self.echo.request(request) == [8, 0, 0x1C, 0xC8, 0x12, 0x34, 0, 1, 0xAB, 2, 0x1E])
    // The system computes that of ICMPv6, which includes the addresses.
    let requestV6: [UInt8] = [128] + request.dropFirst()
    #expect(Self.echoV6.request(requestV6) == [128, 0, 0, 0, 0x12, 0x34, 0, 1, 0xAB, 2, 0x1E])
  }

  @Test func theLargestMessageHasAChecksum() {
    let message = Self.echo.request([8, 0, 0, 0, 0, 0, 0, 1] + [UInt8](repeating: 0xFF, count: 65_507))
    #expect(RawEcho.checksum(of: message[...]) == 0)
    #expect(Self.echo.reply(in: Self.header() + message) == nil)
  }

  @Test func aReplyIsReadFromItsPacket() {
    #expect(Self.echo.reply(in: Self.packet) == Self.reply)
    // A header with options is longer.
    #expect(Self.echo.reply(in: Self.header(words: 15) + Self.reply) == Self.reply)
    let replyV6: [UInt8] = [129] + Self.reply.dropFirst()
    #expect(Self.echoV6.reply(in: replyV6) == replyV6)
  }

  /// A message with a correct checksum.
  private static func message(type: UInt8 = 0, code: UInt8 = 0, identifier: UInt16 = 0x1234) -> [UInt8] {
    var bytes = RawEcho(isV6: false, identifier: identifier).request([type, code, 0, 0, 0, 0, 0, 1])
    bytes[0] = type
    return bytes
  }

  @Test func otherPacketsAreIgnored() {
    var damaged = Self.packet
    damaged[30] ^= 1
    let others: [[UInt8]] = [
      [], Self.header(), Self.reply, damaged, Array(Self.packet.dropLast()),
      // Too short for its header, too short a header, and another version.
      Self.header(words: 15).dropLast(25) + Self.reply, Self.header(words: 4) + Self.reply,
      Self.header(version: 6) + Self.reply,
      // A request, such as this one on loopback; another code; the reply to another process.
      Self.header() + Self.message(type: 8), Self.header() + Self.message(code: 1),
      Self.header() + Self.message(identifier: 0x1235), Self.header() + Self.message().prefix(7),
    ]
    for packet in others { #expect(Self.echo.reply(in: packet) == nil, "\(packet)") }
    #expect(Self.echo.reply(in: Self.header() + Self.message()) == Self.message())
    for message in [
      [], [128, 0, 0, 0, 0x12, 0x34, 0, 1], [129, 0, 0, 0, 0x12, 0x35, 0, 1], [129, 0, 0, 0, 0x12],
    ]
      as [[UInt8]]
    { #expect(Self.echoV6.reply(in: message) == nil, "\(message)") }
  }

  @Test func anErrorQuotesARequest() {
    #expect(Self.echo.isRequest([8, 0, 1, 2, 0x12, 0x34, 0, 1]))
    #expect(Self.echoV6.isRequest([128, 0, 1, 2, 0x12, 0x34, 0, 1, 9]))
    for other in [
      [], [8, 0, 1, 2, 0x12, 0x34, 0], [8, 0, 1, 2, 0x12, 0x35, 0, 1], [128, 0, 1, 2, 0x12, 0x34, 0, 1],
    ]
      as [[UInt8]]
    { #expect(!Self.echo.isRequest(other), "\(other)") }
  }
}
