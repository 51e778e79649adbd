internal import ProbeBase

/// Decodes chunked content (RFC 9112 §7.1), however the bytes are split on arrival.
///
/// It stores no bytes; it returns the ranges of the content in the bytes it is given.
package struct ChunkDecoder: Sendable {
  /// The next part of the message.
  package enum Piece: Hashable, Sendable {
    case content(Range<Int>)
    /// The end of the last chunk's line; the trailer section follows.
    case lastChunk
    /// The end of the trailer section.
    case end
    /// More bytes are needed.
    case needsMore
  }

  private enum State: Sendable {
    case size(digits: Int)
    /// After the digits of a size; if `isText` is true, an extension has begun.
    case sizeRest(isText: Bool)
    case sizeEnd
    case data
    case dataEnd
    case dataLineEnd
    case trailer(Line)
    case done
  }

  /// The position in a line of the trailer section.
  private enum Line: Sendable {
    case start
    case name
    case value
    /// After the CR of the line.
    case end(isEmpty: Bool)
  }

  /// The maximum length of a chunk extension in bytes, and the maximum excess of all sizes and extensions
  /// over content.
  static let maximumExtensionLength = 4096
  /// The maximum length of the trailer section in bytes.
  static let maximumTrailerLength = 16 * 1024

  private let reading: Reading
  private var state = State.size(digits: 0)
  /// The size of the chunk while it is read, then the number of missing bytes of the chunk.
  private var size = 0
  /// The number of bytes of the extension or the trailer section so far.
  private var overhead = 0
  /// The number of bytes by which the sizes and extensions so far exceed the content.
  private var excess = 0

  /// Creates a decoder for the content of one message.
  package init(_ reading: Reading) {
    self.reading = reading
  }

  /// A description of the missing part if the bytes end here, to follow "the content has"; nil if the content
  /// is complete.
  package var missing: String? {
    switch state {
    case .done: nil
    case .trailer: "no empty line at its end"
    case .data: "a chunk that is cut short"
    case .size, .sizeRest, .sizeEnd, .dataEnd, .dataLineEnd: "no last chunk"
    }
  }

  /// Decodes the next part of the bytes.
  ///
  /// - Parameters:
  ///   - bytes: Bytes of the message.
  ///   - position: The first byte that was not consumed; advanced past those that are, even if this method
  ///     throws.
  /// - Returns: The next part.
  /// - Throws: ``HTTPMessageError`` if the framing is not valid.
  package mutating func next(_ bytes: Span<UInt8>, _ position: inout Int) throws(HTTPMessageError) -> Piece {
    if case .done = state { return .end }
    while position < bytes.count {
      if case .data = state {
        let content = position..<(position + min(size, bytes.count - position))
        size -= content.count
        if size == 0 { state = .dataEnd }
        position = content.upperBound
        return .content(content)
      }
      let byte = bytes[position]
      position += 1
      switch state {
      case .size(let digits): try takeSize(byte, digits)
      case .sizeRest(let isText): try takeRest(byte, isText)
      case .sizeEnd:
        guard byte == UInt8(ascii: "\n") else {
          throw HTTPMessageError("a carriage return in a chunk's size")
        }
        try endSize()
      case .dataEnd where byte == UInt8(ascii: "\r"): state = .dataLineEnd
      case .dataEnd where reading == .strict: throw .wrongSize
      case .dataEnd, .dataLineEnd:
        guard byte == UInt8(ascii: "\n") else { throw .wrongSize }
        state = .size(digits: 0)
        size = 0
      case .trailer(let line):
        if try takeTrailer(byte, line) {
          state = .done
          return .end
        }
        continue
      case .data, .done: continue
      }
      if case .trailer = state { return .lastChunk }
    }
    return .needsMore
  }

  private mutating func takeSize(_ byte: UInt8, _ digits: Int) throws(HTTPMessageError) {
    if let digit = byte.hexDigitValue {
      guard size < 1 << 44, digits < Self.maximumExtensionLength else {
        throw HTTPMessageError("a chunk's size that is too large")
      }
      size = size << 4 | Int(widening: digit)
      state = .size(digits: digits + 1)
      return
    }
    guard digits > 0 else { throw HTTPMessageError("a chunk without a size") }
    overhead = digits
    state = .sizeRest(isText: false)
    try takeRest(byte, false)
  }

  private mutating func takeRest(_ byte: UInt8, _ isText: Bool) throws(HTTPMessageError) {
    overhead += 1
    guard overhead <= Self.maximumExtensionLength else {
      throw HTTPMessageError("a chunk extension that is too long")
    }
    switch byte {
    case UInt8(ascii: "\n"):
      // RFC 9112 §2.2 allows a lone LF after the start line and fields, but not here.
      if reading == .strict { throw HTTPMessageError("a chunk's size that ends without CRLF") }
      try endSize()
    case UInt8(ascii: "\r") where reading == .strict || !isText: state = .sizeEnd
    case UInt8(ascii: ";"): state = .sizeRest(isText: true)
    case UInt8(ascii: " "), UInt8(ascii: "\t"): break
    case _ where !isText: throw HTTPMessageError("a chunk's size that is no hexadecimal number")
    case 0x00..<0x20 where reading == .strict, 0x7F where reading == .strict:
      throw HTTPMessageError("a chunk extension that cannot be read")
    default: break
    }
  }

  private mutating func endSize() throws(HTTPMessageError) {
    // The usual few digits of a size are allowed, however little content there is.
    excess = max(0, excess + overhead - 16 - size)
    guard excess <= Self.maximumExtensionLength else {
      throw HTTPMessageError("chunk extensions that are longer than the content")
    }
    overhead = 0
    state = size == 0 ? .trailer(.start) : .data
  }

  /// Consumes a byte of the trailer section.
  ///
  /// - Returns: Whether it was the last byte.
  private mutating func takeTrailer(_ byte: UInt8, _ line: Line) throws(HTTPMessageError) -> Bool {
    overhead += 1
    guard overhead <= Self.maximumTrailerLength else {
      throw HTTPMessageError("too many trailer fields", status: 431)
    }
    switch (byte, line) {
    case (UInt8(ascii: "\n"), .start), (UInt8(ascii: "\n"), .end(isEmpty: true)): return true
    case (UInt8(ascii: "\n"), .name) where reading == .strict,
      (UInt8(ascii: "\r"), .name) where reading == .strict:
      throw HTTPMessageError("a trailer line that is no name and a colon")
    case (UInt8(ascii: "\n"), _): state = .trailer(.start)
    case (UInt8(ascii: "\r"), .start): state = .trailer(.end(isEmpty: true))
    case (UInt8(ascii: "\r"), .name), (UInt8(ascii: "\r"), .value): state = .trailer(.end(isEmpty: false))
    case (UInt8(ascii: "\r"), .end) where reading == .lenient: break
    case (_, .end) where reading == .strict: throw HTTPMessageError("a carriage return inside a trailer line")
    case (UInt8(ascii: ":"), .name): state = .trailer(.value)
    case (_, .start), (_, .name):
      guard byte.isTokenCharacter || reading == .lenient else {
        throw HTTPMessageError("a trailer line that is no name and a colon")
      }
      state = .trailer(.name)
    case (0x00..<0x09, .value), (0x0A..<0x20, .value), (0x7F, .value):
      if reading == .strict { throw HTTPMessageError("the control byte \(byte) in a trailer line") }
    default: state = .trailer(.value)
    }
    return false
  }
}

extension HTTPMessageError {
  fileprivate static var wrongSize: HTTPMessageError {
    HTTPMessageError("a chunk that is not as long as its size says")
  }
}
