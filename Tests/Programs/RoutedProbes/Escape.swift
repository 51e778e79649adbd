import FixtureReplay
import ProbeCore

/// A probe that would leave this machine, if it were not routed to a replay server.
struct Escape {
  let name: String
  /// The name, or the address and port, that only a probe that is not routed would look up or connect to.
  let reaches: String
  let request: ProbeRequest

  init(
    _ name: String, _ url: String, reaches: String, _ change: (inout ProbeRequest) throws -> Void = { _ in }
  ) throws {
    self.name = name
    self.reaches = reaches
    var request = ProbeRequest(try ProbeURL(url))
    request.redirects = 5
    request.timeout = .seconds(600)
    try change(&request)
    self.request = request
  }

  /// The host for whose plain URLs the replay server sends redirects.
  static let start = "start.example"

  /// The redirect targets of the start host, by path.
  private static let redirects = [
    "to-a-name": "http://redirected.example/",
    "to-an-address": "http://198.51.100.1/",
    "to-a-port": "http://198.51.100.2:8080/",
    "to-ipv6": "http://[2001:db8::3]/",
    "to-https": "https://secure.example:8443/",
    "to-https-at-an-address": "https://198.51.100.4/",
    "without-scheme": "//relative.example/",
    "to-this-machine": "http://127.0.0.77:80/",
  ]

  /// The fixture to replay: redirects to everywhere, and a response at each target.
  static var fixture: Fixture {
    let landing = ReplayResponse.respond(ComposedResponse(status: 204))
    return Fixture(
      name: "escape",
      routes: redirects.map { path, location in
        ReplayRoute(
          path, when: RouteCondition(host: start, path: "/\(path)"),
          response: .respond(ComposedResponse(status: 302, headers: ["Location: \(location)"])))
      } + [
        ReplayRoute("landing", response: landing),
        ReplayRoute(
          "banner", when: RouteCondition(listener: .tcp), response: .send(Array("220 ready\r\n".utf8))),
      ])
  }

  /// All of them.
  static var all: [Escape] {
    get throws {
      let start = "http://\(start)"
      return [
        try Escape("to-a-name", "\(start)/to-a-name", reaches: "redirected.example"),
        try Escape("to-an-address", "\(start)/to-an-address", reaches: "198.51.100.1:80"),
        try Escape("to-a-port", "\(start)/to-a-port", reaches: "198.51.100.2:8080"),
        try Escape("to-ipv6", "\(start)/to-ipv6", reaches: "[2001:db8::3]:80"),
        try Escape("to-https", "\(start)/to-https", reaches: "secure.example"),
        try Escape(
          "to-https-at-an-address", "\(start)/to-https-at-an-address", reaches: "198.51.100.4:443"),
        try Escape("without-scheme", "\(start)/without-scheme", reaches: "relative.example"),
        try Escape("to-this-machine", "\(start)/to-this-machine", reaches: "127.0.0.77:80"),
        try Escape("a-name", "http://plain.example/", reaches: "plain.example"),
        try Escape("a-secure-name", "https://encrypted.example/", reaches: "encrypted.example"),
        try Escape("a-secure-address", "https://198.51.100.5/", reaches: "198.51.100.5:443"),
        try Escape("tcp", "tcp://mail.example:25", reaches: "mail.example"),
        try Escape("tcp-at-an-address", "tcp://198.51.100.6:25", reaches: "198.51.100.6:25"),
        try Escape("a-proxy", "http://behind.example/", reaches: "198.51.100.7:3128") {
          $0.proxy = try ProbeProxy("http://198.51.100.7:3128")
        },
        try Escape("a-socks-proxy", "https://behind.example/", reaches: "socks.example") {
          $0.proxy = try ProbeProxy("socks5h://socks.example:1080")
        },
        try Escape("a-rule-of-its-own", "http://ruled.example/", reaches: "198.51.100.8:8080") {
          $0.connectTo = [
            ConnectTo(host: nil, port: nil, targetHost: "198.51.100.8", targetPort: 8080)
          ]
        },
        try Escape("a-host-field", "http://198.51.100.9/", reaches: "198.51.100.9:80") {
          $0.http.headers = ["Host": "pretended.example"]
        },
        try Escape("a-family", "https://six.example/", reaches: "six.example") { $0.family = .v6 },
        try Escape("retries", "http://again.example/", reaches: "again.example") { $0.retries = 2 },
      ]
    }
  }
}
