import ProbeCore
import Testing

@testable import FixtureReplay

/// How the response to a routed request is rewritten in terms of the replayed network.
@Suite struct RoutedResponseTests {
  private let server = SocketAddress(IPAddress(v4: 0x7F00_0001), port: 4443)

  private func response(from remote: SocketAddress?) throws -> ProbeResponse {
    ProbeResponse(
      url: try ProbeURL("https://www.example/"), head: HTTPResponseHead(status: 204), remoteAddress: remote)
  }

  @Test func theAddressIsThatOfTheFixture() throws {
    let routed = try RoutedRequest(try request("https://www.example/"))
    let received = try response(from: server)
    let address = try #require(IPAddress("192.0.2.1"))
    #expect(
      try routed.response(received, from: server, as: address).remoteAddress
        == SocketAddress(address, port: 443))
    // If the fixture defines no address, rules about addresses get none.
    #expect(try routed.response(received, from: server, as: nil).remoteAddress == nil)
  }

  @Test func aNameWasLookedUp() throws {
    let named = try RoutedRequest(try request("https://www.example/"))
    #expect(try named.response(try response(from: server), from: server, as: nil).timings.resolve == .zero)
    let literal = try RoutedRequest(try request("https://192.0.2.1/"))
    #expect(try literal.response(try response(from: server), from: server, as: nil).timings.resolve == nil)
  }

  private static let strays = [
    SocketAddress(IPAddress(v4: 0x7F00_0001), port: 443),
    SocketAddress(IPAddress(v4: 0xC633_6401), port: 4443),
    SocketAddress(IPAddress(v6: 1), port: 4443),
  ]

  @Test(arguments: strays)
  func aResponseFromElsewhereIsAFailure(_ remote: SocketAddress) throws {
    let routed = try RoutedRequest(try request("https://www.example/"))
    let received = try response(from: remote)
    let failure = #expect(throws: ProbeFailure.self) { try routed.response(received, from: server, as: nil) }
    #expect(failure?.reason == .transportFailure)
    #expect(
      failure?.detail.hasPrefix("the connection was to \(remote), not to the replay server") == true)
    #expect(failure?.partial?.remoteAddress == remote, "the destination is reported")
    let late = routed.failure(ProbeFailure(.bodyShort, "cut", partial: received), from: server, as: nil)
    #expect(late.reason == .transportFailure)
  }

  @Test func aResponseFromAnUnknownSourceIsAFailure() throws {
    let routed = try RoutedRequest(try request("https://www.example/"))
    let received = try response(from: nil)
    let failure = #expect(throws: ProbeFailure.self) { try routed.response(received, from: server, as: nil) }
    #expect(failure?.reason == .transportFailure)
    // A failure may occur before there is an address.
    let early = routed.failure(ProbeFailure(.connectRefused, "no", partial: received), from: server, as: nil)
    #expect(early.reason == .connectRefused)
  }

  private static let words: [(url: String, original: String, shown: String)] = [
    ("https://www.example/", "127.0.0.1:4443 is closed", "www.example:443 is closed"),
    ("https://www.example/", "no way to 127.0.0.1 port 4443 today", "no way to www.example port 443 today"),
    ("https://[2001:db8::7]:8443/", "127.0.0.1:4443", "[2001:db8::7]:8443"),
    ("https://www.example/", "a page of 127.0.0.1:80", "a page of 127.0.0.1:80"),
  ]

  @Test(arguments: words.indices)
  func failureTextsDoNotMentionThisMachine(_ index: Int) throws {
    let (url, original, shown) = Self.words[index]
    let routed = try RoutedRequest(try request(url))
    let failure = routed.failure(ProbeFailure(.connectFailed, original), from: server, as: nil)
    #expect(failure.detail == shown)
  }
}
