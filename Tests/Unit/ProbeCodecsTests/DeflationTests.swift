import ProbeCodecs
import Testing

@Suite struct DeflationTests {
  @Test(arguments: [0, 1, 255, 256, 257, 511, 512, 4096, 40_000, 1_000_000])
  func deflatedBytesCanBeInflated(_ count: Int) throws {
    var number: UInt32 = 7
    let random = (0..<count).map { _ in
      number = number &* 1_664_525 &+ 1_013_904_223
      return UInt8(number >> 24)
    }
    let text = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 16 % 64 + 32) }
    for bytes in [random, text] {
      let packed = try #require(Deflation.gzip(bytes))
      #expect(packed.starts(with: [0x1F, 0x8B]))
      #expect(packed.count <= bytes.count + bytes.count / 1000 + 64)
      #expect(Inflation.unpack(packed, limit: count + 1).bytes == bytes)
    }
    if count >= 4096 { #expect(try #require(Deflation.gzip(text)).count < count / 4) }
  }
}
