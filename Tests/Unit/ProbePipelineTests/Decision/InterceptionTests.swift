import PortalAnalysis
import ProbeCore
import Testing

@testable import ProbePipeline

/// The kind of an interception, and the identity of its source.
@Suite struct InterceptionTests {
  @Test func aBlockPageIsIdentifiedByItsAddress() throws {
    let probes = try hosts(2).map { try Seen.thirdParty($0, likeness: 1, from: "203.0.113.7") }
    #expect(decision(probes).interception == Interception(kind: "blockPage", by: "203.0.113.7"))
    // The address of a single operator may be the server's own.
    #expect(decision([probes[0]]).interception == Interception(kind: "blockPage", by: nil))
  }

  @Test func aRedirectIsIdentifiedByItsTargetHost() throws {
    var probe = try Seen.thirdParty(hosts(1)[0], likeness: 1)
    let target = try ProbeURL("http://notice.example/blocked")
    probe.response?.redirects = [
      RedirectHop(url: try ProbeURL(probe.url), status: 302, location: target.string, target: target)
    ]
    #expect(decision([probe]).interception == Interception(kind: "blockPage", by: "notice.example"))
  }

  @Test func tlsInterceptionIsIdentifiedByTheSharedIssuer() throws {
    let probes = try hosts(2, "https").map { try Seen.certificate($0, issuer: "CN=Box") }
    #expect(decision(probes).interception == Interception(kind: "tls", by: "CN=Box"))
    let others = try hosts(2, "https").map { try Seen.certificate($0, issuer: "CN=\($0)") }
    #expect(decision(others).interception == Interception(kind: "tls", by: nil))
  }

  @Test func dnsInterceptionIsIdentifiedByItsAddress() throws {
    let probes = try hosts(3).map { try Seen.failed($0, at: "10.0.0.1") }
    #expect(decision(probes).interception == Interception(kind: "dns", by: "10.0.0.1"))
  }

  /// A portal that considers the client logged in intercepts unencrypted requests only.
  @Test func aLoggedInPortalWithVerifiedServersIsPartial() throws {
    var probes = try hosts(2).map { try Seen.thirdParty($0, likeness: 1) }
    for index in probes.indices { probes[index].analysis = ResponseAnalysis(.loggedIn, likeness: 1) }
    #expect(decision(probes).verdict == .intercepted)
    let seen = decision(probes + hosts(1, from: 9, "https").map { Seen.accepted($0) })
    #expect(seen.verdict == .partial)
    #expect(seen.interception?.kind == "loggedIn")
    #expect(seen.words(.sign) == [])
  }

  @Test func withoutInterceptionNoneIsReported() throws {
    #expect(decision([Seen.accepted(hosts(1)[0])]).interception == nil)
    #expect(decision(try hosts(2).map { try Seen.portal($0) }).interception == nil)
    #expect(decision(hosts(2).map { Seen.failed($0) }).interception == nil)
  }
}
