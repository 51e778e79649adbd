import ProbeCore
import ProbeFiles
import Synchronization

/// The input of a scan: standard input, or files one after the other, decompressed where needed.
///
/// Reading blocks, so it belongs on a thread of its own.
final class ScanInput {
  /// A piece of the input.
  enum Piece: Sendable {
    case bytes([UInt8])
    /// The end of a file, which also ends its last line.
    case endOfFile
  }

  /// How much to read at once.
  private static let pieceSize = 1 << 15

  private let standardInput: InputSource
  private var rest: ArraySlice<String>
  private var current: (name: String, read: () throws(InvalidInput) -> [UInt8])?
  private var unpacking = ScanUnpacking()
  /// Opened once: whoever writes to a named pipe would be ended by a second time.
  private var pipes: [String: FileStream] = [:]
  private let count = Atomic(0)
  /// The number of bytes of all files; nil if that is not known.
  let size: Int?

  /// Opens the input.
  ///
  /// - Parameters:
  ///   - paths: The files; `-` is standard input.
  ///   - standardInput: What `-` means.
  /// - Throws: `InvalidInput` that names a file that cannot be opened.
  init(_ paths: [String], standardInput: InputSource) throws(InvalidInput) {
    self.standardInput = standardInput
    rest = paths[...]
    var size: Int? = 0
    // Before anything is probed.
    for path in paths {
      let file = path == "-" ? nil : try Self.open(path)
      if file?.size == nil { pipes[path] = file }
      size = size.flatMap { known in file?.size.map { known + $0 } }
    }
    self.size = size
  }

  /// The number of bytes that were read, before decompression; any thread may read it.
  var bytesRead: Int { count.load(ordering: .relaxed) }

  /// The next piece; nil at the end.
  ///
  /// - Throws: `InvalidInput` that names the file, if it cannot be read or is damaged.
  func next() throws(InvalidInput) -> Piece? {
    while true {
      guard let current else {
        guard let path = rest.popFirst() else { return nil }
        try begin(path)
        continue
      }
      do throws(InvalidInput) {
        if let unpacked = try unpacking.next() { return .bytes(unpacked) }
        let bytes = try current.read()
        count.add(bytes.count, ordering: .relaxed)
        if bytes.isEmpty {
          let last = try unpacking.finish()
          guard last.isEmpty else {
            // Its end comes next.
            self.current = (current.name, { () throws(InvalidInput) in [] })
            return .bytes(last)
          }
          self.current = nil
          return .endOfFile
        }
        unpacking.add(bytes)
      } catch {
        throw InvalidInput("\(current.name): \(error.message)", remedy: error.remedy)
      }
    }
  }

  private func begin(_ path: String) throws(InvalidInput) {
    unpacking = ScanUnpacking()
    if path == "-" {
      current = ("standard input", standardInput.next)
    } else {
      let file = if let pipe = pipes.removeValue(forKey: path) { pipe } else { try Self.open(path) }
      current = (
        Excerpt(path, limit: 200).description,
        { () throws(InvalidInput) in
          do throws(FileError) { return try file.read(upTo: Self.pieceSize) } catch {
            throw InvalidInput("cannot be read: \(error)")
          }
        }
      )
    }
  }

  private static func open(_ path: String) throws(InvalidInput) -> FileStream {
    do throws(FileError) { return try FileStream(path) } catch {
      throw InvalidInput("\(Excerpt(path, limit: 200)): cannot be read: \(error)")
    }
  }
}

// One thread reads; the task that created it only passes it on, and reads what never changes or is atomic.
extension ScanInput: @unchecked Sendable {}
