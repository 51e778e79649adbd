import Glibc
import ProbeCore
import ProbeSystem

/// The destination of a command's output.
enum CommandOutput: Sendable {
  /// This process's standard error, directly.
  case standardError
  /// This process, line by line, because other text on the terminal must make room.
  case lines

  /// The descriptor to which a command writes.
  struct Writing {
    /// The descriptor.
    let descriptor: Int32
    fileprivate let isOwn: Bool

    /// Closes this process's copy after the command was started.
    func close() {
      if isOwn { Glibc.close(descriptor) }
    }
  }

  /// Opens the descriptor for a command.
  ///
  /// - Parameter notify: Called with each line, on another thread.
  /// - Returns: The descriptor; that of standard error if the machine lacks the resources for lines.
  func open(_ notify: @escaping @Sendable (MonitorEvent) -> Void) -> Writing {
    let plain = Writing(descriptor: STDERR_FILENO, isOwn: false)
    guard self == .lines else { return plain }
    guard let pipe = SystemPipe() else { return plain }
    do {
      // This is not the thread that waits for the command: its background processes may write much later.
      try WorkerThread(named: "on-change-text") { Self.read(pipe.reading) { notify(.commandOutput($0)) } }
        .detach()
      return Writing(descriptor: pipe.writing, isOwn: true)
    } catch {
      pipe.close()
      return plain
    }
  }

  private static func read(_ descriptor: Int32, _ notify: (String) -> Void) {
    defer { close(descriptor) }
    var line: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      for byte in piece.prefix(max(count, 0)) {
        // A very long line is reported in parts.
        if byte == UInt8(ascii: "\n") || line.count == piece.count {
          notify(String(wireBytes: line))
          line = []
        }
        if byte != UInt8(ascii: "\n") { line.append(byte) }
      }
      guard count <= 0 else { continue }
      if !line.isEmpty { notify(String(wireBytes: line)) }
      return
    }
  }
}
