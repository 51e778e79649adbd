import Foundation
import LoopbackServer
import ProbeTLS

/// A small world on loopback: one server for all plaintext requests, one for all encrypted requests.
struct World {
  let http: LoopbackServer
  let https: LoopbackServer
  private let authority: String

  /// Creates a world with these responses; by default, those of an open network.
  init(
    http: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse = World.open,
    https: @escaping @Sendable (LoopbackRequest) -> LoopbackResponse = World.open
  ) throws {
    self.http = try .http(respond: http)
    let (context, file) = try WorldAuthority.shared.get()
    self.https = try .http(tls: context, respond: https)
    authority = file
  }

  /// The options that route every request of a check to this world, with a timeout long enough for a loaded
  /// machine.
  var arguments: [String] { routes + Self.patience }

  /// The options that route every request to this world, for commands with timeouts from a file.
  var routes: [String] { plain + ["--connect-to", ":443:127.0.0.1:\(https.port)", "--cacert", authority] }

  /// The options that route plaintext requests of a check to this world, and encrypted requests to a port
  /// that refuses connections.
  func withoutHTTPS() throws -> [String] {
    plain + ["--connect-to", ":443:127.0.0.1:\(try LoopbackServer.refusedPort())"] + Self.patience
  }

  private static let patience = ["--timeout=60s"]

  private var plain: [String] { ["--connect-to", ":80:127.0.0.1:\(http.port)"] }

  /// The responses of the endpoints of operating systems and browsers on an open network.
  @Sendable static func open(_ request: LoopbackRequest) -> LoopbackResponse {
    switch (request.header("Host"), request.target) {
    case ("captive.apple.com", "/hotspot-detect.html"), ("www.apple.com", "/library/test/success.html"):
      .response(body: "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>\n")
    case ("connectivitycheck.gstatic.com", "/generate_204"), ("www.google.com", "/generate_204"):
      .response(204, reason: "No Content")
    case ("firefox-portal-detection.com", "/success.txt"): .response(body: "success\n")
    case ("www.msftconnecttest.com", "/connecttest.txt"): .response(body: "Microsoft Connect Test")
    default: .response(404, reason: "Not Found")
    }
  }

  /// A fixed response.
  static func always(
    _ status: Int, _ headers: [(name: String, value: String)] = [], _ body: String = ""
  ) -> @Sendable (LoopbackRequest) -> LoopbackResponse {
    { _ in .response(status, reason: "Whatever", headers: headers, body: body) }
  }
}

/// The authority of all worlds in this process, its certificate in a file, and a server certificate.
enum WorldAuthority {
  static let shared = Result { () throws in
    let authority = try CertificateAuthority(name: "Test World")
    let file = FileManager.default.temporaryDirectory.appending(
      path: "probekit-world-\(ProcessInfo.processInfo.processIdentifier).pem")
    try authority.pem.write(to: file, atomically: true, encoding: .utf8)
    atexit {
      let name = "probekit-world-\(ProcessInfo.processInfo.processIdentifier).pem"
      try? FileManager.default.removeItem(at: FileManager.default.temporaryDirectory.appending(path: name))
    }
    let leaf = try authority.issue(LeafOptions(hosts: ["www.google.com", "www.apple.com", "localhost"]))
    return (try ServerContext(leaf), file.path)
  }
}
