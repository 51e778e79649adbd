import LoopbackServer
import ProbeCommand
import ProbeTLS
import TestSupport
import Testing
@testable import CommandKit

/// Host names that are not ASCII, on the wire and in reports.
@Suite struct CheckHostNameTests {
  @Test func theASCIIFormIsSentAndShown() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let rule = ["--allow-http", "--connect-to=bücher.example:80:127.0.0.1:\(server.port)"]
    let check = try await Check(rule + ["http://bücher.example/ü"])
    #expect(check.errors == "")
    #expect(check.code == .success)
    #expect(
      check.output.contains(
        "  ✓ accepted  http://xn--bcher-kva.example/%C3%BC (bücher.example)  200  "), "\(check.output)")
    #expect(server.requests.map { LoopbackRequest($0).header("Host") } == ["xn--bcher-kva.example"])
  }

  @Test func certificatesMatchTheASCIIForm() async throws {
    let authority = try CertificateAuthority()
    let server = try LoopbackServer.http(
      tls: try ServerContext(try authority.issue(LeafOptions(hosts: ["xn--bcher-kva.example"])))
    ) { _ in .response() }
    let file = try TemporaryFile(authority.pem)
    let base = ["--cacert=\(file.path)", "--connect-to=::127.0.0.1:\(server.port)"]
    #expect(try await Check(base + ["https://bücher.example/"]).code == .success)
    #expect(try await Check(base + ["https://bucher.example/"]).code == .notOnline)
  }

  @Test func aRedirectTargetIsConverted() async throws {
    let server = try LoopbackServer.http { request in
      request.header("Host") == "xn--bcher-kva.example"
        ? .response() : .response(302, headers: [("Location", "//bücher.example/")])
    }
    let check = try await Check([
      "--allow-http", "-L", "--status=2xx", "--format=json", "--connect-to=:80:127.0.0.1:\(server.port)",
      "http://a.example/",
    ])
    #expect(try check.probes().first?["finalURL"] as? String == "http://xn--bcher-kva.example/")
  }

  @Test func anErrorStatesItsLocation() async throws {
    let check = try await Check(["https://www.💩.example/"])
    #expect(check.code == .usage)
    #expect(
      check.errors == """
        probekit check: "https://www.💩.example/": the URL's host has no ASCII form: "💩" contains a character that is \
        not allowed in host names, such as an emoji at byte 12

        """)
  }
}
