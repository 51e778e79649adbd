import Synchronization

/// Where a command writes: a file descriptor, or memory.
///
/// A write never fails in the face of its caller. The first failure is kept, what follows is dropped, and the
/// command's end reports it: a closed or full output is told once, in one place.
public final class OutputSink: Sendable {
  /// Why output could not be written.
  public struct Failure: Error, Hashable, Sendable {
    /// Why, in the words of the operating system.
    public var message: String
    /// Whether whoever read the output wants no more of it, as `head` does: nobody has to be told.
    public var readerHasGone: Bool

    /// A failure.
    public init(_ message: String, readerHasGone: Bool = false) {
      self.message = message
      self.readerHasGone = readerHasGone
    }
  }

  private struct State {
    var buffer: [UInt8] = []
    var failure: Failure?
  }

  /// Whether a person looks at it.
  public let isTerminal: Bool
  private let bufferSize: Int
  private let writeOut: @Sendable ([UInt8]) throws(Failure) -> Void
  private let state = Mutex(State())

  /// A sink over a function that writes all of the bytes or throws.
  ///
  /// - Parameters:
  ///   - isTerminal: Whether a person looks at it.
  ///   - bufferSize: How many bytes to collect before they are written; 0 writes at once.
  ///   - writeOut: Writes the bytes.
  public init(
    isTerminal: Bool = false, bufferSize: Int = 0,
    writeOut: @escaping @Sendable ([UInt8]) throws(Failure) -> Void
  ) {
    self.isTerminal = isTerminal
    self.bufferSize = bufferSize
    self.writeOut = writeOut
  }

  /// Writes a text.
  public func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes bytes.
  func write(_ bytes: [UInt8]) {
    state.withLock { state in
      guard state.failure == nil else { return }
      state.buffer += bytes
      if state.buffer.count > bufferSize { flush(&state) }
    }
  }

  /// Writes a text and a line end.
  public func writeLine(_ text: String) {
    write(text + "\n")
  }

  /// Writes out what has been collected.
  public func flush() {
    state.withLock { flush(&$0) }
  }

  /// The first failure, or nil while everything could be written.
  public var failure: Failure? {
    state.withLock { $0.failure }
  }

  private func flush(_ state: inout State) {
    guard state.failure == nil, !state.buffer.isEmpty else { return }
    do {
      try writeOut(state.buffer)
    } catch {
      state.failure = error
    }
    state.buffer.removeAll(keepingCapacity: true)
  }
}

/// Output kept in memory, for tests.
public final class MemoryOutput: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  /// Output with nothing in it.
  public init() {}

  /// Everything written so far.
  public var text: String {
    bytes.withLock { String(decoding: $0, as: UTF8.self) }
  }

  /// A sink that writes here.
  public func sink(isTerminal: Bool = false) -> OutputSink {
    OutputSink(isTerminal: isTerminal) { new throws(OutputSink.Failure) in self.bytes.withLock { $0 += new } }
  }
}
