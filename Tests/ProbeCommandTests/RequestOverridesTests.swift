import Locking
import ProbeCore
import TestSupport
import Testing

@testable import ProbeCommand

@Suite struct RequestOverridesTests {
  @Test func theyComeBeforeWhatAFileSays() async throws {
    let seen = Guarded<[ProbeRequest]>([])
    let stub = StubTransport { request in
      seen.withLock { $0.append(request) }
      return ProbeResponse(url: request.url, head: HTTPResponseHead(status: 204))
    }
    let overrides = RequestOverrides(connectTo: [try ConnectTo("::127.0.0.1:1")], authorities: "mine.pem")
    let transport = try #require(try TransportRegistry.only(stub).overridden(by: overrides)[.https])
    var request = ProbeRequest(try ProbeURL("https://a.example/"))
    request.connectTo = [try ConnectTo("a.example::127.0.0.1:2")]
    request.tls.additionalAuthorities = "file.pem"
    request.redirects = 3
    _ = try await transport.probe(request)
    let sent = try #require(seen.withLock(\.first))
    #expect(sent.connectTo.map(\.targetPort) == [1, 2])
    #expect(sent.tls.additionalAuthorities == "mine.pem")
    #expect(sent.redirects == 3)
  }

  @Test func withoutAnyEverythingStaysAsItIs() throws {
    let transports = try TransportRegistry.only(StubTransport.status(204)).overridden(by: RequestOverrides())
    #expect(transports[.https] is StubTransport)
  }

  @Test func aFileOfAuthoritiesIsReadBeforehand() throws {
    #expect(RequestOverrides().mistake == nil)
    let gone = RequestOverrides(authorities: "/nonexistent/ca.pem").mistake
    #expect(gone?.hasPrefix("--cacert: \"/nonexistent/ca.pem\": ") == true)
    let file = try TemporaryFile("no certificate")
    #expect(RequestOverrides(authorities: file.path).mistake != nil)
  }
}
