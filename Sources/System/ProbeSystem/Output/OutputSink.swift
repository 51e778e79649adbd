import ProbeBase

/// The destination of a command's output: a file descriptor, or memory.
///
/// A write never throws. The first failure is stored, later output is discarded, and the command reports the
/// failure at its end, so that a closed or full output is reported once.
public final class OutputSink: Sendable {
  /// A failure to write output.
  public struct Failure: Error, Hashable, Sendable {
    /// The operating system's error message.
    public var message: String
    /// Whether the reader has closed the output, as `head` does; this is not reported.
    public var readerHasGone: Bool

    /// Creates a failure.
    public init(_ message: String, readerHasGone: Bool = false) {
      self.message = message
      self.readerHasGone = readerHasGone
    }
  }

  private struct State {
    var buffer: [UInt8] = []
    var failure: Failure?
  }

  /// Whether the output is a terminal.
  public let isTerminal: Bool
  private let bufferSize: Int
  private let writeOut: @Sendable ([UInt8]) throws(Failure) -> Void
  private let state = Guarded(State())

  /// Creates a sink that calls a function, which writes all bytes or throws.
  ///
  /// - Parameters:
  ///   - isTerminal: Whether the output is a terminal.
  ///   - bufferSize: The number of bytes to collect before a write; 0 writes immediately.
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
  package func write(_ bytes: [UInt8]) {
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

  /// Writes the collected bytes.
  public func flush() {
    state.withLock { flush(&$0) }
  }

  /// The first failure, or nil if there was none.
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

/// Output in memory, for tests.
public final class MemoryOutput: Sendable {
  private let bytes = Guarded<[UInt8]>([])

  /// Creates an empty output.
  public init() {}

  /// Everything written so far.
  public var text: String {
    bytes.withLock { String(decoding: $0, as: UTF8.self) }
  }

  /// A sink that writes to this memory.
  public func sink(isTerminal: Bool = false) -> OutputSink {
    OutputSink(isTerminal: isTerminal) { new throws(OutputSink.Failure) in self.bytes.withLock { $0 += new } }
  }
}
