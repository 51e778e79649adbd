internal import ProbeCore

/// Content in chunks (RFC 9112 §7.1): where the content's own bytes are between the sizes.
enum ChunkedContent {
  /// The places of the content's bytes, one after the other, whatever the chunks.
  ///
  /// - Parameters:
  ///   - wire: All bytes.
  ///   - start: Where the first chunk's size is.
  /// - Returns: The parts of the content, and where what follows the last chunk starts. Where the framing is broken,
  ///   all that follows is content.
  static func parts(of wire: [UInt8], from start: Int) -> (content: [Range<Int>], end: Int) {
    var content: [Range<Int>] = []
    var index = start
    while index < wire.count {
      guard let (size, data) = size(in: wire, at: index) else {
        return (content + [index..<wire.count], wire.count)
      }
      if size == 0 { return (content, data) }
      let end = min(wire.count, data.addingReportingOverflow(size).overflow ? wire.count : data + size)
      content.append(data..<end)
      index = end
      if index < wire.count, wire[index] == UInt8(ascii: "\r") { index += 1 }
      if index < wire.count, wire[index] == UInt8(ascii: "\n") { index += 1 }
    }
    return (content, wire.count)
  }

  /// A chunk's size, and where its data starts; nil where there is none.
  private static func size(in wire: [UInt8], at start: Int) -> (size: Int, data: Int)? {
    var index = start
    var size = 0
    while index < wire.count, let digit = wire[index].hexDigitValue {
      guard index - start < 12 else { return nil }
      size = size << 4 | Int(digit)
      index += 1
    }
    guard index > start else { return nil }
    // An extension, or the end of the line.
    guard let end = wire[index...].prefix(4096).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let isClean = index == end || "\r; \t".utf8.contains(wire[index])
    return isClean ? (size, end + 1) : nil
  }
}
