/// A file with one entry per line.
package enum ListFile {
  /// Calls a closure for each line that is neither empty nor a comment, which begins with `#`.
  ///
  /// Both LF and CRLF end a line, and a byte order mark at the start is skipped.
  ///
  /// - Parameters:
  ///   - bytes: The contents of the file.
  ///   - body: Receives the number of the line, from 1, and the line without surrounding white space.
  package static func forEachEntry(of bytes: [UInt8], _ body: (Int, ArraySlice<UInt8>) -> Void) {
    var rest = bytes.withoutByteOrderMark
    var number = 0
    while !rest.isEmpty {
      number += 1
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      if let entry = entry(in: rest[..<end]) { body(number, entry) }
      rest = rest[end...].dropFirst()
    }
  }

  /// The line without surrounding white space; nil if it is empty or a comment.
  package static func entry(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    // A carriage return is before the line feed of other systems.
    let entry = line.trimming { $0.isFieldSpace || $0 == UInt8(ascii: "\r") }
    return entry.isEmpty || entry.first == UInt8(ascii: "#") ? nil : entry
  }
}
