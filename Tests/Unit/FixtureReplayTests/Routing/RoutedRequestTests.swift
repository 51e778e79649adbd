import ProbeCore
import Testing

@testable import FixtureReplay

/// The requests that are sent instead of the originals, without a socket.
@Suite struct RoutedRequestTests {
  private static let serverPorts:
    [(url: String, change: @Sendable (inout ProbeRequest) -> Void, RoutedRequest.ServerPort)] = [
      ("http://www.example/", { _ in }, .shared),
      ("http://www.example:8080/", { _ in }, .shared),
      ("http://192.0.2.7/", { _ in }, .shared),
      ("http://[2001:db8::7]:81/", { _ in }, .shared),
      ("https://www.example:8443/", { _ in }, .shared),
      ("https://192.0.2.7/", { _ in }, .dedicated(host: "192.0.2.7", port: 443)),
      ("https://[2001:db8::7]:8443/", { _ in }, .dedicated(host: "2001:db8::7", port: 8443)),
      ("tcp://mail.example:25", { _ in }, .dedicated(host: "mail.example", port: 25)),
      ("tls://mail.example:993", { _ in }, .dedicated(host: "mail.example", port: 993)),
      (
        "http://www.example/", { $0.http.headers = ["Host": "other.example"] },
        .dedicated(host: "www.example", port: 80)
      ),
      (
        "https://www.example/", { $0.http.headers = ["host": ""] }, .dedicated(host: "www.example", port: 443)
      ),
      // A rule of the request changes only the connection; TCP has nothing else.
      ("http://www.example/", { $0.connectTo = [.all("192.0.2.7", 8080)] }, .shared),
      (
        "https://192.0.2.7/", { $0.connectTo = [.all("backend.example", 8443)] },
        .dedicated(host: "192.0.2.7", port: 443)
      ),
      (
        "tcp://mail.example:25", { $0.connectTo = [.all("192.0.2.7", nil)] },
        .dedicated(host: "192.0.2.7", port: 25)
      ),
      (
        "tcp://mail.example:25", { $0.connectTo = [.all(nil, 2525)] },
        .dedicated(host: "mail.example", port: 2525)
      ),
    ]

  @Test(arguments: serverPorts.indices)
  func theServerPort(_ index: Int) throws {
    let (url, change, serverPort) = Self.serverPorts[index]
    #expect(try RoutedRequest(try request(url, change)).serverPort == serverPort, "\(url)")
  }

  @Test(arguments: [
    "memory://shop/", "dns://192.0.2.53/a.example", "dns:///a.example", "icmp://192.0.2.1",
    "udp://a.example:9", "dns+tls://192.0.2.53/a.example", "dns+https://192.0.2.53/a.example",
  ])
  func otherSchemesCannotBeReplayed(_ url: String) throws {
    let request = try request(url)
    #expect(
      #expect(throws: InvalidInput.self) { try RoutedRequest(request) }?.description
        == "the replay server does not support \(request.url.scheme), and nothing is sent to a real network: use http, https, tcp or tls URLs"
    )
  }

  @Test func settingsThatBypassTheServerAreRemoved() throws {
    let original = try request("https://www.example/path?query") { request in
      request.connectTo = [
        ConnectTo(host: "other.example", port: nil, targetHost: "198.51.100.1", targetPort: 1),
        .all("192.0.2.7", 8443),
      ]
      request.proxy = try ProbeProxy("http://proxy.example:3128")
      request.source = try ProbeSource("eth0")
      request.family = .v6
      request.tls.additionalAuthorities = "/nonexistent"
      request.timeout = .seconds(7)
      request.http.method = "POST"
      request.http.headers = ["X-Mine": "yes"]
    }
    let routed = try RoutedRequest(original)
    let sent = routed.sent(to: SocketAddress(IPAddress(v4: 0x7F00_0001), port: 4443), trusting: [1, 2])
    #expect(sent.connectTo == [ConnectTo(host: nil, port: nil, targetHost: "127.0.0.1", targetPort: 4443)])
    #expect(sent.proxy == nil && sent.source == nil && sent.family == nil)
    #expect(sent.tls.onlyAuthorities == [1, 2])
    #expect(sent.url == original.url && sent.http == original.http && sent.timeout == original.timeout)
  }

  @Test func requestsWithTheirOwnRule() throws {
    let routed = try RoutedRequest(
      try request("https://www.example/") {
        $0.connectTo = [
          ConnectTo(host: "other.example", port: nil, targetHost: "a.example", targetPort: 1),
          ConnectTo(host: "www.example", port: 443, targetHost: "b.example", targetPort: nil),
        ]
      })
    #expect(routed.nameToLookUp == "b.example")
    #expect((routed.peerHost, routed.peerPort) == ("b.example", 443))
  }
}

extension ConnectTo {
  /// A rule for every URL.
  fileprivate static func all(_ host: String?, _ port: UInt16?) -> ConnectTo {
    ConnectTo(host: nil, port: nil, targetHost: host, targetPort: port)
  }
}
