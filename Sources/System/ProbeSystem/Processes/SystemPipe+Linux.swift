internal import CProbeSystem
internal import Glibc

/// A pipe whose ends other programs do not inherit.
package struct SystemPipe: Sendable {
  /// The descriptor of the end to read from.
  package let reading: Int32
  /// The descriptor of the end to write to.
  package let writing: Int32

  /// Creates a pipe; nil if this process or the machine has no descriptor left.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard unsafe probe_pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
  }

  /// Closes both ends.
  package func close() {
    Glibc.close(reading)
    Glibc.close(writing)
  }
}
