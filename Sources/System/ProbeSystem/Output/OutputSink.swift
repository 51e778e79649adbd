import Glibc
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

/// A file descriptor that a command writes to.
///
/// A pipe or a terminal without an active reader would block its writer forever. A write therefore waits
/// until there is room; after an interruption, this wait is short.
package final class OutputDescriptor: Sendable {
  /// The maximum wait for a reader after an interruption.
  private static let patience = Duration.milliseconds(500)
  /// The interval at which a wait checks for an interruption, in milliseconds.
  private static let pause: Int32 = 50
  /// The number of bytes that a writable pipe accepts without blocking (pipe(7)).
  private static let piece = Int(PIPE_BUF)

  private let number: Int32
  private let isOwned: Bool
  /// Whether it is a file, to which a write never blocks.
  private let isFile: Bool

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - number: The descriptor.
  ///   - isOwned: Whether to close it when this object is released.
  package init(_ number: Int32, isOwned: Bool = false) {
    self.number = number
    self.isOwned = isOwned
    var status = stat()
    isFile = unsafe fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  deinit {
    if isOwned { close(number) }
  }

  /// Writes all bytes.
  ///
  /// - Throws: ``OutputSink/Failure`` with the system's error message, or if they are not read after an interruption.
  package func write(_ bytes: [UInt8]) throws(OutputSink.Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      if !isFile { try waitForRoom() }
      let next = isFile ? rest : rest.prefix(Self.piece)
      let count = unsafe next.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR, errno != EAGAIN {
        throw .lastError
      }
    }
  }

  private func waitForRoom() throws(OutputSink.Failure) {
    var event = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    var end: ContinuousClock.Instant?
    while unsafe poll(&event, 1, Self.pause) == 0 {
      guard Interruption.isUnderWay || Task.isCancelled else { continue }
      let now = ContinuousClock.now
      if end == nil { end = now + Self.patience }
      if let end, end <= now { throw OutputSink.Failure("no process reads it") }
    }
  }
}

extension OutputSink.Failure {
  /// The last error of the system.
  static var lastError: OutputSink.Failure {
    let code = errno
    return OutputSink.Failure(unsafe String(cString: strerror(code)), readerHasGone: code == EPIPE)
  }
}
