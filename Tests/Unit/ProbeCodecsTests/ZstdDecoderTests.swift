import Testing
import ProbeCodecs

/// The compressed bytes are from the program `zstd`.
@Suite struct ZstdDecoderTests {
  /// The output of `printf probe | zstd -c`.
  private static let packed: [UInt8] = [
    0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58, 0x29, 0x00, 0x00, 0x70, 0x72, 0x6f, 0x62, 0x65, 0xfb, 0xb3, 0xaa,
    0xa9,
  ]

  @Test(arguments: [1, 100])
  func unpacksAFrame(_ size: Int) throws {
    let decoder = try #require(ZstdDecoder())
    var (room, offset, text): ([UInt8], Int, [UInt8]) = ([UInt8](repeating: 0, count: size), 0, [])
    var state = UnpackingState.running
    while state == .running, text.count < 100 {
      let (count, now) = decoder.unpack((Self.packed + [7]).span, &offset, into: &room)
      text += room.prefix(count)
      state = now
    }
    #expect(text == Array("probe".utf8))
    #expect(state == .ended && decoder.isWhole && offset == Self.packed.count)
  }

  @Test func inputThatIsNotAFrameIsRefused() throws {
    let decoder = try #require(ZstdDecoder())
    var (room, offset) = ([UInt8](repeating: 0, count: 10), 0)
    #expect(decoder.unpack(Array("<html>".utf8).span, &offset, into: &room).state == .broken)
    #expect(!decoder.isWhole)
  }
}
