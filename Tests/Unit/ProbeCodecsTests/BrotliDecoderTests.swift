import ProbeCodecs
import Testing

/// The compressed bytes are from the program `brotli`.
@Suite struct BrotliDecoderTests {
  /// The output of `printf probe | brotli -c`.
  private static let packed: [UInt8] = [0x0f, 0x02, 0x80, 0x70, 0x72, 0x6f, 0x62, 0x65, 0x03]

  @Test(arguments: [1, 100])
  func unpacksAStream(_ size: Int) throws {
    let decoder = try #require(BrotliDecoder())
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

  @Test func inputThatIsNotAStreamIsRefused() throws {
    let decoder = try #require(BrotliDecoder())
    var (room, offset) = ([UInt8](repeating: 0, count: 10), 0)
    #expect(decoder.unpack(Array("<html>".utf8).span, &offset, into: &room).state == .broken)
    #expect(!decoder.isWhole)
  }
}
