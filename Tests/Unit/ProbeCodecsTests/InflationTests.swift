import Testing
import ProbeCodecs

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
    for packed in [Self.member, Self.stream, Array(Self.stream.dropFirst(2).dropLast(4))] {
      let result = Inflation.unpack(packed, limit: 100)
      #expect(result.bytes == Array("probe".utf8))
      #expect(result.position == packed.count && result.dataError == nil)
    }
  }

  @Test func unpacksAllMembers() {
    #expect(Inflation.unpack(Self.member + Self.member, limit: 100).bytes == Array("probeprobe".utf8))
  }

  @Test func respectsTheLimit() {
    #expect(Inflation.unpack(Self.member, limit: 3).bytes == Array("pro".utf8))
    #expect(Inflation.unpack(Self.member + Self.member, limit: 7).bytes == Array("probepr".utf8))
  }

  @Test func readsBrokenInputUpToTheError() {
    let cut = Inflation.unpack(Array(Self.member.dropLast(9)), limit: 100)
    #expect(cut.bytes == Array("probe".utf8) && cut.dataError == .cut)
    var wrong = Self.member
    wrong[wrong.count - 1] ^= 1
    let damaged = Inflation.unpack(wrong + Self.member, limit: 100)
    #expect(damaged.bytes == Array("probe".utf8) && damaged.dataError == .damaged)
  }

  /// Data within other bytes ends where the others start again.
  @Test(arguments: [member, stream]) func theEndIsReported(_ packed: [UInt8]) {
    for behind in [[], Array("rest".utf8), [0, 0], [0x1F], [0x1F, 0x8B]] as [[UInt8]] {
      let result = Inflation.unpack([1, 2, 3] + packed + behind, from: 3, limit: 100)
      #expect(result.bytes == Array("probe".utf8))
      #expect(result.position == 3 + packed.count && result.dataError == nil)
    }
  }

  @Test func uncompressedInputIsDamaged() {
    for bytes in [Array("<html>".utf8), []] {
      let result = Inflation.unpack(bytes, limit: 100)
      #expect(result.bytes.isEmpty && result.dataError == .damaged)
    }
  }
}
