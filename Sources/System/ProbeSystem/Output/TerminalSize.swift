import Glibc
import ProbeBase

/// The size of a terminal in characters.
package struct TerminalSize: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  /// The default if the terminal does not report its size.
  static let usual = TerminalSize(columns: 80, rows: 24)

  /// The size of the terminal on standard output (ioctl_tty(2)).
  package static var ofOutput: TerminalSize {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return .usual
    }
    return TerminalSize(columns: Int(widening: size.ws_col), rows: Int(widening: size.ws_row))
  }
}
