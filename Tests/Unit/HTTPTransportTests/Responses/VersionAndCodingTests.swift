import LoopbackServer
import ProbeTLS
import ProbeCore
import Testing

/// HTTP versions, content codings, and the network interface of a request.
@Suite(.eachClient) struct VersionAndCodingTests {
  @Test(arguments: [(HTTPVersion.v1_0, "HTTP/1.0"), (.v1_1, "HTTP/1.1"), (.automatic, "HTTP/1.1")])
  func theRequestedVersionIsUsed(_ version: HTTPVersion, _ text: String) async throws {
    let server = try LoopbackServer.http { _ in .response() }
    _ = try await transport.probe(try request(server.url()) { $0.http.version = version })
    #expect(server.requestTexts.first?.hasPrefix("GET / \(text)\r\n") == true)
  }

  @Test(.curlAlone, arguments: [HTTPVersion.v2, .automatic])
  func http2IsUsedIfTheServerOffersIt(_ version: HTTPVersion) async throws {
    let context = try Identities.shared.context(.init(hosts: ["localhost"]), supportsHTTP2: true)
    let server = try LoopbackServer(tls: context) { connection in
      // SETTINGS, and an acknowledgement of the client's (RFC 9113 §6.5).
      try connection.send([0, 0, 0, 4, 0, 0, 0, 0, 0] + [0, 0, 0, 4, 1, 0, 0, 0, 0])
      // As soon as a request can have been received: HEADERS of stream 1 with `:status: 200`, which ends it
      // (§6.2).
      while try !connection.read().isEmpty {
        try connection.send([0, 0, 1, 1, 5, 0, 0, 0, 1, 0x88])
        return
      }
    }
    let response = try await transport.probe(
      try request(server.secureURL) {
        $0.trustTestAuthority()
        $0.http.version = version
      })
    #expect(response.head?.version == "2")
    #expect(response.status == 200)
  }

  @Test func aVersionOtherThanTheRequestedOneIsAFailure() async throws {
    let server = try LoopbackServer.http(tls: try Identities.shared.context(.init(hosts: ["localhost"]))) {
      _ in
      .response()
    }
    let failure = try await failure(
      of: try request(server.secureURL) {
        $0.trustTestAuthority()
        $0.http.version = .v2
      })
    #expect(failure?.description == "http.protocol: the server speaks HTTP/1.1, but HTTP/2 was requested")
  }

  @Test(
    arguments: [(["gzip"], "gzip"), (["deflate", "gzip"], "deflate, gzip"), ([], nil)]
      as [([String], String?)])
  func theCodingsAreRequested(_ codings: [String], _ field: String?) async throws {
    let server = try LoopbackServer.http { _ in .response() }
    _ = try await transport.probe(try request(server.url()) { $0.http.contentCodings = codings })
    #expect(server.requests.map { LoopbackRequest($0).header("Accept-Encoding") } == [field])
  }

  @Test func withoutRequestedCodingsTheBodyIsNotDecoded() async throws {
    let server = try LoopbackServer.http { _ in
      .response(headers: [(name: "Content-Encoding", value: "gzip")], body: "not gzip")
    }
    let response = try await transport.probe(try request(server.url()) { $0.http.contentCodings = [] })
    #expect(response.body == Array("not gzip".utf8))
    #expect(try await failure(of: try request(server.url()))?.reason == .bodyEncoding)
  }

  /// RFC 1952 §2.3.1, FHCRC, which the second bit of the flags announces.
  @Test func aGzipHeadWithAWrongChecksumIsRefused() async throws {
    var packed = Packed.gzip
    packed[3] = 2
    for (sum, reason) in [([0x25, 0x15], nil), ([0, 0], .bodyEncoding)] as [([UInt8], ReasonCode?)] {
      let body = Array(packed[..<10]) + sum + packed[10...]
      let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n"
      let server = try LoopbackServer.responding(with: Array(head.utf8) + body)
      #expect(try await failure(of: try request(server.url()))?.reason == reason)
    }
  }

  @Test func aBrokenCodingOfATruncatedBodyIsReported() async throws {
    let server = try LoopbackServer { connection in
      if try connection.readRequest().isEmpty { return }
      try connection.send(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 11\r\n\r\nnot gzip")
    }
    #expect(try await failure(of: try request(server.url()))?.reason == .bodyEncoding)
  }

  @Test func unsupportedRequestsAreRefused() throws {
    let coding = try request("https://example.com/") { $0.http.contentCodings = ["gzip", "rot13"] }
    let unknown = #expect(throws: InvalidInput.self) { try transport.check(coding) }
    #expect(unknown?.message == "the content coding \"rot13\" is unknown")
    #expect(
      unknown?.remedy?.hasPrefix(
        Client.current == .own ? "use gzip, deflate" : "this libcurl has gzip, deflate")
        == true)
    let plain = try request("http://example.com/") { $0.http.version = .v2 }
    let version = #expect(throws: InvalidInput.self) { try transport.check(plain) }
    #expect(version?.message == "HTTP/2 requires TLS")
    let odd = try request("https://example.com/") { $0.http.version = HTTPVersion(rawValue: "3") }
    #expect(throws: InvalidInput.self) { try transport.check(odd) }
    #expect(throws: InvalidInput.self) { try HTTPVersion("3") }
  }
}

@Suite(.eachClient) struct SourceTests {
  @Test(arguments: ["127.0.0.1", "127.0.0.9", "lo"])
  func aProbeUsesItsSource(_ source: String) async throws {
    let server = try LoopbackServer { connection in
      if try connection.readRequest().isEmpty { return }
      let body = connection.peerHost ?? "none"
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }
    let response = try await transport.probe(
      try request(server.url()) { $0.source = try ProbeSource(source) })
    #expect(String(decoding: response.body, as: UTF8.self) == (source == "lo" ? "127.0.0.1" : source))
  }

  @Test(arguments: [
    ("192.0.2.77", "192.0.2.77 is no address of this machine"),
    ("no-such-if0", "this machine has no usable interface no-such-if0"),
  ])
  func aMissingSourceIsReported(_ source: String, _ words: String) async throws {
    let server = try LoopbackServer.http { _ in .response() }
    let failure = try await failure(of: try request(server.url()) { $0.source = try ProbeSource(source) })
    #expect(failure?.description == "local.source: \(words)")
    #expect(server.connectionCount == 0)
  }

  @Test func aSourceOfTheWrongFamilyIsRefused() throws {
    let target = try request("http://127.0.0.1/") { $0.source = try ProbeSource("::1") }
    let error = #expect(throws: InvalidInput.self) { try transport.check(target) }
    #expect(error?.message == "the source address ::1 cannot reach an IPv4 address")
    let family = try request("http://example.com/") {
      $0.source = try ProbeSource("127.0.0.1")
      $0.family = .v6
    }
    #expect(throws: InvalidInput.self) { try transport.check(family) }
  }

  @Test(arguments: ["", "a name", "eth0/1", "..", "waytoolongforaninterface", "if\u{0}0", "ñ0"])
  func invalidSourcesAreRefused(_ text: String) {
    #expect(throws: InvalidInput.self) { try ProbeSource(text) }
  }
}
