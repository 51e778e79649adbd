internal import HTTPWire

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
    // The broken size, or the one that is cut short, may be a word.
    var rest: Range<Int> { (content.last?.upperBound ?? start)..<wire.count }
    var (chunks, place) = (ChunkDecoder(.lenient), start)
    do throws(WireFault) {
      while true {
        switch try chunks.next(wire.span, &place) {
        case .content(let bytes): content.append(bytes)
        case .lastChunk, .end: return (content, place)
        case .needsMore: return (content + [rest], wire.count)
        }
      }
    } catch {
      return (content + [rest], wire.count)
    }
  }
}
