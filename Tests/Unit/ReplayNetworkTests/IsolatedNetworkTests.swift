import FixtureReplay
import Foundation
import ProbeCore
import ProbeTLS
import TestRequirements
import TestSupport
import Testing

@testable import ReplayNetwork

/// The parts of a replayed network, tested without a network.
@Suite struct IsolatedNetworkTests {
  private func plan(_ dns: HostRules<DNSAnswer>, hosts: [String] = []) -> NetworkPlan {
    let routes = hosts.map { ReplayRoute($0, when: RouteCondition(host: $0)) }
    return NetworkPlan(for: [Fixture(name: "plan", routes: routes, dns: dns)])
  }

  @Test func theNetworkIsThatOfThePortalsPrivateAddress() throws {
    let usual = plan(["a.example": .address(try #require(IPAddress("192.0.2.1"))), "b.example": .nxdomain])
    #expect(usual.router.description == "10.83.12.1" && usual.client.description == "10.83.12.23")
    #expect(
      usual.routerV6.description == "2001:db8:a53:c::1" && usual.clientV6.description == "2001:db8:a53:c::17")
    #expect(plan([:], hosts: ["172.16.4.9", "*.example"]).router.description == "172.16.4.1")
    #expect(plan([:], hosts: ["172.32.4.9"]).router.description == "10.83.12.1")
  }

  @Test func theClientAvoidsTheFixturesAddresses() throws {
    let dns: HostRules<DNSAnswer> = ["a.example": .address(try #require(IPAddress("192.168.3.23")))]
    #expect(plan(dns, hosts: ["192.168.3.24"]).client.description == "192.168.3.25")
  }

  @Test func proxiesAreRemovedAndBundlesReplaced() {
    let variables = CommandEnvironment.variables(
      over: [
        "PATH": "/bin", "HTTPS_PROXY": "http://p", "no_proxy": "x", "SSL_CERT_FILE": "/mine",
        "SSL_CERT_DIR": "/d",
      ],
      bundle: "/b")
    #expect(
      variables == [
        "CURL_CA_BUNDLE=/b", "NODE_EXTRA_CA_CERTS=/b", "PATH=/bin", "REQUESTS_CA_BUNDLE=/b",
        "SSL_CERT_FILE=/b",
      ])
  }

  @Test func theFilesTrustTheAuthority() throws {
    let authority = try CertificateAuthority()
    let files = TrustFiles(authority, nameServer: "10.0.0.1").files
    func text(_ path: String) -> String { files[path].map { String(decoding: $0, as: UTF8.self) } ?? "" }
    #expect(text("ssl/certs/ca-certificates.crt").hasSuffix(authority.pem))
    #expect(text("ssl/certs/\(authority.subjectHash).0") == authority.pem)
    #expect(text("resolv.conf") == "nameserver 10.0.0.1\n")
    struct Policy: Decodable { let CACertificates: [Data] }
    let policy = try JSONDecoder().decode(
      Policy.self, from: Data(#require(files["chromium/policies/managed/probekit-replay.json"])))
    #expect(policy.CACertificates == [Data(authority.der)])
    #expect(text("firefox/policies/policies.json").contains("\"/etc/ssl/certs/probekit-replay.pem\""))
  }

  /// openssl finds the authority by the hash, and keytool reads the store.
  @Test func opensslAndKeytoolFindTheAuthority() async throws {
    let authority = try CertificateAuthority()
    let folder = try TemporaryFolder(["ca.pem": authority.pem, "\(authority.subjectHash).0": authority.pem])
    let verified = try await onAThread {
      try runProgram("sh", ["-c", "openssl verify -CApath \(folder.path) \(folder.path)/ca.pem >/dev/null"])
    }
    #expect(verified == 0)
    try Data(JavaTrustStore(certificate: authority.der).bytes).write(
      to: URL(filePath: folder.path + "/cacerts"))
    let listed = try await onAThread {
      try runProgram(
        "sh",
        [
          "-c",
          "keytool -list -keystore \(folder.path)/cacerts -storepass changeit 2>/dev/null | grep -q trustedCertEntry",
        ])
    }
    if try await onAThread({ try runProgram("sh", ["-c", "command -v keytool >/dev/null"]) }) != 0 {
      try skipTest("there is no keytool")
    }
    #expect(listed == 0)
  }

  @Test func theObstacleToNamespacesIsReported() {
    #expect(
      IsolatedNetworkObstacle.message("") { _ in nil }
        == "this system does not permit the namespaces that --exec needs; run it as root, or \(IsolatedNetwork.otherWay)"
    )
    let text = IsolatedNetworkObstacle.message("unshare: unshare failed: No space left on device\n") {
      $0 == "user.max_user_namespaces" ? "0" : nil
    }
    #expect(
      text
        == "this system does not permit the namespaces that --exec needs: unshare: unshare failed: No space left on device; "
        + "user.max_user_namespaces is 0: set it to a number such as 10000 with sysctl, run it as root, or "
        + IsolatedNetwork.otherWay)
  }

  @Test func missingToolsAreNamed() throws {
    let folder = try TemporaryFolder(["ip": "", "nft": ""])
    let error = #expect(throws: InvalidInput.self) {
      try IsolatedNetworkTools(in: ["/nowhere", folder.path])
    }
    // The two files are not executable.
    #expect(
      error?.message == "--exec needs unshare, nsenter, mount, umount, ip, nft, which this machine lacks")
    #expect(error?.remedy == "install iproute2 mount nftables util-linux, or \(IsolatedNetwork.otherWay)")
  }

  @Test func routerSettingsSurviveARoundTrip() {
    let settings = RouterSettings(lifeline: 5, user: 1000, group: 100, hasUserNamespace: true)
    #expect(RouterSettings(settings.description) == settings)
    for text in ["", "5", "2,0,0,1", "5,0,0,2", "5,x,0,1", "5,0,0,1,1"] {
      #expect(RouterSettings(text) == nil)
    }
  }
}
