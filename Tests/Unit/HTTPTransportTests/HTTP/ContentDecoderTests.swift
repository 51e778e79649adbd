import Testing

@testable import Transports

/// The result of decoding a body.
struct Decoded: Equatable {
  var body: [UInt8] = []
  var codingError: ContentDecoder.CodingError?
  var findings: [ContentDecoder.Finding] = []
  var isCut = false

  /// Decodes a body in pieces of this many bytes.
  init(
    _ bytes: [UInt8], _ codings: [String], piece: Int, limit: Int = 1 << 20, isAsBrowsers: Bool = false
  ) {
    var decoder = ContentDecoder(codings, limit: limit, isAsBrowsers: isAsBrowsers)
    do throws(ContentDecoder.CodingError) {
      for start in stride(from: 0, to: bytes.count, by: max(1, piece)) {
        let part = bytes.span.extracting(start..<min(start + piece, bytes.count))
        isCut = try decoder.take(part, into: &body) == .limitReached
        if isCut { break }
      }
      decoder.end()
    } catch {
      codingError = error
    }
    findings = decoder.findings
  }

  /// Decodes an entire body, which must have the same result as in pieces.
  init(_ bytes: [UInt8], _ codings: [String], limit: Int = 1 << 20, isAsBrowsers: Bool = false) {
    self.init(bytes, codings, piece: max(1, bytes.count), limit: limit, isAsBrowsers: isAsBrowsers)
    for piece in [1, 2, 7, 300] {
      let other = Decoded(bytes, codings, piece: piece, limit: limit, isAsBrowsers: isAsBrowsers)
      // At an error, the libraries for these two codings may withhold bytes that they have already decoded.
      if case .broken(let coding) = codingError, [.brotli, .zstd].contains(coding),
        other.codingError == codingError
      {
        let (short, long) = body.count < other.body.count ? (body, other.body) : (other.body, body)
        #expect(long.starts(with: short), "in pieces of \(piece)")
      } else {
        #expect(other == self, "in pieces of \(piece)")
      }
    }
  }

  init(body: [UInt8], findings: [ContentDecoder.Finding] = [], isCut: Bool = false) {
    (self.body, self.findings, self.isCut) = (body, findings, isCut)
  }
}

@Suite struct ContentDecoderTests {
  /// One body in each coding.
  struct Coded: CustomTestStringConvertible, Sendable {
    var coding: ContentDecoder.Coding
    var bytes: [UInt8]
    var testDescription: String { "\(coding), \(bytes.count) bytes" }
    var name: String { coding.rawValue }
  }

  static let all = [
    Coded(coding: .gzip, bytes: Packed.gzip), Coded(coding: .deflate, bytes: Packed.zlib),
    Coded(coding: .deflate, bytes: Packed.deflated), Coded(coding: .brotli, bytes: Packed.brotli),
    Coded(coding: .zstd, bytes: Packed.zstd),
  ]

  @Test(arguments: all)
  func everyCodingIsDecoded(_ coded: Coded) {
    #expect(Packed.text.count == 1092)
    #expect(Decoded(coded.bytes, [coded.name]) == Decoded(body: Packed.text))
    #expect(Decoded(coded.bytes, ["identity", coded.name, ""]) == Decoded(body: Packed.text))
  }

  @Test func xGzipIsGzip() {
    #expect(Decoded(Packed.gzip, ["x-gzip"]) == Decoded(body: Packed.text))
  }

  @Test(arguments: [[], ["identity"], [""], ["identity", "identity"]])
  func withoutCodingsTheBodyIsUnchanged(_ codings: [String]) {
    #expect(Decoded(Packed.gzip, codings) == Decoded(body: Packed.gzip))
    #expect(
      Decoded(Packed.gzip, codings, limit: 20) == Decoded(body: Array(Packed.gzip.prefix(20)), isCut: true))
    #expect(Decoded(Packed.gzip, codings, limit: Packed.gzip.count) == Decoded(body: Packed.gzip))
    #expect(Decoded([1], codings, limit: 0) == Decoded(body: [], isCut: true))
  }

  @Test(arguments: [["tea"], ["gzip", "tea"], ["tea", "gzip"], ["compress"], ["identity", "tea"]])
  func anUnknownCodingLeavesTheBodyUnchanged(_ codings: [String]) {
    let name = codings.first { $0 == "tea" } ?? "compress"
    #expect(
      Decoded(Packed.gzip, codings) == Decoded(body: Packed.gzip, findings: [.unknownCoding(name)]))
  }

  @Test func multipleCodingsAreDecodedInReverseOrder() {
    let stored = Self.stored(Packed.brotli)
    #expect(Decoded(stored, ["br", "deflate"]) == Decoded(body: Packed.text))
    #expect(
      Decoded(Self.stored(stored), ["br", "identity", "deflate", "deflate"]) == Decoded(body: Packed.text))
    #expect(Decoded(stored, ["deflate", "br"]).codingError == .broken(.brotli))
    #expect(
      Decoded(Self.stored(Packed.gzip.dropLast(20)), ["gzip", "deflate"]).findings == [.cutShort(.gzip)])
    #expect(
      Decoded(Array(Self.stored(Packed.gzip).dropLast(20)), ["gzip", "deflate"]).findings == [
        .cutShort(.deflate)
      ])
  }

  @Test func atMostFiveCodingsAreDecoded() {
    var bytes = Array("five".utf8)
    for _ in 0..<5 { bytes = Self.stored(bytes) }
    let codings = [String](repeating: "deflate", count: 5)
    #expect(Decoded(bytes, codings) == Decoded(body: Array("five".utf8)))
    #expect(Decoded(Self.stored(bytes), codings + ["deflate"]).codingError == .tooManyCodings(6))
    #expect(Decoded([], codings + ["gzip"]) == Decoded(body: []))
    // An unknown coding is not an error.
    #expect(Decoded(bytes, codings + ["gzip", "tea"]).findings == [.unknownCoding("tea")])
  }

  @Test(arguments: all)
  func aTruncatedBodyIsDecodedAsFarAsPossible(_ coded: Coded) {
    #expect(Decoded([], [coded.name]) == Decoded(body: []))
    for count in Array(1..<30) + Array(stride(from: 30, to: coded.bytes.count, by: 9)) + [
      coded.bytes.count - 1
    ] {
      let decoded = Decoded(Array(coded.bytes.prefix(count)), [coded.name])
      #expect(decoded.codingError == nil && Packed.text.starts(with: decoded.body), "\(count) bytes")
      #expect(decoded.findings == [.cutShort(coded.coding)], "\(count) bytes")
    }
    // A zstd block is decoded as a whole, and this body has only one.
    if coded.coding != .zstd { #expect(Decoded(coded.bytes.dropLast(9), [coded.name]).body.count > 1000) }
  }

  @Test(arguments: all)
  func bytesAfterTheEndAreReported(_ coded: Coded) {
    for more in [[0], Array("more".utf8), [UInt8](repeating: 0x1F, count: 2000)] {
      #expect(
        Decoded(coded.bytes + more, [coded.name])
          == Decoded(body: Packed.text, findings: [.trailingBytes(coded.coding)]))
    }
  }

  /// RFC 1952 §2.2: the decompressed members follow each other.
  @Test func everyMemberOfGzipIsDecoded() {
    let twice = Packed.text + Packed.text
    #expect(Decoded(Packed.gzip + Packed.gzip, ["gzip"]) == Decoded(body: twice))
    for more in [[0, 0], [0x1F], [0x1F, 0x8A], Array("more".utf8)] as [[UInt8]] {
      #expect(
        Decoded(Packed.gzip + Packed.gzip + more, ["gzip"])
          == Decoded(body: twice, findings: [.trailingBytes(.gzip)]), "\(more)")
    }
    for count in [2, 3, 9, 10, 30, Packed.gzip.count - 9, Packed.gzip.count - 1] {
      let cut = Decoded(Packed.gzip + Packed.gzip.prefix(count), ["gzip"])
      #expect(cut.findings == [.cutShort(.gzip)] && cut.codingError == nil, "\(count)")
      #expect(cut.body.starts(with: Packed.text) && twice.starts(with: cut.body), "\(count)")
    }
    let broken = Decoded(Packed.gzip + Packed.gzip.prefix(12) + [UInt8](repeating: 0xFF, count: 99), ["gzip"])
    #expect(broken.codingError == .broken(.gzip) && broken.body.starts(with: Packed.text))
    // Browsers decode the first one.
    #expect(
      Decoded(Packed.gzip + Packed.gzip, ["gzip"], isAsBrowsers: true)
        == Decoded(body: Packed.text, findings: [.trailingBytes(.gzip)]))
  }

  @Test func everyFrameOfZstdIsDecoded() {
    let skipped: [UInt8] = [0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
    #expect(
      Decoded(skipped + Packed.zstd + skipped + Packed.zstd, ["zstd"])
        == Decoded(body: Packed.text + Packed.text))
    #expect(
      Decoded(Packed.zstd + skipped.dropLast(), ["zstd"])
        == Decoded(body: Packed.text, findings: [.cutShort(.zstd)]))
  }

  /// RFC 1952 §2.3.1; browsers do not compare it.
  @Test func aWrongGzipChecksumIsAnError() {
    for distance in 1...8 {
      var bytes = Packed.gzip
      bytes[bytes.count - distance] ^= 1
      for member in [bytes, Packed.gzip + bytes, bytes + Packed.gzip] {
        let decoded = Decoded(member, ["gzip"])
        #expect(decoded.codingError == .wrongChecksum && decoded.body.starts(with: Packed.text))
      }
      #expect(
        Decoded(bytes, ["gzip"], isAsBrowsers: true)
          == Decoded(body: Packed.text, findings: [.wrongChecksum]))
    }
    #expect(
      "\(ContentDecoder.CodingError.wrongChecksum)" == "the checksum of the body's gzip coding is wrong")
  }

  @Test func deviationsAreReportedOnce() {
    var inner = Packed.gzip
    inner[inner.count - 1] ^= 1
    // A block of uncompressed bytes, between the head and an invalid trailer.
    let outer =
      Array(Packed.gzip.prefix(10) + Self.stored(inner).dropFirst(2).dropLast(4)) + [0, 0, 0, 0, 0, 0, 0, 0]
    #expect(
      Decoded(outer, ["gzip", "gzip"], isAsBrowsers: true)
        == Decoded(body: Packed.text, findings: [.wrongChecksum]))
  }

  @Test func aWrongZlibOrZstdChecksumIsAnError() {
    var bytes = Packed.zlib
    bytes[bytes.count - 1] ^= 1
    let decoded = Decoded(bytes, ["deflate"])
    #expect(decoded.body == Packed.text && decoded.codingError == .broken(.deflate))
    bytes = Packed.zstd
    bytes[bytes.count - 1] ^= 1
    #expect(Decoded(bytes, ["zstd"]).codingError == .broken(.zstd))
  }

  @Test(arguments: all)
  func bytesInAnotherFormatAreAnError(_ coded: Coded) {
    for text in ["no such coding, but a text", "<!DOCTYPE html><html>", "\u{1}\u{2}"] {
      let decoded = Decoded(Array(text.utf8) + [0xFF, 0xFF, 0xFF], [coded.name])
      #expect(decoded.codingError == .broken(coded.coding), "\(text)")
    }
    #expect(
      "\(ContentDecoder.CodingError.broken(coded.coding))" == "the body's \(coded.name) coding is broken")
  }

  @Test(arguments: all)
  func anErrorIsPermanent(_ coded: Coded) {
    var decoder = ContentDecoder([coded.name], limit: 1 << 20)
    var body: [UInt8] = []
    for bytes in [[0xFF, 0xFF, 0xFF, 0xFF, 0xFF], coded.bytes] {
      #expect(throws: ContentDecoder.CodingError.broken(coded.coding)) {
        _ = try decoder.take(bytes.span, into: &body)
      }
    }
    decoder.end()
    #expect(body.isEmpty && decoder.findings.isEmpty)
  }

  @Test(arguments: all)
  func bytesDecodedBeforeAnErrorAreKept(_ coded: Coded) {
    // A third of it, followed by bytes that cannot start a block.
    let broken = coded.bytes.prefix(coded.bytes.count / 3) + [UInt8](repeating: 0xFF, count: 1000)
    let decoded = Decoded(Array(broken), [coded.name], piece: 50)
    #expect(decoded.codingError == .broken(coded.coding) || decoded.body.count > 100)
    if coded.coding != .zstd { #expect(!decoded.body.isEmpty) }
  }

  @Test func zstdBlocksBeforeAnErrorAreKept() {
    // A raw block of five bytes, and one of the reserved type (RFC 8878 §3.1.1.2.2).
    let blocks = [0x28, 0, 0] + Array("hello".utf8) + [7, 0, 0]
    let decoded = Decoded([0x28, 0xB5, 0x2F, 0xFD, 0, 0] + blocks, ["zstd"], piece: 14)
    #expect(decoded.body == Array("hello".utf8) && decoded.codingError == .broken(.zstd))
  }

  @Test(arguments: all)
  func theLimitIsExact(_ coded: Coded) {
    for limit in [0, 1, 2, 3, 100, 1000, 1091] {
      #expect(
        Decoded(coded.bytes, [coded.name], limit: limit)
          == Decoded(body: Array(Packed.text.prefix(limit)), isCut: true))
    }
    #expect(Decoded(coded.bytes, [coded.name], limit: 1092) == Decoded(body: Packed.text))
  }

  @Test func windowsBeyondTheLimitsOfHTTPAreRefused() {
    // A header without a content size, a window, and one last raw block of five bytes.
    func frame(window: UInt8) -> [UInt8] {
      [0x28, 0xB5, 0x2F, 0xFD, 0, window, 0x29, 0, 0] + Array("hello".utf8)
    }
    #expect(Decoded(frame(window: 13 << 3), ["zstd"]) == Decoded(body: Array("hello".utf8)))
    #expect(Decoded(frame(window: 13 << 3 | 1), ["zstd"]).codingError == .broken(.zstd))
    #expect(Decoded(frame(window: 14 << 3), ["zstd"]).codingError == .broken(.zstd))
    // The formats before the standard, which the library may read with larger windows.
    for version in 0x22...0x27 as ClosedRange<UInt8> {
      #expect(Decoded([version] + Packed.zstd.dropFirst(), ["zstd"]).codingError == .broken(.zstd))
    }
    // Brotli's "large window", which HTTP does not have.
    #expect(Decoded([0x11, 0x1E, 0, 0, 0, 0], ["br"]).codingError == .broken(.brotli))
  }

  /// A zlib stream of uncompressed bytes.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var (first, second) = (1, 0)
    for byte in bytes {
      first = (first + Int(byte)) % 65521
      second = (second + first) % 65521
    }
    let length = UInt16(bytes.count)
    return [
      0x78, 0x01, 1, UInt8(length & 0xFF), UInt8(length >> 8), ~UInt8(length & 0xFF), ~UInt8(length >> 8),
    ]
      + bytes + [second >> 8, second & 0xFF, first >> 8, first & 0xFF].map { UInt8($0) }
  }
}
