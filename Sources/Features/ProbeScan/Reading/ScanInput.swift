import ProbeCore
package import ProbeSystem
import Synchronization
package import ProbeBase

/// The input of a scan: standard input, or files one after the other, decompressed if necessary.
///
/// Reading blocks, so use a separate thread.
package final class ScanInput {
  package enum Piece: Sendable {
    case bytes([UInt8])
    /// The end of a file, which also ends its last line.
    case endOfFile
  }

  /// The maximum number of bytes to read at once.
  private static let pieceSize = 1 << 15

  private let standardInput: InputSource
  /// The remaining files, with those streams that cannot be opened twice.
  private var rest: ArraySlice<(path: String, stream: FileStream?)>
  private var current: (name: String, read: () throws(InvalidInput) -> [UInt8])?
  private var unpacking = ScanUnpacking()
  private let count = Atomic(0)
  /// The total size of all files in bytes; nil if it is unknown.
  package let size: Int?

  /// Opens the input.
  ///
  /// - Parameters:
  ///   - paths: The files; `-` is standard input.
  ///   - standardInput: The input for `-`.
  /// - Throws: `InvalidInput` naming a file that cannot be opened.
  package init(_ paths: [String], standardInput: InputSource) throws(InvalidInput) {
    self.standardInput = standardInput
    var files: [(path: String, stream: FileStream?)] = []
    var size: Int? = 0
    // Report unreadable files before probing.
    for path in paths {
      let stream = path == "-" ? nil : try Self.open(path)
      size = size.flatMap { known in stream?.size.map { known + $0 } }
      // A closed pipe loses the data written to it. Files are closed, as there may be too many to keep open.
      files.append((path, stream?.size == nil ? stream : nil))
    }
    rest = files[...]
    self.size = size
  }

  /// The number of bytes read, before decompression; it can be read from any thread.
  var bytesRead: Int { count.load(ordering: .relaxed) }

  /// The next piece; nil at the end.
  ///
  /// - Throws: `InvalidInput` naming the file, if it cannot be read or is damaged.
  package func next() throws(InvalidInput) -> Piece? {
    while true {
      guard let current else {
        guard let (path, stream) = rest.popFirst() else { return nil }
        try begin(path, stream)
        continue
      }
      do throws(InvalidInput) {
        if let unpacked = try unpacking.next() { return .bytes(unpacked) }
        let bytes = try current.read()
        count.add(bytes.count, ordering: .relaxed)
        if bytes.isEmpty {
          let last = try unpacking.finish()
          guard last.isEmpty else {
            // The next piece is the end of the file.
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

  private func begin(_ path: String, _ stream: FileStream?) throws(InvalidInput) {
    unpacking = ScanUnpacking()
    if path == "-" {
      current = ("standard input", standardInput.next)
    } else {
      let file: FileStream
      if let stream { file = stream } else { file = try Self.open(path) }
      current = (Excerpt(path, limit: 200).description, Self.reading(file))
    }
  }

  /// Reads a file, which must not be truncated in the meantime, because lines would be lost.
  private static func reading(_ file: FileStream) -> () throws(InvalidInput) -> [UInt8] {
    var missing = file.size ?? 0
    return { () throws(InvalidInput) in
      let bytes: [UInt8]
      do throws(FileError) { bytes = try file.read(upTo: Self.pieceSize) } catch {
        throw InvalidInput("cannot be read: \(error)")
      }
      missing -= bytes.count
      guard !bytes.isEmpty || missing <= 0 else {
        throw InvalidInput("became shorter while it was read", remedy: "do not change it during a scan")
      }
      return bytes
    }
  }

  private static func open(_ path: String) throws(InvalidInput) -> FileStream {
    let stream: FileStream
    do throws(FileError) { stream = try FileStream(path) } catch {
      throw InvalidInput("\(Excerpt(path, limit: 200)): cannot be read: \(error)")
    }
    guard !stream.isFolder else {
      throw InvalidInput("\(Excerpt(path, limit: 200)): this is a folder", remedy: "name its files")
    }
    return stream
  }
}

// Only one thread reads. The task that created the input only passes it on, and accesses only immutable or
// atomic properties.
extension ScanInput: @unchecked Sendable {}
