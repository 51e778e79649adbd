/// The way in which a process ended.
package enum ProcessEnd: Hashable, Sendable {
  /// It exited with this code.
  case code(Int32)
  /// It was terminated by this signal.
  case signal(Int32)

  /// From the status of waitpid(2).
  package init(status: Int32) {
    self = status & 0x7F == 0 ? .code(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }
}
