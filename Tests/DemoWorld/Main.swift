import Foundation
import LoopbackServer
import OpenSSL

/// Two small worlds on loopback for the demo: one whose endpoints answer as the real ones do, and one behind a captive
/// portal.
///
/// Prints one line when everything listens, `OPEN_HTTP=port OPEN_HTTPS=port PORTAL_HTTP=port PORTAL_HTTPS=port CA=file`,
/// and serves until standard input ends.
@main struct Main {
  static func main() throws {
    let authority = try CertificateAuthority(name: "ProbeKit Demo Authority")
    let identity = try authority.issue(LeafOptions(hosts: ["www.google.com", "www.apple.com"]))
    let open = try LoopbackServer.http(respond: OpenWorld.answer)
    let openTLS = try LoopbackServer.http(tls: try ServerContext(identity), respond: OpenWorld.answer)
    let portal = try LoopbackServer.http(respond: CaptiveWorld.answer)
    let portalTLS = try LoopbackServer.refusedPort()

    let file = FileManager.default.temporaryDirectory.appending(path: "probekit-demo-\(getpid()).pem")
    try authority.pem.write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    print(
      "OPEN_HTTP=\(open.port) OPEN_HTTPS=\(openTLS.port) PORTAL_HTTP=\(portal.port) PORTAL_HTTPS=\(portalTLS)",
      "CA=\(file.path)")
    fflush(nil)
    while readLine() != nil {}
    for server in [open, openTLS, portal] { server.stop() }
  }
}

/// What the endpoints of operating systems and browsers answer on an open network.
enum OpenWorld {
  static func answer(_ request: LoopbackRequest) -> LoopbackResponse {
    let host = request.header("Host")?.split(separator: ":").first ?? ""
    switch (host, request.target) {
    case ("captive.apple.com", "/hotspot-detect.html"), ("www.apple.com", "/library/test/success.html"):
      return page("<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>\n")
    case ("connectivitycheck.gstatic.com", "/generate_204"), ("www.google.com", "/generate_204"):
      return .response(204, reason: "No Content")
    case ("detectportal.firefox.com", "/success.txt"):
      return text("success\n")
    case ("www.msftconnecttest.com", "/connecttest.txt"):
      return text("Microsoft Connect Test")
    default:
      return .response(404, reason: "Not Found", body: "no such endpoint in this demo\n")
    }
  }

  private static func page(_ html: String) -> LoopbackResponse {
    .response(headers: [(name: "Content-Type", value: "text/html")], body: html)
  }

  private static func text(_ text: String) -> LoopbackResponse {
    .response(headers: [(name: "Content-Type", value: "text/plain")], body: text)
  }
}

/// A gateway that sends every plain request to its login page; it does not answer on port 443.
enum CaptiveWorld {
  static func answer(_ request: LoopbackRequest) -> LoopbackResponse {
    let login = "http://login.hotel.example/welcome?room=none"
    return .response(
      302, reason: "Hotspot login required",
      headers: [
        (name: "Location", value: login), (name: "Cache-Control", value: "no-store"),
        (name: "Content-Type", value: "text/html"),
      ],
      body: "<html><body>Please <a href=\"\(login)\">log in</a> to use this network.</body></html>\n")
  }
}
