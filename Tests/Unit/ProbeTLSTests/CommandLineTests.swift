import Foundation
import LoopbackServer
import ProbeTLS
import ProbeCore
import Testing
import TestRequirements
import TestSupport

/// Certificates and servers are examined with the openssl command.
@Suite struct CommandLineTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The command's standard output and standard error; without the command, the test is skipped.
  private func openssl(_ arguments: [String], input: String = "") throws -> (status: Int32, output: String) {
    let files = (try folder.write("input", input), folder.path(of: "output"))
    let paths = ["/usr/bin/openssl", "/usr/local/bin/openssl"]
    guard let command = try Command(paths, arguments, input: files.0, output: files.1) else {
      try skipTest("there is no openssl command")
    }
    return (command.status, try String(contentsOfFile: files.1, encoding: .utf8))
  }

  @Test func theOpenSSLCommandReadsTheSameCertificate() throws {
    let identity = try CertificateAuthority(name: "Zürich, CA").issue(
      LeafOptions(hosts: ["a.example", "192.0.2.1"]))
    let path = try folder.write("leaf.pem", identity.chainPEM())
    let fields = ["-subject", "-issuer", "-serial", "-fingerprint", "-sha256", "-ext", "subjectAltName"]
    let (_, output) = try openssl(
      ["x509", "-in", path, "-noout", "-nameopt", "RFC2253,-esc_msb,utf8"] + fields)
    let certificate = identity.chain[0]
    let fingerprint = output.lowercased().filter { $0 != ":" }
    #expect(output.contains("subject=\(certificate.subject)\n"))
    #expect(output.contains("issuer=\(certificate.issuer)\n"))
    #expect(output.contains("serial=\(certificate.serialNumber.uppercased())\n"))
    #expect(fingerprint.contains("sha256 fingerprint=\(certificate.fingerprint)\n"))
    #expect(output.contains("DNS:a.example, IP Address:192.0.2.1"))
  }

  @Test func theOpenSSLCommandAcceptsAChain() throws {
    let authority = try CertificateAuthority()
    var options = LeafOptions(hosts: ["a.example"])
    options.signer = .intermediate
    let chain = try folder.write("chain.pem", authority.issue(options).chainPEM())
    let root = try folder.write("ca.pem", authority.pem)
    let (status, output) = try openssl(
      ["verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", root, "-untrusted", chain, chain])
    #expect(status == 0, "\(output)")
  }

  @Test(arguments: [
    ("valid", LeafOptions.Signer.authority, CertificateValidity.current, "a.example", 0),
    ("through an intermediate", .intermediate, .current, "a.example", 0),
    ("expired", .authority, .expired, "a.example", 10),
    ("not yet valid", .authority, .notYetValid, "a.example", 9),
    ("self-signed", .itself, .current, "a.example", 18),
    ("incomplete chain", .missingIntermediate, .current, "a.example", 20),
    ("wrong host", .authority, .current, "b.example", 62),
  ])
  func theOpenSSLCommandVerifiesAServerEqually(
    name: String, signer: LeafOptions.Signer, validity: CertificateValidity, host: String, code: Int
  ) throws {
    let authority = try CertificateAuthority()
    var options = LeafOptions(hosts: ["a.example"])
    options.signer = signer
    options.validity = validity
    let server = try LoopbackServer.http(tls: ServerContext(authority.issue(options))) { _ in
      .response(body: "Success")
    }
    let root = try folder.write("ca.pem", authority.pem)
    let (status, output) = try openssl(
      [
        "s_client", "-connect", "127.0.0.1:\(server.port)", "-CAfile", root, "-no-CApath", "-no-CAstore",
        "-servername", host, "-verify_hostname", host, "-verify_return_error", "-ign_eof", "-alpn",
        "h2,http/1.1",
      ], input: "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    server.stop()
    if code == 0 {
      #expect(status == 0, "\(output)")
      #expect(output.contains("Verify return code: 0 (ok)"))
      #expect(output.contains("ALPN protocol: http/1.1"))
      #expect(output.contains("Success"))
      #expect(server.serverNames == [host])
      #expect(server.requests.count == 1)
    } else {
      #expect(status != 0)
      #expect(output.contains("verify error:num=\(code):"), "\(output)")
      #expect(server.handshakeFailures.count == 1)
      #expect(server.handshakeFailures.first?.handshakeFailure?.alert != nil)
      #expect(server.requests.isEmpty)
    }
  }
}
