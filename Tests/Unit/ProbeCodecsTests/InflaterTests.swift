import Testing
import ProbeCodecs

/// The compressed bytes are from Python's gzip and zlib modules.
@Suite struct InflaterTests {
  /// `probe` as a gzip member with a header field of each kind.
  private static let fullHead: [UInt8] =
    [0x1F, 0x8B, 0x08, 0x1F, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03]
    + [0x03, 0x00, 0x61, 0x62, 0x63] + Array("name\0comment\0".utf8) + [0xFB, 0x97]
    + deflated + [0x2A, 0x6F, 0x5E, 0xD7, 0x05, 0x00, 0x00, 0x00]
  private static let deflated: [UInt8] = [0x2B, 0x28, 0xCA, 0x4F, 0x4A, 0x05, 0x00]
  private static let zlib: [UInt8] = [0x78, 0x9C] + deflated + [0x06, 0x73, 0x02, 0x19]

  /// Decompresses bytes in pieces, with output buffers of a given size.
  private func unpacked(
    _ bytes: [UInt8], _ format: Inflater.Format, checksHead: Bool = true, piece: Int, room: Int = 3
  ) throws -> (text: String, state: UnpackingState, isWhole: Bool, hasWrongChecksum: Bool) {
    let inflater = try #require(Inflater(format, checksHead: checksHead))
    var (text, room, state): ([UInt8], [UInt8], UnpackingState) = (
      [], [UInt8](repeating: 0, count: room), .running
    )
    for start in stride(from: 0, to: bytes.count, by: piece) {
      let part = Array(bytes[start..<min(start + piece, bytes.count)])
      var (offset, count) = (0, 0)
      repeat {
        (count, state) = inflater.unpack(part.span, &offset, into: &room)
        text += room.prefix(count)
      } while state == .running && (offset < part.count || count == room.count)
      if state != .running { break }
    }
    return (String(decoding: text, as: UTF8.self), state, inflater.isWhole, inflater.hasWrongChecksum)
  }

  @Test(arguments: [1, 2, 5, 100])
  func everyFormatIsUnpackedInPiecesOfAnySize(_ piece: Int) throws {
    for (bytes, format) in [
      (Self.fullHead, .gzip), (Self.zlib, .zlib), (Self.zlib, .deflate), (Self.deflated, .deflate),
    ] as [([UInt8], Inflater.Format)] {
      let seen = try unpacked(bytes, format, piece: piece)
      #expect(seen.text == "probe", "\(format)")
      #expect(seen.state == .ended, "\(format)")
      #expect(seen.isWhole && !seen.hasWrongChecksum, "\(format)")
    }
  }

  @Test(arguments: [1, 2, 5, 100])
  func aWrongTrailerIsReportedForGzipAndAnErrorForZlib(_ piece: Int) throws {
    for position in 1...8 {
      var bytes = Self.fullHead
      bytes[bytes.count - position] ^= 0x40
      let seen = try unpacked(bytes, .gzip, piece: piece)
      #expect(seen.text == "probe" && seen.state == .ended && seen.hasWrongChecksum, "byte \(position)")
    }
    let seen = try unpacked(Self.zlib.dropLast() + [0], .deflate, piece: piece)
    #expect(seen.text == "probe" && seen.state == .broken && !seen.isWhole)
  }

  @Test(arguments: [1, 2, 5, 100])
  func aWrongChecksumOfTheHeadIsAnErrorUnlessItIsIgnored(_ piece: Int) throws {
    var bytes = Self.fullHead
    bytes[28] ^= 1
    #expect(try unpacked(bytes, .gzip, piece: piece).state == .broken)
    #expect(try unpacked(bytes, .gzip, checksHead: false, piece: piece).text == "probe")
    let file = try #require(GzipFile())
    var (offset, room) = (0, [UInt8](repeating: 0, count: 100))
    #expect(file.unpack(bytes.span, &offset, into: &room) == (0, .broken))
  }

  @Test(arguments: [1, 2, 5, 100])
  func otherFormatsAreRefused(_ piece: Int) throws {
    for format in [Inflater.Format.gzip, .zlib, .deflate] {
      #expect(try unpacked(Array("no such thing".utf8), format, piece: piece).state == .broken, "\(format)")
    }
    // A zlib stream that needs a dictionary.
    #expect(try unpacked([0x78, 0xBB, 0, 0, 0, 1, 3, 0], .deflate, piece: piece).state == .broken)
  }

  @Test func restartsWithTheNextMember() throws {
    let inflater = try #require(Inflater(.gzip))
    var room = [UInt8](repeating: 0, count: 100)
    for _ in 0..<2 {
      var offset = 0
      #expect(inflater.unpack(Self.fullHead.span, &offset, into: &room) == (5, .ended))
      #expect(inflater.restart())
    }
  }
}
