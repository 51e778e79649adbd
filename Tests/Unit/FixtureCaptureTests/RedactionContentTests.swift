@testable import FixtureCapture
import ProbeCore
import TestSupport
import Testing

/// Content in other forms than plain text: chunked, compressed, in UTF-16, malformed.
@Suite struct RedactionContentTests {
  private static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

  private static func chunked(_ parts: [String]) -> String {
    parts.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
  }

  @Test func valuesSplitAcrossChunksAreRedacted() throws {
    let wire =
      Self.chunkedHead
      + Self.chunked(["mac=a8:66:7", "f:12:", "34:56 ?tok", "en=89db8", "dfe jo@i", "nn.org"])
    let expected =
      Self.chunkedHead
      + Self.chunked(["mac=00:00:5", "e:00:", "53:00 ?tok", "en=00000", "001 xx1@", "x.test"])
    #expect(try exchange(received: wire).redactedAlone.receivedText == expected)
  }

  @Test func chunkSizesAreNotTakenForValues() throws {
    let content = String(repeating: "x", count: 0x1234)
    let wire =
      "HTTP/1.1 200 OK\r\nSet-Cookie: pin=1234abcd\r\nTransfer-Encoding: chunked\r\n\r\n"
      + "1234;a=1234abcd\r\n\(content)\r\n0\r\nTrailer: 1234abcd\r\n\r\n"
    let redacted = try exchange(received: wire).redactedAlone.receivedText
    #expect(redacted.contains("\r\n\r\n1234;a="))
    #expect(redacted.contains("Set-Cookie: pin=00000001\r\n"))
    #expect(redacted.hasSuffix("Trailer: 00000001\r\n\r\n"))
  }

  @Test(arguments: [
    "zz\r\nmac=a8:66:7f:12:34:56", "5", "fffffffffffffffff\r\na8:66:7f:12:34:56",
    "7fffffffffff\r\na8:66:7f:12:34:56", "",
  ])
  func contentWithBrokenFramingIsRedacted(_ content: String) throws {
    let wire = Self.chunkedHead + content
    let redacted = try exchange(received: wire).redactedAlone.receivedText
    #expect(redacted == wire.replacing("a8:66:7f:12:34:56", with: "00:00:5e:00:53:00"))
  }

  @Test func privateLookingBytesOfImagesAreKept() throws {
    let content = "\u{89}PNG jo@inn.org token=89db8dfe"
    let image = page(content, type: "image/png")
    #expect(try exchange(received: image).redactedAlone.receivedText == image)
    // A value that is known from elsewhere is replaced in images too, and SVG is text.
    let others = try [exchange(received: page("token=89db8dfe")), exchange(received: image)]
    let redaction = CaptureRedaction(learningFrom: others)
    #expect(redaction.redacted(others[1]).receivedText.hasSuffix("jo@inn.org token=00000001"))
    let drawing = try exchange(received: page(content, type: "image/svg+xml")).redactedAlone.receivedText
    #expect(!drawing.contains("jo@inn.org"))
  }

  @Test func interimResponsesAreRedactedToo() throws {
    let wire =
      "HTTP/1.1 103 Early Hints\r\nSet-Cookie: a=q8w9e0r1\r\n\r\nHTTP/1.1 200 OK\r\nSet-Cookie: b=r8w9e0r1\r\n\r\nq8w9e0r1"
    #expect(
      try exchange(received: wire).redactedAlone.receivedText
        == "HTTP/1.1 103 Early Hints\r\nSet-Cookie: a=g0g0g0g1\r\n\r\nHTTP/1.1 200 OK\r\nSet-Cookie: b=g0g0g0g2\r\n\r\ng0g0g0g1"
    )
  }

  /// `<a href="?mac=a8:66:7f:12:34:56&token=89db8dfe">jo@inn.org</a>`, by Python's gzip and zlib modules.
  private static let packed: [(coding: String, bytes: [UInt8])] = [
    (
      "gzip",
      [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xb3, 0x49, 0x54, 0xc8, 0x28, 0x4a, 0x4d,
        0xb3, 0x55, 0xb2, 0xcf, 0x4d, 0x4c, 0xb6, 0x4d, 0xb4, 0xb0, 0x32, 0x33, 0xb3, 0x32, 0x4f, 0xb3, 0x32,
        0x34, 0xb2, 0x32, 0x36, 0xb1, 0x32, 0x35, 0x53, 0x2b, 0xc9, 0xcf, 0x4e, 0xcd, 0xb3, 0xb5, 0xb0, 0x4c,
        0x49, 0xb2, 0x48, 0x49, 0x4b, 0x55, 0xb2, 0xcb, 0xca, 0x77, 0xc8, 0xcc, 0xcb, 0xd3, 0xcb, 0x2f, 0x4a,
        0xb7, 0xd1, 0x4f, 0xb4, 0x03, 0x00, 0x2b, 0x04, 0x2d, 0x66, 0x3e, 0x00, 0x00, 0x00,
      ]
    ),
    (
      "deflate",
      [
        0x78, 0x9c, 0xb3, 0x49, 0x54, 0xc8, 0x28, 0x4a, 0x4d, 0xb3, 0x55, 0xb2, 0xcf, 0x4d, 0x4c, 0xb6, 0x4d,
        0xb4, 0xb0, 0x32, 0x33, 0xb3, 0x32, 0x4f, 0xb3, 0x32, 0x34, 0xb2, 0x32, 0x36, 0xb1, 0x32, 0x35, 0x53,
        0x2b, 0xc9, 0xcf, 0x4e, 0xcd, 0xb3, 0xb5, 0xb0, 0x4c, 0x49, 0xb2, 0x48, 0x49, 0x4b, 0x55, 0xb2, 0xcb,
        0xca, 0x77, 0xc8, 0xcc, 0xcb, 0xd3, 0xcb, 0x2f, 0x4a, 0xb7, 0xd1, 0x4f, 0xb4, 0x03, 0x00, 0x3e, 0x02,
        0x12, 0xc8,
      ]
    ),
  ]

  @Test(arguments: [0, 1]) func compressedContentIsKeptAndReported(_ index: Int) throws {
    let (coding, content) = Self.packed[index]
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(content.count)\r\n\r\n"
    let packed = try exchange("http://a.example/?token=89db8dfe", received: Array(head.utf8) + content)
    let redaction = CaptureRedaction(learningFrom: [packed])
    #expect(redaction.redacted(packed).wire?.received == packed.wire?.received)
    #expect(
      redaction.remarks == [
        "The content of http://a.example/?token=00000001 is compressed (\(coding)), so its private values stay: "
          + "1 hardware address, 1 token, 1 e-mail address."
      ])
    // A value learnt there is replaced elsewhere.
    #expect(redaction.redacted("jo@inn.org") == "xx1@x.test")
  }

  /// Compressed content cannot be changed in place: with a secret of the request in it, all of it is masked.
  @Test(arguments: [0, 1], [false, true]) func compressedSecretsMaskTheBody(_ index: Int, _ isAlone: Bool)
    throws
  {
    let (coding, content) = Self.packed[index]
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(content.count)\r\n\r\n"
    let packed = try exchange("http://a.example/", received: Array(head.utf8) + content)
    func redaction(_ secret: String) -> CaptureRedaction {
      let secrets = Redactor([Secret(secret)])
      return isAlone
        ? CaptureRedaction(ofSecretsAlone: secrets, in: [packed])
        : CaptureRedaction(learningFrom: [packed], secrets: secrets)
    }
    let echoed = redaction("89db8dfe")
    #expect(echoed.redacted(packed).receivedText == head + String(repeating: "x", count: content.count))
    #expect(
      echoed.remarks == [
        "A body of http://a.example/ is compressed and may contain a secret of the request: each of its bytes is replaced "
          + "by an x."
      ])
    let other = redaction("not in it")
    #expect(other.redacted(packed).wire?.received == packed.wire?.received)
    #expect(!other.remarks.contains { $0.contains("secret") })
  }

  @Test(arguments: ["br", "gzip, gzip"]) func contentThatCannotBeUnpackedMayHoldASecret(_ coding: String)
    throws
  {
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n\r\n"
    let packed = try exchange(received: Array(head.utf8) + [0x1F, 0x8B, 0x08, 0x80])
    let redaction = CaptureRedaction(ofSecretsAlone: Redactor([Secret("s3cret")]), in: [packed])
    #expect(redaction.redacted(packed).receivedText == head + "xxxx")
    #expect(redaction.remarks.count == 1)
  }

  /// Nested escapes have no room for the bytes of a placeholder.
  @Test(arguments: ["&amp;#43;", "\\\\u002b", "%252B"]) func nestedEscapesLeaveNoPartOfTheirValue(
    _ plus: String
  ) throws {
    let token = "ab+Cd9fGh3jKl5"
    let body = token.replacing("+", with: plus)
    let captured = try exchange(
      "http://a.example/login?token=ab%2BCd9fGh3jKl5", received: page("<p>\(body)</p>"))
    let redacted = captured.redactedAlone.receivedText
    #expect(redacted.utf8.count == captured.receivedText.utf8.count)
    for part in ["Kl5", "jKl", "Gh3", "Cd9"] { #expect(!redacted.contains(part), "\(redacted)") }
  }

  /// A named reference has no room for another letter.
  @Test(arguments: ["&uuml;", "&uuml", "&ucirc;", "&uml;"]) func referencesByNameGo(_ reference: String)
    throws
  {
    let page = "<input type=hidden name=token value=\"M\(reference)ller123456\">"
    let captured = try exchange(
      "http://a.example/login?token=M%C3%BCller123456",
      received: "HTTP/1.1 200 OK\r\nContent-Length: \(page.utf8.count)\r\n\r\n\(page)")
    let redacted = captured.redactedAlone
    #expect(redacted.receivedText.utf8.count == captured.receivedText.utf8.count)
    #expect(!redacted.receivedText.contains("ller123456"))
    #expect(!redacted.receivedText.contains(reference))
  }

  /// Each character as a reference of HTML, decimal or hexadecimal.
  @Test(arguments: [true, false]) func secretsInCharacterReferencesAreFound(_ isHexadecimal: Bool) throws {
    func escaped(_ text: String) -> String {
      text.unicodeScalars.map { isHexadecimal ? "&#x\(String($0.value, radix: 16));" : "&#\($0.value);" }
        .joined()
    }
    let values = ["a8:66:7f:12:34:56", "jo@inn.org", "q7W8e9R0t1Y2u3I4"]
    let body =
      "<p>\(escaped(values[0]))<p>\(escaped(values[1]))<input name=token value='\(escaped(values[2]))'>"
    let captured = try exchange(received: "HTTP/1.1 200 OK\r\n\r\n\(body)")
    #expect(PrivateData.found(in: captured.wire?.received ?? []).map(\.kind) == [.mac, .email])
    let redaction = CaptureRedaction(learningFrom: [captured])
    #expect(Set(redaction.replacements.map(\.kind)).isSuperset(of: [.mac, .email, .token]))
    let redacted = redaction.redacted(captured)
    #expect(redacted.receivedText.utf8.count == captured.receivedText.utf8.count)
    let meant = UnescapedText(0..<redacted.receivedText.utf8.count, of: redacted.wire?.received ?? []).bytes
    for value in values { #expect(!String(decoding: meant, as: UTF8.self).contains(value)) }
    #expect(PrivateData.found(in: redacted.wire?.received ?? []) == [])
  }

  @Test func anUnknownCompressionIsReported() throws {
    let wire = Array("HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n".utf8) + [0x0B, 0x02, 0x80, 0x41]
    let redaction = CaptureRedaction(learningFrom: [try exchange(received: wire)])
    #expect(
      redaction.remarks == [
        "The content of http://probe.example/check is compressed (br) and was not searched."
      ])
  }

  /// "identity" is no coding, and text is searched whatever its coding is called.
  @Test(arguments: [
    "Content-Encoding: identity", "Transfer-Encoding: identity", "Content-Encoding: Identity , identity",
    "Content-Encoding: ,", "Content-Encoding: none", "Content-Encoding: utf-8",
  ])
  func textWithoutACodingIsRedacted(_ field: String) throws {
    let wire = "HTTP/1.1 200 OK\r\n\(field)\r\n\r\nGrüße a8:66:7f:12:34:56"
    let redaction = CaptureRedaction(learningFrom: [try exchange(received: wire)])
    #expect(redaction.remarks == [])
    #expect(
      redaction.redacted(try exchange(received: wire)).receivedText.hasSuffix("Grüße 00:00:5e:00:53:00"))
  }

  @Test func contentThatOnlyClaimsCompressionIsRedacted() throws {
    let wire = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\na8:66:7f:12:34:56"
    let redaction = CaptureRedaction(learningFrom: [try exchange(received: wire)])
    #expect(
      redaction.redacted(try exchange(received: wire)).receivedText.hasSuffix("\r\n\r\n00:00:5e:00:53:00"))
    #expect(redaction.remarks.isEmpty)
  }

  @Test(arguments: [true, false]) func utf16(_ isBig: Bool) throws {
    func encoded(_ text: String) -> [UInt8] {
      "\u{FEFF}\(text)".utf16.flatMap { unit in
        let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        return isBig ? bytes : bytes.reversed()
      }
    }
    let head = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
    let text = try exchange(received: head + encoded("ключ a8:66:7f:12:34:56 ?token=89db8dfe"))
    #expect(text.redactedAlone.wire?.received == head + encoded("ключ 00:00:5e:00:53:00 ?token=00000001"))
  }

  @Test func redactingAgainChangesNothing() throws {
    let body = """
      a8:66:7f:12:34:56 A8-66-7F-12-34-57 ?mac=a8667f123458 jo@inn.org jo.doe%40hotel-inn.com a@b.co ?uip=1.2.3.4
      ?userip=100.100.200.201&sid=k7Hq2x9&token=5a1cf0e2b7d94386 ?client_ip=2a02:8109:9a40:1b2c:1:22:333:4444
      <input name=csrf value="f47ac10b-58cc-4372-a567-0e02b2c3d479"> ?key=xb%2Bcd3%3D%3D ?pass=geheim ?tok=7%D0%BF%D0%B0x1
      ?sid=1.2.3.4-q8w9e0r1-jo@inn.org ?x=aB3dE5gH7jK9mN1pQ3sT http://h.example/s/aB3dE5gH7jK9mN1pQ3sU
      ?ip=fe80::1ff:fe23:4567:890a&clientip=fd00%3A1%3A2%3A%3A7%3A8 ?token=ABCDEF0123456789 ?token=z1z2z3z4 ?pin=4711
      """
    let once = try exchange("http://a.example/?sid=q1w2e3r4t5", received: page(body)).redactedAlone
    let again = CaptureRedaction(learningFrom: [once])
    #expect(again.redacted(once).receivedText == once.receivedText)
    #expect(again.redacted(once).url == once.url)
    #expect(again.replacements.isEmpty, "\(again.replacements)")
    for secret in [
      "a8", "A8", "jo", "k7Hq", "5a1c", "f47a", "geheim", "q8w9", "aB3d", "fe23", "fd00", "4711", "ABCD",
      "z1z",
    ] {
      #expect(!once.receivedText.contains(secret), "\(secret) is still there")
    }
  }

  /// Pieces to combine in any order and with any bytes in between.
  private static let pieces =
    [
      "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 \r\n", "Transfer-Encoding: chunked\r\n",
      "Content-Encoding: gzip\r\n", "\r\n", "\r\n\r\n", "5\r\n",
      "0\r\n\r\n", "a8:66:7f:12:34:56", "a8%3A66%3A7f%3A12%3A34%3A56", "jo@inn.org", "%40", "%", "%2",
      "?token=", "89db8dfe", "Set-Cookie: ",
      "sid=", "<input ", "name=token ", "value=\"", "\"", "'", "&amp;", "\\u00", "10.9.8.77", "ip=", "::",
      "2a02:810::5", "Location: /",
      "f47ac10b-58cc-4372-a567-0e02b2c3d479", "\u{FEFF}", "é", "&", ";", "=", "/", "<sid>", "</",
      "Authorization: Bearer ", "aB3dE5gH7jK9mN1pQ3sT",
    ].map { Array($0.utf8) } + [[0xFF, 0xFE], [0x1F, 0x8B, 0x08], [0xFF], [0x00], [0xC3]]

  @Test(arguments: 0..<8) func redactionKeepsLengthsAndIsIdempotent(_ seed: UInt64) throws {
    var numbers = SeededNumbers(seed: seed)
    for _ in 0..<10 {
      var wire: [UInt8] = Bool.random(using: &numbers) ? Array("HTTP/1.1 200 OK\r\n".utf8) : []
      for _ in 0..<Int.random(in: 0..<40, using: &numbers) {
        if Int.random(in: 0..<5, using: &numbers) == 0 {
          wire += (0..<Int.random(in: 0..<6, using: &numbers)).map { _ in
            UInt8.random(in: 0...255, using: &numbers)
          }
        }
        wire += Self.pieces.randomElement(using: &numbers) ?? []
      }
      let before = try exchange(sent: wire, received: wire)
      let after = before.redactedAlone
      #expect(after.wire?.received.count == wire.count)
      #expect(after.wire?.sent.count == wire.count)
      let left = PrivateData.found(in: after.wire?.received ?? []).filter { !$0.isPacked }
      #expect(left.isEmpty, "\(String(decoding: wire, as: UTF8.self).debugDescription)")
      let again = after.redactedAlone
      #expect(
        again.wire?.received == after.wire?.received,
        "\(String(decoding: wire, as: UTF8.self).debugDescription)")
    }
  }
}
