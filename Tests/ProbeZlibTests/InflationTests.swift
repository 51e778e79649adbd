import Testing
import ProbeZlib

/// The compressed bytes are from Python's gzip and zlib modules.
@Suite struct InflationTests {
  /// `probe` as a gzip member.
  private static let member: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x2b, 0x28, 0xca, 0x4f, 0x4a, 0x05, 0x00,
    0x2a, 0x6f, 0x5e, 0xd7, 0x05, 0x00, 0x00, 0x00,
  ]
  /// `probe` as a zlib stream.
  private static let stream: [UInt8] = [
    0x78, 0x9c, 0x2b, 0x28, 0xca, 0x4f, 0x4a, 0x05, 0x00, 0x06, 0x73, 0x02, 0x19,
  ]

  @Test func unpacksGzipAndZlib() {
    #expect(Inflation.unpacked(Self.member, limit: 100) == Array("probe".utf8))
    #expect(Inflation.unpacked(Self.stream, limit: 100) == Array("probe".utf8))
  }

  @Test func unpacksAllMembers() {
    #expect(Inflation.unpacked(Self.member + Self.member, limit: 100) == Array("probeprobe".utf8))
  }

  @Test func respectsTheLimit() {
    #expect(Inflation.unpacked(Self.member, limit: 3) == Array("pro".utf8))
    #expect(Inflation.unpacked(Self.member + Self.member, limit: 7) == Array("probepr".utf8))
  }

  @Test func readsBrokenInputUpToTheError() {
    #expect(Inflation.unpacked(Array(Self.member.dropLast(9)), limit: 100) == Array("probe".utf8))
    #expect(Inflation.unpacked(Self.member + Array("rest".utf8), limit: 100) == Array("probe".utf8))
  }

  @Test func uncompressedInputYieldsNil() {
    #expect(Inflation.unpacked(Array("<html>".utf8), limit: 100) == nil)
    #expect(Inflation.unpacked([], limit: 100) == nil)
  }
}
