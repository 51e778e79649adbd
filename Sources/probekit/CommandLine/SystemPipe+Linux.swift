import Glibc

/// A pipe whose ends no other program inherits by accident.
struct SystemPipe: Sendable {
  /// The descriptor of the end to read from.
  let reading: Int32
  /// The descriptor of the end to write to.
  let writing: Int32

  /// Creates a pipe, or returns nil if this process or the machine has no descriptor left.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }

  /// Closes both ends.
  func close() {
    Glibc.close(reading)
    Glibc.close(writing)
  }
}
