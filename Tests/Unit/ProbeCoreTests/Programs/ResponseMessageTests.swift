import Foundation
import ProbeCore
import Testing

/// The JSON of a response for programs.
@Suite struct ResponseMessageTests {
  private static func text(_ response: ProbeResponse, hasText: Bool = true) -> String {
    String(decoding: ResponseMessage.json(of: response, hasText: hasText), as: UTF8.self)
  }

  private static func object(_ response: ProbeResponse) throws -> [String: Any] {
    let bytes = ResponseMessage.json(of: response, hasText: true)
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }

  @Test func everyFieldIsThere() throws {
    #expect(
      Self.text(ProbeResponse(url: try ProbeURL("tcp://192.0.2.1:22"))) == """
        {"url":"tcp://192.0.2.1:22","status":null,"headers":{},"text":"","bodyBase64":"","bodyIsCut":false,"tls":null,\
        "timings":{"resolve":null,"connect":null,"tls":null,"firstByte":null,"total":null},"remoteAddress":null,\
        "redirects":[],"captures":{},"dns":null,"ping":null}
        """)
  }

  @Test func aCompleteResponse() throws {
    var response = ProbeResponse(
      url: try ProbeURL("https://b.example/x?y=\"z\""),
      head: HTTPResponseHead(
        status: 200,
        fields: HeaderFields([
          (name: "Set-Cookie", value: "a=1"), (name: "Content-Type", value: "text/plain"),
          (name: "set-cookie", value: "b=\"2\""),
        ])),
      body: Array("line\n\ttab \"quoted\" \\ \u{1}\u{7F} ü".utf8))
    response.redirects = [
      RedirectHop(
        url: try ProbeURL("https://a.example/"), status: 302, location: "//b.example/x", target: nil),
      RedirectHop(url: try ProbeURL("https://a.example/2"), status: 301, location: nil, target: nil),
    ]
    response.remoteAddress = SocketAddress(try #require(IPAddress("2001:db8::1")), port: 443)
    response.timings = ProbeTimings(resolve: .milliseconds(2), tls: .microseconds(1500), total: .seconds(1))
    response.captures = ["b": "2", "a": "1\n"]
    var certificate = CertificateFacts(
      subject: "CN=b.example", issuer: "CN=CA", alternativeNames: ["b.example", "192.0.2.1"],
      serialNumber: "01", notBefore: Date(timeIntervalSince1970: 0),
      notAfter: Date(timeIntervalSince1970: 1_800_000_000), fingerprint: "ab12")
    (certificate.keyBits, certificate.signatureAlgorithm) = (2048, "sha256WithRSAEncryption")
    response.tls = TLSFacts(version: "TLSv1.3", cipher: "TLS_AES_256_GCM_SHA384", chain: [certificate])
    #expect(
      Self.text(response) == #"""
        {"url":"https://b.example/x?y=%22z%22","status":200,\#
        "headers":{"set-cookie":["a=1","b=\"2\""],"content-type":["text/plain"]},\#
        "text":"line\n\ttab \"quoted\" \\ \u0001\#u{7F} ü",\#
        "bodyBase64":"bGluZQoJdGFiICJxdW90ZWQiIFwgAX8gw7w=","bodyIsCut":false,\#
        "tls":{"version":"TLSv1.3","cipher":"TLS_AES_256_GCM_SHA384","chain":[{"subject":"CN=b.example",\#
        "issuer":"CN=CA","names":["b.example","192.0.2.1"],"notBefore":"1970-01-01T00:00:00Z",\#
        "notAfter":"2027-01-15T08:00:00Z","fingerprint":"ab12","keyBits":2048,\#
        "signature":"sha256WithRSAEncryption"}]},\#
        "timings":{"resolve":0.002,"connect":null,"tls":0.0015,"firstByte":null,"total":1.0},\#
        "remoteAddress":"[2001:db8::1]:443",\#
        "redirects":[{"url":"https://a.example/","status":302,"location":"//b.example/x"},\#
        {"url":"https://a.example/2","status":301,"location":null}],\#
        "captures":{"a":"1\n","b":"2"},"dns":null,"ping":null}
        """#)
  }

  @Test func onlyCommandsHaveText() throws {
    let response = ProbeResponse.example(body: "hello")
    #expect(Self.text(response, hasText: false).contains(#""text""#) == false)
    #expect(Self.text(response, hasText: false).contains(#""bodyBase64":"aGVsbG8=""#))
  }

  @Test(
    arguments: [
      (Array("plain".utf8), false, "plain"),
      ([0x61, 0xFF, 0x62], false, nil),
      // A cut within a character is accepted, but other invalid bytes are not.
      ([0x61, 0xC3], false, nil), ([0x61, 0xC3], true, "a"), ([0x61, 0xE2, 0x82], true, "a"),
      ([0x61, 0xF0, 0x9F, 0x98], true, "a"), (Array("aü".utf8), true, "aü"), (Array("a€".utf8), true, "a€"),
      ([0x61, 0xFF, 0xC3], true, nil), ([0x80], true, nil), ([0xC3], true, ""), ([], true, ""),
    ] as [([UInt8], Bool, String?)])
  func theTextOfABody(_ body: [UInt8], _ isCut: Bool, _ text: String?) throws {
    var response = ProbeResponse.example()
    (response.body, response.bodyIsCut) = (body, isCut)
    let object = try Self.object(response)
    #expect(object["text"] as? String == text)
    #expect(object["bodyIsCut"] as? Bool == isCut)
    #expect(Data(base64Encoded: object["bodyBase64"] as? String ?? "?") == Data(body))
  }

  @Test func dnsAndPings() throws {
    var response = ProbeResponse(url: try ProbeURL("dns://192.0.2.53/example.com"))
    var facts = DNSFacts(name: "example.com.", type: "A", code: .noSuchName)
    facts.answer = [
      DNSRecord(name: "example.com.", timeToLive: .seconds(300), type: "A", data: "192.0.2.7")
    ]
    facts.isAuthoritative = true
    response.dns = facts
    response.ping = PingFacts(sent: 3, roundTrips: [.microseconds(250), .milliseconds(1)])
    let text = Self.text(response)
    #expect(
      text.contains(
        #""dns":{"name":"example.com.","type":"A","code":"NXDOMAIN","isAuthoritative":true,"isAuthenticated":false,"#
          + #""offersRecursion":false,"answer":[{"name":"example.com.","ttl":300,"class":"IN","type":"A","#
          + #""data":"192.0.2.7"}],"authority":[],"additional":[]}"#))
    #expect(text.hasSuffix(#""ping":{"sent":3,"received":2,"roundTrips":[0.00025,0.001]}}"#))
  }

  /// Whatever a server sends, the message is one line of valid JSON.
  @Test func anythingMakesOneLineOfJSON() throws {
    let all = Array<UInt8>(0...255)
    var response = ProbeResponse.example(fields: ["X": String(decoding: all, as: UTF8.self)])
    response.head?.fields.append(name: String(wireBytes: all), value: "\u{2028}\r\n")
    response.body = all
    response.captures = [String(wireBytes: all): String(wireBytes: all)]
    response.timings.total = .seconds(Int64.max)
    let bytes = ResponseMessage.json(of: response, hasText: true)
    #expect(!bytes.contains { $0 < 0x20 })
    let captures = try Self.object(response)["captures"] as? [String: String]
    #expect(captures == response.captures)
  }
}
