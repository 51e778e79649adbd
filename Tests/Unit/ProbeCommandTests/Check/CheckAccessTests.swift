import FoundationEssentials
import LoopbackServer
import ProbeTLS
import ProbeCommand
import TestSupport
import Testing
@testable import CommandKit

/// The options of `probekit check` for the connection to a server and for authentication.
@Suite struct CheckAccessTests {
  @Test func credentialsComeFromTheEnvironmentAndFiles() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let file = try TemporaryFile("open sesame\n")
    let base = ["--allow-http", server.url()]
    #expect(try await Check(["--bearer=env:TOKEN"] + base, environment: ["TOKEN": "abc"]).code == .success)
    #expect(try await Check(["--basic=Aladdin:file:\(file.path)"] + base).code == .success)
    #expect(
      server.requests.map { LoopbackRequest($0).header("Authorization") } == [
        "Bearer abc", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
      ])
  }

  static let mistakes: [(arguments: [String], code: ExitCode, error: String)] = [
    (
      ["--bearer=s3cret"], .usage,
      "--bearer: secrets are not allowed on the command line, where other users can read them: name a variable or a file "
        + "that contains it, as env:NAME or file:PATH"
    ),
    (
      ["--basic=me:s3cret"], .usage,
      "--basic: secrets are not allowed on the command line, where other users can read them: name a variable or a file "
        + "that contains it, as env:NAME or file:PATH"
    ),
    (
      ["--basic=s3cret"], .usage,
      "--basic: the password is missing: name its source, as USER:env:NAME or USER:file:PATH"
    ),
    (
      ["--bearer=env:NONE"], .usage,
      "--bearer: the environment variable \"NONE\" is not set: set it, or name another source of the secret"
    ),
    (
      ["--bearer=file:/nonexistent"], .badInput,
      "--bearer: the file \"/nonexistent\" cannot be read: no such file or directory"
    ),
    (
      ["--bearer=env:ODD"], .usage,
      "--bearer: the bearer token is empty or contains an invalid character: use letters, digits and - . _ ~ + / =, and "
        + "nothing around them"
    ),
    (
      ["--bearer=env:TOKEN", "--basic=me:env:TOKEN"], .usage,
      "--bearer and --basic cannot be combined: keep one of them"
    ),
    (
      ["--bearer=env:TOKEN", "--header=Authorization: x"], .usage,
      "--header: the header field Authorization cannot be combined with credentials: omit one of them"
    ),
    (["--proxy-user=me:env:TOKEN"], .usage, "--proxy-user requires --proxy: add --proxy, or omit the option"),
    (
      ["--client-key=k.pem"], .usage,
      "--client-key requires --client-cert: add --client-cert, or omit the option"
    ),
    (
      ["--client-cert=/nonexistent.pem"], .badInput,
      "--client-cert: the client certificate cannot be used: /nonexistent.pem: cannot be read: No such file or "
        + "directory"
    ),
    (
      ["--proxy=proxy.test"], .usage,
      "--proxy: the proxy \"http://proxy.test\" has no port: write it as http://host:port, https://host:port, "
        + "socks5h://host:port or socks5://host:port"
    ),
    (
      ["--proxy=ftp://proxy.test:1"], .usage,
      "--proxy: \"ftp://proxy.test:1\" is not the URL of a proxy: write it as http://host:port, https://host:port, "
        + "socks5h://host:port or socks5://host:port"
    ),
    (
      ["--http-version=3"], .usage,
      "--http-version: \"3\" is not an HTTP version: use one of automatic, 1.0, 1.1, 2"
    ),
    (["--retries=101"], .usage, "--retries: 101 is out of bounds: use one from 0 to 100"),
    (
      ["--interface=a/b"], .usage,
      "--interface: \"a/b\" is not an address or interface name: write it as 192.0.2.7 or eth0"
    ),
    (
      ["--expires-after=14"], .usage,
      "--expires-after: \"14\" is neither a duration nor a percentage: write a duration such as 14d, or a percentage "
        + "such as 33%"
    ),
  ]

  @Test(arguments: mistakes)
  func errorsAreReportedBeforeAnythingIsSent(_ arguments: [String], _ code: ExitCode, _ error: String)
    async throws
  {
    let server = try LoopbackServer.http { _ in .response() }
    let check = try await Check(
      arguments + ["--allow-http", server.url()], environment: ["TOKEN": "s3cret", "ODD": "s3cret s3cret"])
    #expect(check.errors == "probekit check: \(error)\n")
    #expect(check.code == code)
    #expect(check.output.isEmpty && server.connectionCount == 0)
  }

  @Test func everyUnreadableSecretIsReported() async throws {
    let check = try await Check([
      "--bearer=file:/nonexistent", "--proxy=http://127.0.0.1:1", "--proxy-user=me:env:NONE",
      "https://h.test/",
    ])
    #expect(check.errors.split(separator: "\n").count == 2)
    #expect(check.code == .usage)
  }

  @Test func retriesAreMadeAndReported() async throws {
    let server = try LoopbackServer.http { _ in .response(503, reason: "Busy") }
    let check = try await Check(["--retries=1", "--format=json", "--allow-http", server.url()])
    #expect(server.requests.count == 2)
    #expect(
      try check.probes().first?["detail"] as? String
        == "expected a 2xx status, found 503 Busy, in attempt 2")
  }

  @Test func aProxyIsUsedAndItsRefusalIsReported() async throws {
    let proxy = try LoopbackServer.http { request in
      request.header("Proxy-Authorization") == nil ? .response(407) : .response()
    }
    let base = [
      "--allow-http", "--format=json", "--proxy=http://127.0.0.1:\(proxy.port)", "http://server.invalid/",
    ]
    #expect(try await Check(base).reason() == "proxy.refused")
    let login = try await Check(["--proxy-user=me:env:P"] + base, environment: ["P": "secret"])
    #expect(login.code == .success)
  }

  @Test func certificateExpiryAndLatencyAreJudged() async throws {
    let world = try World()
    let url = "https://www.google.com/generate_204"
    #expect(try await Check(world.arguments + ["--expires-after=30d", url]).code == .success)
    let soon = try await Check(world.arguments + ["--expires-after=3650d", "--format=json", url])
    #expect(try soon.reason() == "tls.expiresSoon")
    #expect(try await Check(world.arguments + ["--latency-below=1h", url]).code == .success)
    let slow = try await Check(world.arguments + ["--latency-below=0.1ms", "--format=json", url])
    #expect(try slow.reason() == "timing.tooSlow")
    let plain = try await Check(
      world.arguments + [
        "--allow-http", "--expires-after=1d", "--format=json", world.http.url("/generate_204"),
      ])
    #expect(try plain.probes().first?["outcome"] as? String == "failed")
    // The latency of a TCP connection does not depend on received data.
    let silent = try LoopbackServer.holding()
    let tcp = try await Check(["--allow-http", "--latency-below=1h", "tcp://127.0.0.1:\(silent.port)"])
    #expect(tcp.code == .success)
  }

  /// The connection is judged, whatever the server responds.
  @Test(arguments: [(401, nil), (302, "https://other.example/"), (500, nil)] as [(Int, String?)])
  func aConnectionIsJudgedRegardlessOfTheHTTPSResponse(_ status: Int, _ location: String?) async throws {
    let authority = try CertificateAuthority(name: "Example Trust")
    let file = try TemporaryFile(authority.pem)
    let response = LoopbackResponse.response(
      status, headers: location.map { [(name: "Location", value: $0)] } ?? [])
    let server = try LoopbackServer.http(
      tls: try ServerContext(try authority.issue(LeafOptions(hosts: ["localhost", "*.shop.example"])))
    ) { _ in response }
    let base = ["--cacert=\(file.path)", "--format=json", "https://localhost:\(server.port)/"]
    #expect(try await Check(["--expires-after=1d", "--latency-below=1h"] + base).code == .success)
    #expect(try await Check(["--validate=address=[127.0.0.1,'::1']"] + base).code == .success)
    let own =
      "certificate={ names: [localhost, www.shop.example], issuer: example trust, keyBits: 2048, signature: sha256 }"
    #expect(try await Check(["--validate=\(own)"] + base).code == .success)
    let reasons = ["names: other.example": "tls.lacksName", "issuer: other": "tls.issuer"].merging(
      ["keyBits: { ec: 384 }": "tls.weakKey", "signature: sha384": "tls.weakSignature"],
      uniquingKeysWith: { $1 })
    for (option, reason) in reasons {
      let check = try await Check(["--validate=certificate={ \(option) }"] + base)
      #expect(try check.reason() == reason)
    }
    // Content is judged only with a 2xx status, and so is an unencrypted connection, on which anyone may respond.
    #expect(try await Check(["--expires-after=1d", "--contains=x"] + base).reason() == "http.status")
    let plain = try LoopbackServer.http { _ in response }
    #expect(try await Check(["--latency-below=1h", "--allow-http", plain.url()]).code != .success)
  }

  @Test func anExpiredCertificateIsReportedForAFailedProbe() async throws {
    var leaf = LeafOptions(hosts: ["localhost"])
    leaf.validity = .expired
    let server = try LoopbackServer.http(
      tls: try ServerContext(try CertificateAuthority().issue(leaf))
    ) { _ in .response() }
    let check = try await Check(["--expires-after=1d", "--format=json", "https://localhost:\(server.port)/"])
    #expect(try check.reason()?.hasPrefix("tls.") == true)
    let detail = try check.probes().first?["detail"] as? String ?? ""
    #expect(
      detail.contains("; also expected certificates that are valid for 1d more, found \"CN="), "\(detail)")
  }

  @Test func aMissingSourceAddressIsALocalError() async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let base = ["--allow-http", "--format=json", server.url()]
    let missing = try await Check(["--interface=192.0.2.77"] + base)
    #expect(try missing.reason() == "local.source")
    #expect(missing.code == .unavailable)
    #expect(try await Check(["--interface=lo"] + base).code == .success)
  }
}
