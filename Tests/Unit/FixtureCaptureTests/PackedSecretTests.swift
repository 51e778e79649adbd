import FixtureCapture
import Foundation
import ProbeCore
import ProbeCodecs
import TestSupport
import TestRequirements
import Testing

/// Secrets of a request that a server sends back in compressed data, wherever it is on the wire.
@Suite(.heavy) struct PackedSecretTests {
  private static let secret = "Zq7canarySecret9xQ"
  private static let secrets = Redactor([Secret(secret)])

  private static func gzip(_ bytes: [UInt8]) -> [UInt8] { Deflation.gzip(bytes) ?? [] }
  private static func deflated(_ bytes: [UInt8]) -> [UInt8] { Array(gzip(bytes).dropFirst(10).dropLast(8)) }

  private static let text = Array("<p>welcome \(secret)</p>".utf8)
  private static let packed = gzip(text)
  private static let other = gzip(Array("<p>welcome</p>".utf8))

  /// One byte of gzip changed, counted from its end.
  private static func damaged(_ bytes: [UInt8], at end: Int) -> [UInt8] {
    var bytes = bytes
    bytes[bytes.count - end] ^= 0xFF
    return bytes
  }

  private static func chunked(_ bytes: [UInt8]) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n0\r\n\r\n".utf8)
  }

  private static func head(_ fields: String = "") -> [UInt8] {
    Array("HTTP/1.1 200 OK\r\n\(fields)\r\n".utf8)
  }

  private static let coded = head("Content-Encoding: gzip\r\n")

  /// Everything that the text can be recovered from with common tools: what is decompressed from any offset, also
  /// from Base64, as often as possible.
  private static func recovered(from bytes: [UInt8], depth: Int = 4) -> [[UInt8]] {
    guard depth > 0 else { return [bytes] }
    var all = [bytes]
    for offset in bytes.indices {
      let isGzip = bytes[offset...].starts(with: [0x1F, 0x8B])
      guard isGzip || offset == 0 || bytes[offset...].starts(with: [0x78]) else { continue }
      let result = Inflation.unpack(bytes, from: offset, limit: 1 << 20)
      if !result.bytes.isEmpty { all += recovered(from: result.bytes, depth: depth - 1) }
    }
    let words = String(decoding: bytes, as: UTF8.self).replacing(#/\\[nr\/]|\s/#) { $0.0 == "\\/" ? "/" : "" }
    for match in words.matches(of: #/[A-Za-z0-9+\/_-]{24,}/#) {
      let word = match.0.replacing("-", with: "+").replacing("_", with: "/")
      for offset in 0..<4 {
        let run = word.utf8.dropFirst(offset)
        guard let data = Data(base64Encoded: Data(run.prefix(run.count / 4 * 4))) else { continue }
        all += recovered(from: [UInt8](data), depth: depth - 1)
      }
    }
    return all
  }

  private static func holdsSecret(_ bytes: [UInt8]) -> Bool {
    recovered(from: bytes).contains { $0.firstRange(of: Array("canary".utf8)) != nil }
  }

  static let wires: [(name: String, wire: [UInt8])] = [
    ("plain gzip", coded + packed),
    ("cut", coded + packed.dropLast(9)),
    ("behind padding", coded + other + [0, 0, 0, 0] + packed),
    ("behind junk", coded + other + Array("junk".utf8) + packed),
    ("behind binary junk", coded + other + [0xFF, 0, 0x80, 1] + packed),
    ("behind a wrong checksum", coded + damaged(other, at: 8) + packed),
    ("behind a wrong length", coded + damaged(other, at: 1) + packed),
    ("in the member with a wrong checksum", coded + damaged(packed, at: 8)),
    ("behind a cut member", coded + other.dropLast(9) + packed),
    ("behind damaged data", coded + damaged(other, at: 12) + packed),
    ("twice, declared once", coded + gzip(packed)),
    ("twice, declared twice", head("Content-Encoding: gzip, gzip\r\n") + gzip(packed)),
    ("twice, not declared", head() + gzip(packed)),
    ("five times", coded + gzip(gzip(gzip(gzip(packed))))),
    ("a second member in gzip in gzip", coded + gzip(other + [0, 0] + packed)),
    ("declared br", head("Content-Encoding: br\r\n") + packed),
    ("behind Content-Length", head("Content-Length: 5\r\n") + Array("hello".utf8) + packed),
    (
      "gzip behind the gzip of Content-Length",
      head("Content-Encoding: gzip\r\nContent-Length: \(other.count)\r\n") + other + packed
    ),
    ("behind the last chunk", head("Transfer-Encoding: chunked\r\n") + chunked(Array("hello".utf8)) + packed),
    (
      "behind the last chunk of gzip",
      head("Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n") + chunked(other) + packed
    ),
    (
      "raw deflate behind the last chunk of deflate",
      head("Content-Encoding: deflate\r\nTransfer-Encoding: chunked\r\n") + chunked(deflated(text.reversed()))
        + deflated(text)
    ),
    ("a second response", head("Content-Length: 5\r\n") + Array("hello".utf8) + coded + packed),
    (
      "a second response in chunks",
      head("Content-Length: 5\r\n") + Array("hello".utf8) + head("Transfer-Encoding: chunked\r\n")
        + Array("6\r\nZq7can\r\nc\r\narySecret9xQ\r\n0\r\n\r\n".utf8)
    ),
    (
      "a response behind chunks with a trailer",
      head("Transfer-Encoding: chunked\r\n") + Array("0\r\nX: y\r\n\r\n".utf8)
        + head("Content-Encoding: deflate\r\n") + deflated(text)
    ),
    ("a response behind one without content", head() + coded + packed),
    ("HTTP/0.9", Array("<p>hello</p>".utf8) + packed),
    ("deflate", head("Content-Encoding: deflate\r\n") + deflated(text)),
    (
      "deflate, then gzip",
      head("Content-Encoding: deflate\r\n") + deflated(Array("<p>hello</p>".utf8)) + packed
    ),
    (
      "deflate, then deflate",
      head("Content-Encoding: deflate\r\n") + deflated(Array("<p>hello</p>".utf8)) + deflated(text)
    ),
    ("zlib, not declared", head() + [0x78, 0x9C] + deflated(text) + [0, 0, 0, 0]),
    ("an image that is gzip", head("Content-Type: image/png\r\n") + packed),
    (
      "gzip behind the start of an image",
      head("Content-Type: image/png\r\n") + Array("\u{89}PNG\r\n".utf8) + packed
    ),
    (
      "an image in gzip",
      head("Content-Type: image/png\r\nContent-Encoding: gzip\r\n") + gzip([0x89, 0, 0xFF] + packed)
    ),
    ("Base64", head() + Array("<img src=\"data:x;base64,\(base64(packed))\">".utf8)),
    ("Base64 without padding", head() + Array("v=\(base64(packed, urlSafe: true, padded: false)); x".utf8)),
    ("Base64 inside", head() + Array("v=\(base64([1] + packed)) \(base64([1, 2] + packed))".utf8)),
    (
      "Base64 in JSON",
      head() + Array("{\"v\": \"\(base64(gzip(text + text)).replacing("/", with: "\\/"))\"}".utf8)
    ),
    ("Base64 in lines", head() + Array(Data(packed).base64EncodedData(options: .lineLength64Characters))),
    ("Base64 in a field", head("Set-Cookie: s=\(base64(packed, padded: false)); Path=/\r\n")),
    ("Base64 in gzip", coded + gzip(Array("v=\(base64(packed))".utf8))),
    ("Base64 of gzip of Base64 of gzip", head() + Array(base64(gzip(Array(base64(packed).utf8))).utf8)),
    ("Base64 of damaged gzip", head() + Array("v=\(base64(damaged(packed, at: 8)))".utf8)),
    (
      "Base64 inside in lines",
      head()
        + Array(
          "v=\(base64([1] + packed).map { "\($0)\n" }.joined()) \(base64([1, 2] + packed).replacing("f", with: "f\n"))"
            .utf8)
    ),
    (
      "in the extra field of gzip",
      coded + [0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 3, UInt8(truncatingIfNeeded: packed.count), 0] + packed
        + other.dropFirst(10)
    ),
    (
      "in the head of gzip that is cut",
      coded + [0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 3] + packed.filter { $0 != 0 }.prefix(4) + Array(secret.utf8)
    ),
    (
      "UTF-16 in gzip",
      head("Content-Type: text/html; charset=utf-16le\r\nContent-Encoding: gzip\r\n")
        + gzip(base64(text).utf8.flatMap { [$0, 0] })
    ),
    (
      "in chunks of two fields",
      head("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n")
        + Array("6\r\nZq7can\r\nc\r\narySecret9xQ\r\n0\r\n\r\n".utf8)
    ),
    (
      "a format that cannot be searched",
      head() + Array("<p>".utf8) + [0x28, 0xB5, 0x2F, 0xFD] + packed.dropFirst(10)
    ),
  ]

  @Test(arguments: wires.map(\.name)) func noCompressedDataKeepsASecret(_ name: String) throws {
    let wire = try #require(Self.wires.first { $0.name == name }).wire
    let captured = try exchange(received: wire)
    for redaction in [
      CaptureRedaction(learningFrom: [captured], secrets: Self.secrets),
      CaptureRedaction(ofSecretsAlone: Self.secrets, in: [captured]),
    ] {
      let redacted = redaction.redacted(captured).wire?.received ?? []
      #expect(redacted.count == wire.count)
      #expect(!Self.holdsSecret(redacted), "\(String(decoding: redacted, as: UTF8.self).debugDescription)")
      #expect(redacted != wire)
      if Self.holdsSecret(Array(wire)), wire.contains(0x1F) {
        #expect(redaction.remarks.contains { $0.contains("is replaced by an x") })
      }
    }
  }

  /// The test can find the secret in nearly all of them.
  @Test func theSecretIsThere() {
    let others = Self.wires.filter { !Self.holdsSecret($0.wire) }.map(\.name)
    #expect(
      Set(others).isSubset(of: [
        "five times", "a second response in chunks", "a format that cannot be searched",
        "behind damaged data",
        "a response behind chunks with a trailer", "deflate", "raw deflate behind the last chunk of deflate",
        "deflate, then deflate", "UTF-16 in gzip", "in chunks of two fields", "Base64 inside in lines",
      ]), "\(others)")
  }

  private static let others: [[UInt8]] = [
    coded + other, coded + other + other, coded + other + [0, 0, 0], coded + gzip(other),
    coded + other.dropLast(4),
    head("Content-Encoding: deflate\r\n") + deflated(Array("<p>hello</p>".utf8)),
    head("Content-Type: image/png\r\n") + Array("\u{89}PNG\r\n".utf8) + [
      0, 0, 0, 0x0D, 0x78, 0x9C, 0xFF, 0x1F, 0x8B, 0x09,
    ],
    head("Content-Type: application/octet-stream\r\n") + [0, 1, 2, 0xFF, 0x1F, 0x8B],
    head() + Array("v=\(base64(other)) H4sI and H4sIAAAA".utf8),
    head() + Array("The block of bzip2 begins with 1AY&SY.".utf8),
    coded + gzip(Array("var zip = 'PK\u{3}\u{4}';".utf8)),
  ]

  /// What can be searched as a whole stays, and so do files in which no compressed file starts.
  @Test(arguments: others.indices)
  func otherDataStays(_ index: Int) throws {
    let wire = Self.others[index]
    let captured = try exchange(received: wire)
    let redaction = CaptureRedaction(ofSecretsAlone: Self.secrets, in: [captured])
    #expect(redaction.redacted(captured).wire?.received == wire)
    #expect(redaction.remarks == [])
  }

  /// Private values are learnt from all data that can be decompressed; what cannot be is reported.
  @Test func whatIsNotSearchedIsReported() throws {
    let address = Self.gzip(Array("<p>a8:66:7f:12:34:56".utf8))
    let whole = CaptureRedaction(learningFrom: [try exchange(received: Self.coded + Self.gzip(address))])
    #expect(whole.remarks.count == 1 && whole.remarks[0].contains("stay: 1 hardware address."))
    let part = CaptureRedaction(learningFrom: [
      try exchange(received: Self.coded + Self.damaged(address, at: 8))
    ])
    #expect(
      part.remarks.first
        == "The content of http://probe.example/check is compressed (gzip) and was not searched, except for a part of it."
    )
    let none = CaptureRedaction(learningFrom: [
      try exchange(received: Self.head() + [0x28, 0xB5, 0x2F, 0xFD, 0])
    ])
    #expect(
      none.remarks == ["The content of http://probe.example/check is compressed (zstd) and was not searched."]
    )
  }

  /// The work is bounded if very many offsets look like the start of gzip, or are one.
  @Test func manyStartsAreSearched() throws {
    for content in [
      Array(String(repeating: "%2Bfiwg", count: 9000).utf8),
      Array(String(repeating: "+LCBBRhx", count: 9000).utf8),
      Array(repeatElement(Self.gzip([0x61]) + [0x61], count: 9000).joined()),
    ] {
      let captured = try exchange(received: Self.head() + content)
      let redaction = CaptureRedaction(ofSecretsAlone: Self.secrets, in: [captured])
      #expect(redaction.redacted(captured).wire?.received.count == Self.head().count + content.count)
    }
  }

  /// Data that decompresses to more than is searched is replaced, however it is nested, and the work is bounded.
  @Test func bombsAreReplaced() throws {
    let bomb = Self.gzip([UInt8](repeating: 0x20, count: 9 << 20))
    for content in [bomb, Self.gzip(bomb), Array("v=\(base64(bomb))".utf8)] {
      let captured = try exchange(received: Self.head() + content)
      let redaction = CaptureRedaction(ofSecretsAlone: Self.secrets, in: [captured])
      let redacted = redaction.redacted(captured).wire?.received ?? []
      #expect(redacted.dropFirst(Self.head().count + 2).allSatisfy { "x= ".utf8.contains($0) })
      #expect(redaction.remarks.count == 1)
    }
  }
}
