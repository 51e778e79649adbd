import Testing

@testable import Transports

/// Malicious bodies end at a limit, whatever their coding.
@Suite struct ContentBombTests {
  private static let bombs: [(name: String, bytes: [UInt8], codings: [String])] = [
    ("gzip in gzip", Packed.gzipTwice, ["gzip", "gzip"]), ("brotli", Packed.brotliZeros, ["br"]),
    ("zstd", Packed.zstdZeros, ["zstd"]),
  ]

  @Test(arguments: bombs.indices)
  func aBombEndsAtTheLimit(_ index: Int) {
    let (name, bytes, codings) = Self.bombs[index]
    for limit in [0, 1, 1000, 65536, 1 << 20] {
      let decoded = Decoded(bytes, codings, limit: limit)
      #expect(decoded.body == [UInt8](repeating: 0, count: limit) && decoded.isCut, "\(name), \(limit)")
    }
  }

  @Test func aBombWithoutALimitIsAnError() {
    for (name, bytes, codings) in Self.bombs where name != "zstd" {
      let decoded = Decoded(bytes, codings, limit: 1 << 30)
      #expect(decoded.codingError == .bomb && decoded.body.count == ContentDecoder.usualSize, "\(name)")
    }
    let (_, bytes, codings) = Self.bombs[2]
    let decoded = Decoded(bytes, codings, piece: 16, limit: 1 << 30)
    #expect(decoded.codingError == .bomb)
    #expect(decoded.body.count <= ContentDecoder.maximumRatio * bytes.count)
  }

  @Test func zerosInGzipAreNotABomb() {
    let inner = Decoded(Packed.gzipTwice, ["gzip"])
    #expect(inner.codingError == nil && inner.body.count > 10_000)
    let zeros = Decoded(inner.body, ["gzip"], piece: 1500, limit: 1 << 30)
    #expect(zeros.codingError == nil && zeros.body.count == 10 << 20)
  }

  @Test func intermediateContentIsBoundedToo() {
    // The inner stream has only empty blocks: its output would never reach the limit.
    let decoded = Decoded(Packed.emptyBlocks, ["gzip", "gzip"], limit: 1000)
    #expect(decoded.body.isEmpty && decoded.codingError == .tooLarge(.gzip))
    #expect(Decoded(Packed.emptyBlocks, ["gzip", "gzip"]).findings == [.cutShort(.gzip)])
  }

  @Test func mutationsNeverTrap() {
    var numbers = SeededNumbers(state: 1)
    for round in 0..<2000 {
      let coded = ContentDecoderTests.all[round % ContentDecoderTests.all.count]
      var bytes = coded.bytes
      for _ in 0...Int.random(in: 0..<4, using: &numbers) {
        let offset = Int.random(in: 0..<bytes.count, using: &numbers)
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
        case 1: bytes[offset] = UInt8.random(in: 0...255, using: &numbers)
        case 2: bytes.removeSubrange(offset..<min(bytes.count, offset + 3))
        default: bytes.insert(contentsOf: coded.bytes.prefix(offset), at: offset)
        }
        if bytes.isEmpty { break }
      }
      let limit = 5000
      let whole = Decoded(bytes, [coded.name], piece: max(1, bytes.count), limit: limit)
      let piece = Int.random(in: 1...100, using: &numbers)
      let other = Decoded(bytes, [coded.name], piece: piece, limit: limit)
      #expect(whole.body.count <= limit && other.body.count <= limit)
      switch coded.coding {
      case .gzip, .deflate: #expect(other == whole, "round \(round)")
      case .brotli, .zstd:
        #expect(
          other.body.starts(with: whole.body) || whole.body.starts(with: other.body), "round \(round)")
        if whole.codingError == nil, other.codingError == nil { #expect(other == whole, "round \(round)") }
      }
    }
  }
}

/// The same numbers in each run (SplitMix64).
private struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
