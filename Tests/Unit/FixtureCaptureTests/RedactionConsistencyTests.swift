import FixtureCapture
import Foundation
import ProbeCore
import Testing

/// One value has one placeholder everywhere.
@Suite struct RedactionConsistencyTests {
  private static let mac = "a8:66:7f:12:34:56"
  private static let token = "5a1cf0e2b7d94386c01d7e55ab93f214"

  /// A probe that is sent to a portal, its page, and the page that follows.
  private static func capture() throws -> [RecordedExchange] {
    let login = "http://portal.hotel.com/login?mac=A8-66-7F-12-34-56&ip=10.9.8.77&token=\(token)"
    let body = """
      <html><a href="\(login.replacing("&", with: "&amp;"))">in</a>
      <script>var sid = "\(token.uppercased())"; var next = "\\/s\\/q7W8e9R0t1Y2u3I4o5P6\\/go";</script>
      <input type=hidden name=client value="A8667F123456"> help@hotel.com
      """
    return [
      try exchange(
        received: "HTTP/1.1 302 Found\r\nLocation: \(login)\r\nSet-Cookie: s=w1e2r3t4; Path=/\r\n"
          + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"),
      try exchange(
        login,
        sent: "GET /login?mac=A8-66-7F-12-34-56&ip=10.9.8.77&token=\(token) HTTP/1.1\r\n"
          + "Host: portal.hotel.com\r\nCookie: s=w1e2r3t4\r\n\r\n",
        received: page("You are \(mac) at 10.9.8.77, cookie w1e2r3t4, token \(token). HELP@hotel.com")),
      try exchange("http://portal.hotel.com/s/q7W8e9R0t1Y2u3I4o5P6/go", received: page("x")),
    ]
  }

  @Test func hopsStayConsistent() throws {
    let capture = try Self.capture()
    let redaction = CaptureRedaction(learningFrom: capture)
    let redacted = capture.map(redaction.redacted)
    let login =
      "http://portal.hotel.com/login?mac=00-00-5E-00-53-00&ip=192.0.2.1&token=00000000000000000000000000000001"
    #expect(redacted[0].receivedText.contains("Location: \(login)\r\n"))
    #expect(redacted[0].receivedText.contains(login.replacing("&", with: "&amp;")))
    #expect(redacted[1].url.string == login)
    #expect(
      redacted[1].sentText.hasPrefix(
        "GET /login?mac=00-00-5E-00-53-00&ip=192.0.2.1&token=00000000000000000000000000000001 HTTP/1.1\r\n"))
    #expect(redacted[1].sentText.contains("Host: portal.hotel.com\r\nCookie: s=g0g0g0g1\r\n"))
    #expect(redacted[0].receivedText.contains("Set-Cookie: s=g0g0g0g1; Path=/\r\n"))
    #expect(
      redacted[1].receivedText.hasSuffix(
        "You are 00:00:5e:00:53:00 at 192.0.2.1, cookie g0g0g0g1, token 00000000000000000000000000000001. "
          + "x1@example.com"))
    #expect(redacted[0].receivedText.contains("value=\"00005E005300\""))
    #expect(redacted[0].receivedText.contains("\\/s\\/g0G0g0G0g0G0g0G0g0G1\\/go"))
    #expect(redacted[2].url.string == "http://portal.hotel.com/s/g0G0g0G0g0G0g0G0g0G1/go")
    for (before, after) in zip(capture, redacted) {
      #expect(before.wire?.received.count == after.wire?.received.count)
      #expect(before.wire?.sent.count == after.wire?.sent.count)
      #expect(before.url.string.utf8.count == after.url.string.utf8.count)
      #expect(after.wire?.localAddress == nil)
      #expect(after.remoteAddress == before.remoteAddress)
    }
    let all = redacted.map { $0.receivedText + $0.sentText + $0.url.string }.joined().lowercased()
    for secret in ["a8", Self.token, "q7w8", "w1e2r3t4", "10.9.8.77", "help@"] {
      #expect(!all.contains(secret), "\(secret) is still there")
    }
  }

  @Test func replacementsAreListedWithoutTheirValues() throws {
    let capture = try Self.capture()
    let redaction = CaptureRedaction(learningFrom: capture)
    let list = redaction.replacements.map { "\($0.kind.rawValue): \($0.placeholder) in \($0.location)" }
    #expect(
      list == [
        "client-address: 192.0.2.1 in this machine's address on the connection",
        "mac: 00005e005300 in the query field mac",
        "token: 00000000000000000000000000000001 in the query field token",
        "token: g0g0g0g1 in the cookie s",
        "token: g0G0g0G0g0G0g0G0g0G1 in a path",
        "e-mail: x1@example.com in a text",
      ])
    #expect(redaction.remarks.isEmpty)
  }

  @Test func differentValuesHaveDifferentPlaceholders() throws {
    let body = (0..<300).map {
      "?sid=a\($0 + 1_000_000)b&mac=aa:bb:cc:dd:\($0 % 200 + 10):55 user\($0)@inn.org"
    }
    let redaction = CaptureRedaction(learningFrom: [
      try exchange(received: page(body.joined(separator: "\n")))
    ])
    #expect(Set(redaction.replacements.map(\.placeholder)).count == redaction.replacements.count)
    #expect(redaction.replacements.count > 600)
  }

  @Test(arguments: ["a%2Bb3c4/d5e6f7==", "a%2bb3c4%2Fd5e6f7%3D%3D", "a%252Bb3c4%252Fd5e6f7%253D%253D"])
  func everySpellingIsFound(_ spelling: String) throws {
    let learnt = try exchange("http://a.example/?token=a%2Bb3c4/d5e6f7==", received: "")
    let other = try exchange(received: page("see \(spelling) and a+b3c4\\/d5e6f7== and a&#43;b3c4/d5e6f7=="))
    let redaction = CaptureRedaction(learningFrom: [learnt, other])
    let text = redaction.redacted(other).receivedText
    let placeholder =
      "g" + spelling.dropFirst().replacing("b3c4", with: "g0g0").replacing("d5e6f7", with: "g0g0g1")
    #expect(text.hasSuffix("see \(placeholder) and g+g0g0\\/g0g0g1== and g&#43;g0g0/g0g0g1=="))
  }

  @Test func gatewaysAndHostsAreKept() throws {
    let exchanges = [
      try exchange(
        "http://10.9.8.1:3990/x",
        received: "HTTP/1.1 302 Found\r\nLocation: http://10.7.7.7/login?ip=10.7.7.7&uamip=10.9.8.1\r\n\r\n")
    ]
    let redaction = CaptureRedaction(learningFrom: exchanges)
    #expect(redaction.redacted(exchanges[0]).receivedText == exchanges[0].receivedText)
    #expect(redaction.redacted(exchanges[0]).url == exchanges[0].url)
    #expect(redaction.redacted(exchanges[0]).remoteAddress == exchanges[0].remoteAddress)
  }

  @Test func aHostInACookieIsKept() throws {
    let response =
      "HTTP/1.1 200 OK\r\nSet-Cookie: from=gw12.hotel-inn.com\r\n\r\nWelcome to gw12.hotel-inn.com"
    let redacted = try exchange("http://gw12.hotel-inn.com/", received: response).redactedAlone
    #expect(redacted.url.string == "http://gw12.hotel-inn.com/")
    #expect(redacted.receivedText == response)
  }

  @Test func aPlaceholderIsNotAnAddressOfTheCapture() throws {
    var gateway = try exchange(received: page("I am 10.9.8.77, and 192.0.2.2 is somebody else"))
    gateway.remoteAddress = SocketAddress(try #require(IPAddress("192.0.2.1")), port: 80)
    #expect(gateway.redactedAlone.receivedText.hasSuffix("I am 192.0.2.3, and 192.0.2.2 is somebody else"))
  }

  @Test func thisMachinesOwnAddressIsReplacedEvenAsAPeer() throws {
    var own = try exchange("http://10.9.8.77/", received: page("x"))
    own.remoteAddress = SocketAddress(try #require(IPAddress("10.9.8.77")), port: 80)
    own.failure = .init(.connectReset, "the peer 10.9.8.77 sent a reset")
    let redacted = own.redactedAlone
    #expect(redacted.remoteAddress == SocketAddress(try #require(IPAddress("192.0.2.1")), port: 80))
    #expect(redacted.url.string == "http://192.0.2.1/")
    #expect(redacted.failure?.detail == "the peer 192.0.2.1 sent a reset")
  }

  @Test func textsAreRedactedToo() throws {
    let redaction = CaptureRedaction(learningFrom: try Self.capture())
    #expect(redaction.redacted("from \(Self.mac)") == "from 00:00:5e:00:53:00")
    #expect(redaction.redacted("token=\(Self.token)") == "token=00000000000000000000000000000001")
    #expect(redaction.redacted("nothing") == "nothing")
  }

  @Test func noneChangesNothing() throws {
    let capture = try Self.capture()
    #expect(CaptureRedaction.none.redacted(capture[0]).wire == capture[0].wire)
    #expect(CaptureRedaction.none.redacted("from \(Self.mac)") == "from \(Self.mac)")
    #expect(CaptureRedaction.none.replacements.isEmpty)
    #expect(CaptureRedaction.none.remarks.isEmpty)
  }

  @Test func shortValuesAreReplacedOnlyInTheirFields() throws {
    let text = "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\nSet-Cookie: pin=1234\r\n\r\n1234 red"
    let redacted = try exchange(received: text).redactedAlone.receivedText
    #expect(
      redacted == "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\nSet-Cookie: pin=0001\r\n\r\n1234 red")
  }

  @Test func requestSecretsAreReplacedAtTheSameLength() throws {
    let secrets = Redactor([Secret("a/b+c=?d"), Secret("1234")])
    let head = "HTTP/1.1 200 OK\r\nX-Echo: a%2fb%2Bc=?d\r\n"
    let chunked = "Transfer-Encoding: chunked\r\n\r\n5\r\na/b+c\r\n3\r\n=?d\r\n0\r\n\r\n"
    let captured = try exchange("http://a.example/?q=a%2Fb%2bc%3D%3fd", received: head + chunked)
    let hidden = "HTTP/1.1 200 OK\r\nX-Echo: xxxxxxxxxxxx\r\n"
    for redaction in [
      CaptureRedaction(learningFrom: [captured], secrets: secrets),
      CaptureRedaction(ofSecretsAlone: secrets, in: [captured]),
    ] {
      let redacted = redaction.redacted(captured)
      #expect(
        redacted.receivedText == hidden
          + chunked.replacing("a/b+c", with: "xxxxx").replacing("=?d", with: "xxx"))
      #expect(redacted.url.string == "http://a.example/?q=\(String(repeating: "x", count: 16))")
      // The message framing is kept.
      let content = String(repeating: "y", count: 1230)
      let framed = try exchange(received: "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n1234\(content)")
      #expect(
        redaction.redacted(framed).receivedText.hasSuffix("Content-Length: 1234\r\n\r\nxxxx\(content)"))
    }
  }
}
