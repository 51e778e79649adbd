internal import ProbeCore
internal import ProbeCodecs

/// Compressed data in a content, decompressed as far as possible.
struct PackedData {
  /// Its range in the content.
  var range: Range<Int>
  /// The name of its coding, as declared or as its first bytes show.
  var coding: String
  /// The decompressed texts: its own, and those that are compressed in it in turn.
  var texts: [[UInt8]] = []
  /// Whether nothing of it remains compressed.
  var isSearched = false

  /// The bytes of the budget that each decompression takes at least, so that their number is bounded too.
  private static let minimumCost = 1024
  /// The minimum size of a gzip file with content; less cannot hide one.
  private static let minimumFile = 20
  /// How often data is decompressed that was compressed several times.
  private static let depth = 4

  /// Formats by their first bytes; only gzip is decompressed.
  ///
  /// Those of other files that contain compressed parts, such as PNG, PDF and WOFF, are not among them.
  private static let formats: [(coding: String, start: [UInt8])] = [
    ("gzip", Inflation.gzipStart), ("zstd", [0x28, 0xB5, 0x2F, 0xFD]), ("bzip2", Array("BZh".utf8)),
    ("xz", [0xFD] + Array("7zXZ\0".utf8)), ("lz4", [0x04, 0x22, 0x4D, 0x18]),
    ("zip", Array("PK\u{3}\u{4}".utf8)),
    ("7z", Array("7z".utf8) + [0xBC, 0xAF, 0x27, 0x1C]),
  ]
  private static let canStart = (0...UInt8.max).map { byte in formats.contains { $0.start.first == byte } }

  /// Finds all compressed data in a content.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - codings: The codings that are declared for it, in the order in which they were applied.
  ///   - budget: The number of bytes that may be decompressed, which is decreased by those that are.
  /// - Returns: The data, in the order of the content. The last one extends to the end if that cannot be read.
  static func find(in bytes: [UInt8], codings: [String] = [], budget: inout Int) -> [PackedData] {
    find(in: bytes, codings, &budget, depth: depth)
  }

  private static func find(
    in bytes: [UInt8], _ codings: [String], _ budget: inout Int, depth: Int
  ) -> [PackedData] {
    var found: [PackedData] = []
    if let data = declared(in: bytes, codings, &budget, depth: depth) { found.append(data) }
    while true {
      let end = found.last?.range.upperBound ?? 0
      let next = start(in: bytes, from: end)
      // Behind compressed data, there is no other binary data: it may be compressed as well.
      if !found.isEmpty, !isPlain(bytes[end..<(next?.offset ?? bytes.count)]) {
        return found + [PackedData(range: end..<bytes.count, coding: found[0].coding)]
      }
      guard let next else { return found }
      var data = PackedData(range: next.offset..<bytes.count, coding: next.coding)
      if next.coding == "gzip" { data.unpack(bytes, [], &budget, depth: depth) }
      found.append(data)
    }
  }

  /// The data at the start of a content with a declared coding, or with the start of a zlib stream.
  private static func declared(
    in bytes: [UInt8], _ codings: [String], _ budget: inout Int, depth: Int
  ) -> PackedData? {
    guard !bytes.isEmpty else { return nil }
    // Without a dictionary, which nobody has.
    let isZlib = bytes.count > 1 && Inflation.startsZlib(bytes[0], bytes[1]) && bytes[1] & 0x20 == 0
    let known = isZlib ? "deflate" : bytes.starts(with: [0x1F, 0x9D]) ? "compress" : nil
    guard let coding = codings.last ?? known else { return nil }
    var data = PackedData(range: bytes.indices, coding: String(coding.prefix(20)))
    let canUnpack = ["gzip", "x-gzip", "deflate"].contains(coding)
    let dataError = canUnpack ? data.unpack(bytes, codings.dropLast(), &budget, depth: depth) : .damaged
    // Text is searched as it is, unless it is compressed as a whole.
    if dataError != nil, isText(bytes[...]) { return nil }
    return codings.isEmpty && canUnpack && data.texts.isEmpty ? nil : data
  }

  /// Decompresses it, and what is compressed in it.
  @discardableResult
  private mutating func unpack(
    _ bytes: [UInt8], _ codings: [String], _ budget: inout Int, depth: Int
  ) -> Inflation.DataError? {
    guard depth > 0, budget > 0 else { return .damaged }
    let result = Inflation.unpack(bytes, from: range.lowerBound, limit: budget)
    budget -= max(result.bytes.count, Self.minimumCost)
    // Of data that is cut, everything that is there is decompressed, unless the head of the file hides something.
    let isOnlyHead = result.dataError == .cut && result.bytes.isEmpty && range.count > Self.minimumFile
    isSearched = result.dataError != .damaged && budget > 0 && !isOnlyHead && !hasExtraField(bytes)
    if isSearched, result.dataError == nil { range = range.lowerBound..<result.position }
    texts = result.bytes.isEmpty ? [] : [result.bytes]
    for inner in Self.find(in: result.bytes, codings, &budget, depth: depth - 1) {
      texts += inner.texts
      isSearched = isSearched && inner.isSearched
    }
    return result.dataError
  }

  /// Whether it is gzip with an extra field (RFC 1952 §2.3.1.1), which can contain anything.
  private func hasExtraField(_ bytes: [UInt8]) -> Bool {
    let start = bytes[range.lowerBound...].prefix(4)
    return start.count == 4 && start.starts(with: Inflation.gzipStart) && start[range.lowerBound + 3] & 4 != 0
  }

  /// The first offset from which a file of one of the formats may start.
  private static func start(in bytes: [UInt8], from start: Int) -> (offset: Int, coding: String)? {
    for offset in start..<bytes.count where canStart[Int(widening: bytes[offset])] {
      let rest = bytes[offset...]
      guard let format = formats.first(where: { rest.starts(with: $0.start) }) else { continue }
      // The block size and the first block of bzip2; the version that a zip file needs, which is below 256.
      if format.coding == "bzip2", !rest.dropFirst(4).starts(with: "1AY&SY".utf8) { continue }
      if format.coding == "zip", rest.count > 5, rest[offset + 5] != 0 { continue }
      // Flags that gzip does not have (RFC 1952 §2.3.1).
      if format.coding == "gzip", rest.count > 3, rest[offset + 3] >= 0x20 { continue }
      return (offset, format.coding)
    }
    return nil
  }

  /// Whether bytes are text, or padding.
  private static func isPlain(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy { $0 == 0 } || isText(bytes)
  }

  private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
  }
}
