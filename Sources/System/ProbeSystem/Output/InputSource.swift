public import ProbeBase
import Synchronization

/// The source of the input `-`: standard input, or memory.
public struct InputSource: Sendable {
  private let read: @Sendable () throws(InvalidInput) -> [UInt8]

  /// Creates a source that calls a function for the next bytes; an empty result marks the end.
  public init(read: @escaping @Sendable () throws(InvalidInput) -> [UInt8]) {
    self.read = read
  }

  /// Creates a source with this text.
  public init(_ text: String) {
    let bytes = Array(text.utf8)
    let isRead = Atomic(false)
    read = { () throws(InvalidInput) in isRead.exchange(true, ordering: .relaxed) ? [] : bytes }
  }

  /// The next bytes; empty at the end.
  ///
  /// - Throws: `InvalidInput` when reading fails.
  package func next() throws(InvalidInput) -> [UInt8] { try read() }

  /// The entire remaining input.
  ///
  /// - Throws: `InvalidInput` when reading fails, or when the input exceeds the limit.
  public func readAll(limit: Int = 256 << 20) throws(InvalidInput) -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let next = try read()
      if next.isEmpty { return all }
      all += next
      guard all.count <= limit else {
        throw InvalidInput(
          "standard input has more than \(limit >> 20) MiB", remedy: "give it in several parts")
      }
    }
  }
}
