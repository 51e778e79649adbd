internal import ProbeCore

/// Takes content in chunks apart (RFC 9112 §7.1), byte by byte; extensions and trailer fields are left out.
struct ChunkReader {
  private enum State {
    case size(Int, digits: Int)
    case sizeExtension(Int)
    case sizeEnd(Int)
    case data(Int)
    case dataEnd
    case dataLineEnd
    case trailer(lineLength: Int)
  }

  private static let longestExtension = 4096
  private static let longestTrailer = 16 * 1024

  private var state = State.size(0, digits: 0)
  private var overhead = 0

  /// Takes one byte; content goes into the body.
  ///
  /// - Returns: Whether that was the last byte of the content.
  /// - Throws: ``MalformedRequest`` when it is no such framing.
  mutating func take(_ byte: UInt8, into body: inout [UInt8]) throws(MalformedRequest) -> Bool {
    switch state {
    case .size(let size, let digits): try takeSize(byte, size, digits)
    case .sizeExtension(let size):
      overhead += 1
      guard overhead <= Self.longestExtension, byte >= 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
      else {
        throw MalformedRequest("a chunk extension that cannot be read")
      }
      if byte == UInt8(ascii: "\r") { state = .sizeEnd(size) }
      if byte == UInt8(ascii: "\n") { beginData(size) }
    case .sizeEnd(let size):
      guard byte == UInt8(ascii: "\n") else { throw MalformedRequest("a carriage return in a chunk's size") }
      beginData(size)
    case .data(let missing):
      body.append(byte)
      state = missing == 1 ? .dataEnd : .data(missing - 1)
    case .dataEnd where byte == UInt8(ascii: "\r"): state = .dataLineEnd
    case .dataEnd, .dataLineEnd:
      guard byte == UInt8(ascii: "\n") else { throw MalformedRequest("a chunk that is longer than its size") }
      state = .size(0, digits: 0)
    case .trailer(let length):
      overhead += 1
      guard overhead <= Self.longestTrailer else {
        throw MalformedRequest("too many trailer fields", status: 431)
      }
      if byte == UInt8(ascii: "\n") {
        if length == 0 { return true }
        state = .trailer(lineLength: 0)
      } else if byte != UInt8(ascii: "\r") {
        state = .trailer(lineLength: length + 1)
      }
    }
    return false
  }

  private mutating func takeSize(_ byte: UInt8, _ size: Int, _ digits: Int) throws(MalformedRequest) {
    if let digit = byte.hexDigitValue {
      guard digits < 12 else { throw MalformedRequest("a chunk's size that is too large") }
      state = .size(size << 4 | Int(digit), digits: digits + 1)
      return
    }
    guard digits > 0 else { throw MalformedRequest("a chunk without a size") }
    switch byte {
    case UInt8(ascii: "\r"): state = .sizeEnd(size)
    case UInt8(ascii: "\n"): beginData(size)
    case UInt8(ascii: ";"), UInt8(ascii: " "), UInt8(ascii: "\t"): state = .sizeExtension(size)
    default: throw MalformedRequest("a chunk's size that is no hexadecimal number")
    }
  }

  private mutating func beginData(_ size: Int) {
    overhead = 0
    state = size == 0 ? .trailer(lineLength: 0) : .data(size)
  }
}
