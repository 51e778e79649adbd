import Glibc
import ProbeCore
import ProbeThreading

/// Where the command of a change writes.
enum CommandOutput: Sendable {
  /// To this process's standard error, as it comes.
  case standardError
  /// Line by line through this process, because something else stands on the terminal that has to make room.
  case lines

  /// What a command writes to, until it is closed here.
  struct Writing {
    /// The descriptor.
    let descriptor: Int32
    fileprivate let isOwn: Bool

    /// Closes what a command that was started has as its own.
    func close() {
      if isOwn { Glibc.close(descriptor) }
    }
  }

  /// Opens what a command writes to.
  ///
  /// - Parameter tell: Told each line, on a thread of its own.
  /// - Returns: Where to write; standard error also where the machine lacks what is needed for lines.
  func open(_ tell: @escaping @Sendable (MonitorEvent) -> Void) -> Writing {
    let plain = Writing(descriptor: STDERR_FILENO, isOwn: false)
    guard self == .lines else { return plain }
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return plain }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (reading, writing) = (ends[0], ends[1])
    do {
      // Not the one that waits for the command: what that leaves behind in the background may write much later.
      try WorkerThread(named: "on-change-text") { Self.read(reading) { tell(.commandSaid($0)) } }.detach()
      return Writing(descriptor: writing, isOwn: true)
    } catch {
      close(reading)
      close(writing)
      return plain
    }
  }

  private static func read(_ descriptor: Int32, _ tell: (String) -> Void) {
    defer { close(descriptor) }
    var line: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      for byte in piece.prefix(max(count, 0)) {
        // A line without end is told in parts.
        if byte == UInt8(ascii: "\n") || line.count == piece.count {
          tell(String(wireBytes: line))
          line = []
        }
        if byte != UInt8(ascii: "\n") { line.append(byte) }
      }
      guard count <= 0 else { continue }
      if !line.isEmpty { tell(String(wireBytes: line)) }
      return
    }
  }
}
