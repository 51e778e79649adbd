import ProbeReporting
import ProbeBase

/// The last lines of a terminal, which are overwritten repeatedly; the lines above them stay.
///
/// It returns the text to write, with control functions of ECMA-48. Between two writes the cursor is at the
/// start of the line below, so that no cleanup is needed at the end.
struct ScreenRegion: Sendable {
  /// The widths of the current lines.
  private var widths: [Int] = []

  /// The text that replaces the current lines with these.
  ///
  /// - Parameters:
  ///   - lines: The lines; each must fit.
  ///   - columns: The current width of the terminal.
  ///   - style: The style of emphasized text.
  /// - Returns: The text to write.
  mutating func draw(_ lines: [TerminalLine], columns: Int, style: TextStyle) -> String {
    let text = erase(columns: columns) + lines.map { $0.text(style) + "\n" }.joined()
    widths = lines.map(\.width)
    return text
  }

  /// The text that erases the lines.
  mutating func erase(columns: Int) -> String {
    defer { widths = [] }
    // After resizing, terminals wrap lines that have become too long.
    let rows = widths.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(columns, 1)) }
    return rows == 0 ? "" : "\r\u{1B}[\(rows)A\u{1B}[J"
  }
}
