import Glibc

/// How many characters a terminal shows.
struct TerminalSize: Hashable, Sendable {
  /// How many in a line.
  var columns: Int
  /// How many lines.
  var rows: Int

  /// The usual size, where a terminal does not tell.
  static let usual = TerminalSize(columns: 80, rows: 24)

  /// The size of the terminal that standard output goes to (ioctl_tty(2)).
  static var ofOutput: TerminalSize {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return .usual
    }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
