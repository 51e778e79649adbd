import FixtureCapture
import Foundation
import ProbeCore
import TestSupport
import Testing

/// Secrets of a request that a server sends back in the parts of a message that frame its content.
@Suite struct EchoedSecretTests {
  private static let secret = "Zq7canarySecret9xQ"
  private static let secrets = Redactor([Secret(secret)])

  /// The received bytes as both kinds of redaction write them.
  private static func redacted(_ wire: [UInt8], _ secrets: Redactor = secrets) throws -> [[UInt8]] {
    let captured = try exchange(received: wire)
    let redactions = [
      CaptureRedaction(learningFrom: [captured], secrets: secrets),
      CaptureRedaction(ofSecretsAlone: secrets, in: [captured]),
    ]
    return redactions.map { redaction in
      let redacted = redaction.redacted(captured).wire?.received ?? []
      #expect(redacted.count == wire.count)
      for remark in redaction.remarks { #expect(!remark.lowercased().contains("canary"), "\(remark)") }
      return redacted
    }
  }

  static let fields = [
    "Content-Encoding", "Transfer-Encoding", "Content-Length", "Content-Type", "Connection", "Content-Range",
    "Keep-Alive", "Trailer", "Upgrade", "TE", "Vary", "Location", "Set-Cookie",
  ]

  @Test(
    arguments: fields, ["@", "x; y=@", "gzip, @", "@, chunked", "text/html; charset=@", "gzip;q=@, close"])
  func noFieldKeepsASecret(_ field: String, _ value: String) throws {
    for secret in [Self.secret, Self.secret.uppercased(), "%5A" + Self.secret.dropFirst()] {
      let value = value.replacing("@", with: secret)
      let wire = "HTTP/1.1 200 OK\r\n\(field): \(value)\r\nServer: x\r\n\r\nhello"
      for redacted in try Self.redacted(Array(wire.utf8)) {
        let text = String(decoding: redacted, as: UTF8.self)
        #expect(!text.lowercased().contains("canary"), "\(text)")
        #expect(text.contains("\(field): ") && text.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(text)")
        // The words that frame the message stay.
        for word in ["gzip", "chunked", "close"]
        where value.contains(word) && Self.fields.prefix(5).contains(field) {
          #expect(text.contains(word) || field == "Content-Length" || field == "Content-Type", "\(text)")
        }
      }
    }
  }

  static let heads = [
    "HTTP/1.1 200 @\r\n\r\nhello", "HTTP/1@ 200 OK\r\n\r\nhello", "HTTP/1.1 @\r\n\r\nhello",
    "HTTP/1.1 103 @\r\nLink: @\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhello", "HTTP/1.1 200 OK\r\n@\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\n@: close\r\n\r\nhello", "HTTP/1.1 200 OK\r\nConnection: a\r\n @\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;@=@\r\nhello\r\n0;@\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5 ; a=\"@\"\r\nhello\r\n0\r\nX: @\r\n@: y\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: br\r\n\r\n5;@\r\n\u{0B}\u{02}\u{80}A\r\n0;@\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n@\r\nhello", "HTTP/1.1 200 OK\r\nConnection: @",
  ]

  @Test(arguments: heads) func noPartOfTheFramingKeepsASecret(_ text: String) throws {
    for redacted in try Self.redacted(Array(text.replacing("@", with: Self.secret).utf8)) {
      #expect(!String(decoding: redacted, as: UTF8.self).contains("canary"))
    }
  }

  /// A backslash may be before any character of a quoted extension (RFC 9110 §5.6.4).
  @Test func noQuotedExtensionKeepsASecret() throws {
    let quoted = Self.secret.map { "\\\($0)" }.joined()
    let wire = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=\"\(quoted)\"\r\nhello\r\n0\r\n\r\n"
    for redacted in try Self.redacted(Array(wire.utf8)) {
      let text = String(decoding: redacted, as: UTF8.self)
      #expect(!text.replacing("\\", with: "").contains("canary"), "\(text)")
    }
  }

  /// A number of the framing that is a secret stays only where it is right.
  @Test(arguments: [
    (
      "HTTP/1.1 200 OK\r\nContent-Length: 5678\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\nhello"
    ),
    (
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5678\r\nhello",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\nhello"
    ),
    (
      "HTTP/1.1 206 x\r\nContent-Range: bytes 0-4/5678\r\n\r\nhello",
      "HTTP/1.1 206 x\r\nContent-Range: bytes 0-4/xxxx\r\n\r\nhello"
    ),
  ])
  func numbersThatPromiseTooMuchAreReplaced(_ text: String, _ expected: String) throws {
    for redacted in try Self.redacted(Array(text.utf8), Redactor([Secret("5678")])) {
      #expect(String(decoding: redacted, as: UTF8.self) == expected)
    }
    let content = String(repeating: "y", count: 5678)
    let right = "HTTP/1.1 200 OK\r\nContent-Length: 5678\r\n\r\n\(content)"
    for redacted in try Self.redacted(Array(right.utf8), Redactor([Secret("5678")])) {
      #expect(String(decoding: redacted, as: UTF8.self) == right)
    }
  }

  /// The file name, the comment and the extra field of gzip (RFC 1952 §2.3.1), and bytes after its end.
  @Test(arguments: [0x08, 0x10, 0x04, 0x00] as [UInt8]) func namesInCompressedContentAreNotKept(_ flag: UInt8)
    throws
  {
    let name = Array(Self.secret.utf8)
    let field: [UInt8] = flag == 0x04 ? [UInt8(name.count), 0] + name : flag == 0 ? [] : name + [0]
    let empty: [UInt8] = [3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    let gzip = [0x1F, 0x8B, 8, flag, 0, 0, 0, 0, 0, 0xFF] + field + empty + (flag == 0 ? name : [])
    for head in ["HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"] {
      for redacted in try Self.redacted(Array(head.utf8) + gzip) {
        #expect(redacted.firstRange(of: name) == nil)
        #expect(redacted.starts(with: head.utf8))
      }
    }
  }

  @Test(
    arguments: [
      ("s=; Domain=.hotel.example; Path=/", nil), ("=; Domain=.hotel.example", nil),
      ("; Domain=.hotel.example", nil),
      ("s; Domain=.hotel.example", nil), ("s=\"\"; Domain=.hotel.example", nil),
      (
        "\(String(repeating: "n", count: 80))=q8w9e0r1; Domain=.hotel.example",
        "\(String(repeating: "n", count: 80))=g0g0g0g1; Domain=.hotel.example"
      ),
      ("=q8w9e0r1; Domain=.hotel.example", "=g0g0g0g1; Domain=.hotel.example"),
      ("q8w9e0r1; Domain=.hotel.example", "g0g0g0g1; Domain=.hotel.example"),
      ("s=\"q8w9e0r1\"; Max-Age=100", "s=\"g0g0g0g1\"; Max-Age=100"),
    ] as [(String, String?)])
  func onlyTheValueOfACookieIsReplaced(_ cookie: String, _ expected: String?) throws {
    let head = "HTTP/1.1 200 OK\r\nSet-Cookie: "
    let rest = "\r\n\r\n<a href=\"http://portal.hotel.example/next\">next</a> Max-Age"
    let redacted = try exchange(received: head + cookie + rest).redactedAlone.receivedText
    #expect(redacted == head + (expected ?? cookie) + rest)
  }
}
