import ProbeCodecs
import ProbeCore

/// The body of a response: its bytes as far as something reads them, and their number.
///
/// It is decoded with the coding that a module expects, regardless of the server's Content-Encoding.
struct ModuleBody {
  /// The maximum size of a decoded body in bytes.
  static let maximumSize = 64 << 20
  /// The number of bytes that are decoded before other probes have their turn.
  private static let maximumInTurn = 256 << 10

  /// The bytes; empty if only their number is needed.
  var bytes: [UInt8]
  /// The number of bytes.
  var count: Int

  /// Decodes a body.
  ///
  /// - Parameters:
  ///   - body: The body as received.
  ///   - coding: `gzip`, `deflate`, `br` or `identity`.
  ///   - limit: The maximum number of bytes to decode; one more is decoded if there are more.
  ///   - keepsBytes: Whether the decoded bytes are kept; otherwise they are only counted.
  ///   - account: The memory of the probe.
  ///   - deadline: The deadline of the probe.
  /// - Returns: The decoded body.
  /// - Throws: `ProbeFailure`: `body.encoding` if it does not have this coding, `local.memory` if there is no
  ///   memory for it, or none in time.
  static func decoded(
    _ body: [UInt8], by coding: String, limit: Int, keepsBytes: Bool, _ account: BodyAccount,
    by deadline: ContinuousClock.Instant
  ) async throws(ProbeFailure) -> ModuleBody {
    let unpacker: (any Unpacker)?
    switch coding.lowercased() {
    case "gzip": unpacker = GzipFile()
    case "deflate": unpacker = Inflater(.deflate)
    case "br": unpacker = BrotliDecoder()
    default: return ModuleBody(bytes: body, count: body.count)
    }
    guard let unpacker else { throw ProbeFailure(.noMemory, "there is no memory for the decoder") }
    let broken = ProbeFailure(
      .bodyEncoding, "the body is not compressed with \(coding), or incomplete")
    var decoded = ModuleBody(bytes: [], count: 0)
    var (offset, turn) = (0, 0)
    var room = [UInt8](repeating: 0, count: 32 * 1024)
    while decoded.count <= limit {
      let (count, state) = unpacker.unpack(body.span, &offset, into: &room)
      let taken = min(count, limit + 1 - decoded.count)
      if keepsBytes {
        guard await account.provide(decoded.count + taken, by: deadline) else {
          throw account.shortage ?? .noMemoryInTime
        }
        decoded.bytes += room.prefix(taken)
      }
      decoded.count += taken
      switch state {
      case .going:
        guard offset == body.count, count < room.count else { break }
        guard unpacker.isWhole, !unpacker.hasOtherBytesBehind else { throw broken }
        return decoded
      case .ended:
        guard !unpacker.hasOtherBytesBehind else { throw broken }
        return decoded
      case .broken, .noMemory: throw broken
      }
      turn += count
      guard turn >= maximumInTurn else { continue }
      turn = 0
      await Task.yield()
      guard deadline > .now else {
        throw ProbeFailure(.totalTimeout, "the time passed while the body was decoded")
      }
    }
    return decoded
  }
}

extension Unpacker {
  /// Whether bytes follow gzip data that are not another member, which Go's reader does not accept.
  fileprivate var hasOtherBytesBehind: Bool { (self as? GzipFile)?.hasBytesBehind ?? false }
}
