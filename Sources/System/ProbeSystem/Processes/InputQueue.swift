/// The queued input of a program.
struct InputQueue: Sendable {
  /// The result of writing.
  enum Progress {
    /// All bytes have been written.
    case empty
    /// The program accepts no more bytes at the moment.
    case full
    /// The program accepts no further bytes.
    case broken
  }

  /// The maximum number of queued bytes.
  static let bound = 64 << 20
  /// The number of written bytes beyond which their memory is released.
  private static let slack = 1 << 20

  private var bytes: [UInt8]
  private var start = 0
  /// Whether more can be added.
  private(set) var isOpen = true

  init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  /// The number of queued bytes.
  var count: Int { bytes.count - start }

  /// Adds a line and a line break.
  ///
  /// - Returns: Whether there was room.
  mutating func add(line: [UInt8]) -> Bool {
    guard isOpen, count + line.count < Self.bound else { return false }
    bytes += line
    bytes.append(UInt8(ascii: "\n"))
    return true
  }

  /// Ends the input; queued bytes are still written.
  mutating func close() { isOpen = false }

  /// Ends the input, and discards queued bytes.
  mutating func drop() {
    close()
    (bytes, start) = ([], 0)
  }

  /// Writes as much as possible.
  ///
  /// - Parameter write: Writes bytes; returns their number, 0 if none can be written at the moment, or nil if
  ///   no more can ever be written.
  /// - Returns: The progress.
  mutating func write(_ write: (ArraySlice<UInt8>) -> Int?) -> Progress {
    while start < bytes.count {
      guard let count = write(bytes[start...].prefix(1 << 16)) else {
        drop()
        return .broken
      }
      if count == 0 { return .full }
      start += count
      if start == bytes.count {
        bytes.removeAll(keepingCapacity: bytes.count <= 1 << 16)
        start = 0
      } else if start > Self.slack, start * 2 > bytes.count {
        bytes.removeSubrange(..<start)
        start = 0
      }
    }
    return .empty
  }
}
