import BundledPlugins
import Foundation
import LoopbackServer
import ProbeTLS
import ProbeCommand
import ProbeCore
import TestRequirements
import Testing
@testable import CommandKit

/// The defaults that apply unless they are explicitly overridden.
///
/// `CanaryTests` shows that no output contains secrets.
@Suite struct SecurityDefaultsTests {
  @Test func certificatesAreVerified() async throws {
    let stranger = try ServerContext(try CertificateAuthority().issue(.init(hosts: ["localhost"])))
    let server = try LoopbackServer.http(tls: stranger) { _ in .response() }
    let check = try await Check(["--format=json", "https://localhost:\(server.port)/"])
    #expect(try check.reason()?.hasPrefix("tls.") == true || check.code == .unavailable)
    #expect(server.requests.isEmpty, "nothing was sent")
    // Verification cannot be disabled: only a module of `serve` can observe certificates, and only without
    // credentials.
    let request = ProbeRequest(try ProbeURL("https://h.test/"))
    #expect(
      Mirror(reflecting: request.tls).children.map(\.label)
        == ["additionalAuthorities", "onlyAuthorities", "clientCertificate", "checks"])
    #expect(!request.tls.checks.observesCertificates)
    #expect(request.tls.checks.minimumVersion == .v1_2)
    let help = try await Check(["--help"]).output
    for word in ["insecure", "no-verify", "skip"] { #expect(!help.contains(word)) }
  }

  @Test func theHostOfACertificateIsVerified() async throws {
    let world = try World()
    let check = try await Check(
      world.arguments + ["--format=json", "--connect-to", "other.invalid:443:127.0.0.1:\(world.https.port)"]
        + ["https://127.0.0.1:\(world.https.port)/"])
    #expect(try check.reason() == "tls.wrongHost")
    #expect(world.https.requests.isEmpty)
  }

  @Test func oldVersionsOfTLSAreRefused() async throws {
    let old = try ServerContext(
      try CertificateAuthority().issue(.init(hosts: ["localhost"])), versions: .v1_0 ... .v1_1)
    let server = try LoopbackServer.http(tls: old) { _ in .response() }
    let check = try await Check(["--format=json", "https://localhost:\(server.port)/"])
    #expect(try check.reason() == "tls.handshake" || check.code == .unavailable)
    #expect(server.requests.isEmpty)
  }

  @Test func redirectsAreNotFollowed() async throws {
    #expect(ProbeRequest(try ProbeURL("https://h.test/")).redirects == 0)
    let target = try LoopbackServer.http { _ in .response() }
    let location = target.url()
    let server = try LoopbackServer.http { _ in
      .response(302, headers: [(name: "Location", value: location)])
    }
    let check = try await Check(["--allow-http", "--format=json", server.url()])
    #expect(try check.reason() == "http.status")
    #expect(target.connectionCount == 0)
  }

  @Test func plaintextURLsAreRefused() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    for url in [server.url(), "tcp://127.0.0.1:\(server.port)"] {
      #expect(try await Check([url]).code == .usage)
    }
    #expect(server.connectionCount == 0)
  }

  @Test func aRedirectToAPlaintextURLIsRefused() async throws {
    let target = try LoopbackServer.http { _ in .response() }
    let location = target.url()
    let world = try World(https: World.always(302, [(name: "Location", value: location)]))
    let check = try await Check(
      world.arguments + ["--redirects=5", "--format=json", "https://www.google.com/"])
    #expect(try check.reason() == "policy.downgrade")
    #expect(target.connectionCount == 0)
  }

  private static let otherSchemes = [
    "file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "dict://127.0.0.1/", "smb://127.0.0.1/x",
    "ldap://127.0.0.1/", "scp://127.0.0.1/x", "telnet://127.0.0.1/", "mqtt://127.0.0.1/x",
    "check://true",
  ]

  @Test(arguments: otherSchemes)
  func otherSchemesAreRefused(_ url: String) async throws {
    #expect(
      try PluginRegistry.bundled.transports.schemes.map(\.name) == [
        "check", "dns", "dns+https", "dns+tls", "http", "https", "icmp", "tcp", "tls", "udp",
      ])
    let check = try await Check(["--allow-http", url])
    #expect(check.code == .usage)
    // A redirect to such a URL is not followed either, whatever the limit.
    let server = try LoopbackServer.http { _ in .response(302, headers: [(name: "Location", value: url)]) }
    let redirected = try await Check(["--allow-http", "--redirects=5", "--format=json", server.url()])
    #expect(try redirected.reason() == "http.status")
    #expect(try redirected.probes().first?["status"] as? Int == 302)
  }

  @Test func credentialsInAURLAreRefused() async throws {
    let check = try await Check(["https://me:s3cret@h.test/"])
    #expect(check.code == .usage)
    #expect(!check.errors.contains("s3cret"))
  }

  @Test(.heavy) func theEnvironmentHasNoEffect() throws {
    let world = try World()
    let refused = try LoopbackServer.refusedPort()
    let arguments = world.arguments.map { "'\($0)'" }.joined(separator: " ")
    let run = try Shell(
      """
      home=$(mktemp -d) && trap 'rm -r "$home"' EXIT
      for name in 127.0.0.1 captive.apple.com www.google.com; do
        echo "machine $name login user password s3cret"
      done >"$home/.netrc"
      printf 'proxy = 127.0.0.1:\(refused)\\nheader = "X-Odd: yes"\\n' >"$home/.curlrc"
      for name in http_proxy https_proxy all_proxy HTTPS_PROXY ALL_PROXY; do
        export $name=http://127.0.0.1:\(refused)
      done
      export HOME="$home" CURL_HOME="$home" NETRC="$home/.netrc" SSLKEYLOGFILE="$home/keys"
      export SSL_CERT_FILE=/nonexistent SSL_CERT_DIR=/nonexistent CURL_CA_BUNDLE=/nonexistent
      "$0" check \(arguments)
      code=$?
      ls "$home" >&2
      exit $code
      """)
    #expect(run.code == 0, "\(run.output)")
    // Neither a key log nor any other file was left there.
    #expect(run.errors.isEmpty)
    for request in world.http.requestTexts + world.https.requestTexts {
      #expect(!request.contains("Authorization") && !request.contains("X-Odd"))
    }
  }

  @Test(.heavy) func authoritiesFromTheEnvironmentAreNotTrusted() throws {
    let world = try World()
    let (_, file) = try WorldAuthority.shared.get()
    let run = try Shell(
      """
      export SSL_CERT_FILE='\(file)' CURL_CA_BUNDLE='\(file)'
      "$0" check --timeout 600s --format json https://localhost:\(world.https.port)/
      """)
    #expect(run.output.contains("\"reason\":\"tls."), "\(run.output)")
    #expect(run.code == 1 || run.code == 69)
  }
}
