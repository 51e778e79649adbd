import LoopbackDNS
import LoopbackServer
import ProbeCommand
import Testing
@testable import CommandKit

/// `probekit check --resolver ADDRESS`.
@Suite struct ResolverOptionTests {
  private func check(_ arguments: String..., at resolver: String) async throws -> (Check, UInt16) {
    let server = try LoopbackServer.http { _ in .response(body: "hello") }
    let check = try await Check(
      ["--allow-http", "--timeout=60s", "--resolver", resolver] + arguments
        + ["http://known.example:\(server.port)/"])
    return (check, server.port)
  }

  private static func resolver() throws -> LoopbackDNS {
    try LoopbackDNS { question in
      let message = DNSMessage(to: question).with(.alias("b.example"))
      return [
        question.kind == .a
          ? message.with(.address([127, 0, 0, 1]), of: "b.example", timeToLive: 90).bytes : message.bytes
      ]
    }
  }

  @Test(arguments: ["own", "curl"])
  func theResolverIsReported(_ client: String) async throws {
    let resolver = try Self.resolver()
    let (text, _) = try await check("--verbose", "--client", client, at: "\(resolver.address)")
    #expect(text.code == .success, "\(text.output)")
    #expect(text.errors.contains("resolver     \(resolver.address), 127.0.0.1 (TTL 90s)"), "\(text.errors)")
    #expect(text.errors.contains("alias of     b.example"), "\(text.errors)")
    let (json, _) = try await check("--format=json", "--client", client, at: "\(resolver.address)")
    let lookup = try #require(try json.probes().first?["lookup"] as? [String: Any])
    #expect(lookup["resolver"] as? String == "\(resolver.address)")
    #expect(lookup["aliases"] as? [String] == ["b.example"])
    let address = try #require((lookup["addresses"] as? [[String: Any]])?.first)
    #expect(address["address"] as? String == "127.0.0.1" && address["ttl"] as? Double == 90)
  }

  @Test func withoutOneTheReportIsAsBefore() async throws {
    let server = try LoopbackServer.http { _ in .response(body: "hello") }
    let check = try await Check(["--allow-http", "--format=json", "http://localhost:\(server.port)/"])
    #expect(try check.probes().first?["lookup"] == nil)
  }

  @Test func anUnknownNameFails() async throws {
    let resolver = try LoopbackDNS { [DNSMessage(to: $0, code: 3).bytes] }
    let (check, _) = try await check("--format=json", at: "\(resolver.address)")
    #expect(check.code == .notOnline)
    let probe = try #require(try check.probes().first)
    #expect(probe["reason"] as? String == "dns.noSuchHost")
    #expect(
      probe["detail"] as? String == "the resolver \(resolver.address) knows no address of known.example")
  }

  @Test func aNameIsNoResolver() async throws {
    let (check, _) = try await check(at: "dns.example")
    #expect(check.code == .usage)
    #expect(
      check.errors.hasPrefix(
        "probekit check: --resolver: \"dns.example\" is not the address of a DNS server: write it as 192.0.2.53, "
          + "192.0.2.53:5353, 2001:db8::53 or [2001:db8::53]:5353"), "\(check.errors)")
  }
}
