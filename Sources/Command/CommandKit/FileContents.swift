import ProbeSystem
package import ProbeBase

/// Reads files named on the command line.
package enum FileContents {
  /// All bytes of a file, or of a pipe such as a shell's `<(…)`.
  ///
  /// - Throws: ``InvalidInput`` if it cannot be read (with the system's error message), exceeds the limit, or the task is
  ///   cancelled while a pipe has no data.
  package static func read(_ path: String, limit: Int = 1 << 20) throws(InvalidInput) -> [UInt8] {
    do throws(FileError) {
      let bytes = try FileReading.bytes(of: path, limit: limit, .anything)
      if bytes.count <= limit { return bytes }
    } catch {
      throw InvalidInput("cannot be read: \(error)")
    }
    throw InvalidInput("the file has more than \(limit >> 10) KiB", remedy: "check that it is the right file")
  }
}
