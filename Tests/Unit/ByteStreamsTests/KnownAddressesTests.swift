import ByteStreams
import LoopbackServer
import ProbeCore
import TestRequirements
import Testing

/// Addresses that are found before a probe, and probes that use them.
@Suite struct KnownAddressesTests {
  private func request(_ url: String) throws -> ProbeRequest {
    var request = ProbeRequest(try ProbeURL(url))
    request.timeout = .seconds(3 * 3600)
    return request
  }

  private func known(_ host: String, _ addresses: [String], after time: Duration = .zero) throws
    -> FoundAddresses
  {
    FoundAddresses(
      host: host,
      addresses: try addresses.map {
        NamedAddress(address: try #require(IPAddress($0)), timeToLive: .seconds(300))
      }, aliases: ["real.example"], lookupTime: time)
  }

  @Test(arguments: ["tcp://192.0.2.7:1", "tcp://[2001:db8::7]:1"])
  func anAddressNeedsNoLookup(_ url: String) async throws {
    let request = try request(url)
    let found = try await TestStreams.connector.addresses(for: request)
    #expect(found.host == request.url.host)
    #expect(found.addresses.map(\.address) == [request.url.address])
    #expect(found.lookupTime == .zero)
  }

  @Test func theHostToConnectToIsResolved() async throws {
    var request = try request("tcp://nothing.invalid:1")
    request.connectTo = [try ConnectTo("nothing.invalid::localhost:")]
    let found = try await TestStreams.connector.addresses(for: request)
    #expect(found.host == "localhost")
    #expect(!found.addresses.isEmpty && found.addresses.allSatisfy(\.address.isLoopback))
    request.proxy = try ProbeProxy("socks5h://127.0.0.1:9")
    #expect(try await TestStreams.connector.addresses(for: request).host == "127.0.0.1")
  }

  @Test func onlyTheRequestedFamilyIsResolved() async throws {
    var request = try request("tcp://localhost:1")
    request.family = .v4
    let found = try await TestStreams.connector.addresses(for: request)
    #expect(found.addresses.map(\.address) == [IPAddress("127.0.0.1")])
  }

  @Test func aProbeMakesNoSecondLookup() async throws {
    let server = try LoopbackServer.holding()
    var request = try request("tcp://nothing.invalid:\(server.port)")
    // Longer than anything takes here, so that it is seen where it counts.
    let lookup = Duration.seconds(3600)
    let known = try known("nothing.invalid", ["127.0.0.1"], after: lookup)
    request.knownAddresses = known
    let response = try await TestStreams.connector.connect(for: request).response
    #expect(response.remoteAddress?.description == "127.0.0.1:\(server.port)")
    // As if it had made the lookup itself.
    #expect(response.timings.resolve == lookup)
    #expect(response.timings.total.map { $0 >= lookup && $0 < lookup * 2 } == true)
    #expect(response.timings.connect.map { $0 < lookup } == true)
    #expect(response.connection?.addresses == known.addresses)
    #expect(response.connection?.aliases == ["real.example"])
    #expect(response.connection?.attempts.first.map { $0.began >= lookup } == true)
  }

  @Test func addressesOfAnotherHostAreNotUsed() async throws {
    let server = try LoopbackServer.holding(on: .v4)
    var request = try request("tcp://localhost:\(server.port)")
    request.knownAddresses = try known("elsewhere.example", ["127.0.0.99"])
    let response = try await TestStreams.connector.connect(for: request).response
    #expect(response.remoteAddress?.address == IPAddress("127.0.0.1"))
    #expect(response.connection?.aliases == [])
    // Nor are they used for an address.
    request = try self.request("tcp://127.0.0.1:\(server.port)")
    request.knownAddresses = try known("127.0.0.1", ["127.0.0.99"], after: .seconds(2))
    let direct = try await TestStreams.connector.connect(for: request).response
    #expect(direct.remoteAddress?.address == IPAddress("127.0.0.1"))
    #expect(direct.timings.resolve == nil)
  }

  @Test func refusedAddressesAreSkippedAndOthersUsed() async throws {
    let server = try LoopbackServer.holding()
    var request = try request("tcp://mixed.example:\(server.port)")
    request.addressRules = [
      .targets(
        TargetRules(
          allowsPrivate: true, exclusions: try ExclusionList(Array("10.0.0.0/8\n2001:db8::/32".utf8))))
    ]
    request.knownAddresses = try known(
      "mixed.example", ["10.0.0.1", "127.0.0.1", "2001:db8::1", "::ffff:10.0.0.2"])
    let response = try await TestStreams.connector.connect(for: request).response
    #expect(response.remoteAddress?.address == IPAddress("127.0.0.1"))
    let attempts = try #require(response.connection?.attempts)
    #expect(attempts.last?.ending == .connected)
    #expect(attempts.dropLast().map(\.ending) == [.refused, .refused, .refused])

    request.knownAddresses = try known("mixed.example", ["10.0.0.1", "2001:db8::1"])
    let failure = await TestStreams.failure(request)
    #expect(failure?.reason == .addressRefused)
    #expect(
      failure?.detail
        == "mixed.example resolves to 10.0.0.1, which is excluded by 10.0.0.0/8: not connected")
    // The server may accept a connection slightly after the client has established it.
    while server.connectionCount == 0 { await Task.yield() }
    #expect(server.connectionCount == 1)
  }

  @Test func theOtherFamilyOfKnownAddressesIsTried() async throws {
    let server = try LoopbackServer.holding(on: .v4)
    var request = try request("tcp://nothing.invalid:\(server.port)")
    request.knownAddresses = try known("nothing.invalid", ["127.0.0.1", "::1"])
    let response = try await TestStreams.connector.connect(for: request).response
    #expect(response.connection?.attempts.map(\.ending) == [.failed(.connectRefused), .connected])
    // Without an address of the requested family, the host is not found.
    request.family = .v6
    request.knownAddresses = try known("nothing.invalid", ["127.0.0.1"])
    #expect(await TestStreams.failure(request)?.reason == .noSuchHost)
  }

  @Test(.patience(minutes: 1)) func theLookupCountsTowardTheTimeout() async throws {
    let blackhole = try BlackholePort()
    var request = try request("tcp://nothing.invalid:\(blackhole.port)")
    // The time is over at its start; an hour would exceed the time limit of the test.
    request.timeout = .seconds(3600)
    request.knownAddresses = try known("nothing.invalid", ["127.0.0.1"], after: .seconds(3600))
    let failure = await TestStreams.failure(request)
    #expect(failure?.reason == .connectTimeout)
    #expect(failure?.partial?.timings.total.map { $0 >= .seconds(3600) } == true)
  }
}
