import ProbeBrotli
import ProbeCore
import ProbeUnpacking
import ProbeZlib

/// Decodes a body with the coding that a module expects, regardless of the server's Content-Encoding.
enum ModuleBody {
  /// The maximum size of a decoded body in bytes.
  static let most = 64 << 20

  /// Decodes a body.
  ///
  /// - Parameters:
  ///   - body: The body as received.
  ///   - coding: `gzip`, `deflate`, `br` or `identity`.
  ///   - limit: The maximum number of bytes to decode; one more is decoded if there are more.
  /// - Returns: The decoded body.
  /// - Throws: `InvalidInput` if it does not have this coding.
  static func decoded(_ body: [UInt8], by coding: String, limit: Int) throws(InvalidInput) -> [UInt8] {
    let unpacker: (any Unpacker)?
    switch coding.lowercased() {
    case "gzip": unpacker = Inflater(.gzip)
    case "deflate": unpacker = Inflater(.deflate)
    case "br": unpacker = BrotliDecoder()
    default: return body
    }
    guard let unpacker else { throw InvalidInput("there is no memory for the decoder") }
    let broken = InvalidInput("the body is not compressed with \(coding), or incomplete")
    var (decoded, place): ([UInt8], Int) = ([], 0)
    var room = [UInt8](repeating: 0, count: 32 * 1024)
    while decoded.count <= limit {
      let (count, state) = unpacker.unpack(body.span, &place, into: &room)
      decoded += room.prefix(min(count, limit + 1 - decoded.count))
      switch state {
      case .going:
        guard place == body.count, count < room.count else { continue }
        guard unpacker.isWhole else { throw broken }
        return decoded
      case .ended: return decoded
      case .broken, .noMemory: throw broken
      }
    }
    return decoded
  }
}
