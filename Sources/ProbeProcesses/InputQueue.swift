/// The bytes that a program has not taken yet.
struct InputQueue: Sendable {
  /// The result of writing.
  enum Progress {
    /// Everything is written.
    case empty
    /// The program takes no more at the moment.
    case full
    /// The program takes no more at all.
    case broken
  }

  /// The maximum number of bytes that wait.
  static let bound = 64 << 20
  /// The number of written bytes beyond which their memory is released.
  private static let slack = 1 << 20

  private var bytes: [UInt8]
  private var start = 0
  /// Whether more can be added.
  private(set) var isOpen = true

  /// A queue with bytes.
  init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  /// The number of bytes that wait.
  var count: Int { bytes.count - start }

  /// Adds a line, and its end.
  ///
  /// - Returns: Whether there was room.
  mutating func add(line: [UInt8]) -> Bool {
    guard isOpen, count + line.count < Self.bound else { return false }
    bytes += line
    bytes.append(UInt8(ascii: "\n"))
    return true
  }

  /// Ends the input; what waits is still written.
  mutating func close() { isOpen = false }

  /// Ends the input, and drops what waits.
  mutating func drop() {
    close()
    (bytes, start) = ([], 0)
  }

  /// Writes as much as possible.
  ///
  /// - Parameter write: Writes bytes; returns their number, 0 if none can be written at the moment, or nil if none can
  ///   be written any more.
  /// - Returns: How far it came.
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
