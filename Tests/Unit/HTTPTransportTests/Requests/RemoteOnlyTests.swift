import LoopbackServer
import ProbeCore
import Testing

/// URLs from outside never connect to this machine, whatever their host names.
@Suite(.eachClient) struct RemoteOnlyTests {
  @Test(arguments: ["127.0.0.1", "localhost"])
  func addressesOfThisMachineAreNotConnectedTo(_ host: String) async throws {
    let server = try LoopbackServer.http { _ in .response(body: "of this machine alone") }
    var request = try request("http://\(host):\(server.port)/")
    request.staysOffThisMachine = true
    let failure = try await failure(of: request)
    #expect(failure?.reason == .addressRefused)
    #expect(
      failure?.detail.contains("of this machine or of its link: not connected") == true, "\(failure as Any)")
    #expect(server.connectionCount == 0)
    // The handle remains usable for other requests.
    request.staysOffThisMachine = false
    #expect(try await HTTPTransportTests.failure(of: request) == nil)
  }

  @Test(.ownAlone) func recordingStaysOffThisMachine() async throws {
    let server = try LoopbackServer.http { _ in .response(body: "of this machine alone") }
    var request = try request("http://localhost:\(server.port)/")
    request.staysOffThisMachine = true
    await #expect {
      _ = try await Client.recording.probe(request) { _ in Issue.record("a wire without a connection") }
    } throws: {
      ($0 as? ProbeFailure)?.reason == .addressRefused
    }
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: ["127.0.0.1", "localhost"])
  func limitsOnPrivateAddressesExcludeThisMachine(_ host: String) async throws {
    let server = try LoopbackServer.http { _ in .response(body: "of this machine alone") }
    var request = try request("http://\(host):\(server.port)/")
    // Not even if the probe itself connected to it.
    request.addressRules = [.networkInUse(peer: IPAddress("127.0.0.1"))]
    #expect(try await failure(of: request)?.reason == .addressRefused)
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: ["10.98.76.54", "172.31.255.254", "192.168.253.1", "[fd12:3456::1]"])
  func privateAddressesOutsideTheSubnetAreRefused(_ host: String) async throws {
    for peer in [nil, IPAddress("127.0.0.1")] {
      var request = try request("http://\(host)/")
      request.addressRules = [.networkInUse(peer: peer)]
      #expect(try await failure(of: request)?.reason == .addressRefused)
    }
  }

  @Test func aConnectToRuleOverridesTheRestriction() async throws {
    let server = try LoopbackServer.http { _ in .response(body: "a portal") }
    let request = try request("http://portal.example/") {
      $0.staysOffThisMachine = true
      $0.connectTo = [try ConnectTo("::127.0.0.1:\(server.port)")]
    }
    #expect(try await failure(of: request) == nil)
  }
}
