import ProbeReporting

/// The last lines of a terminal, written over again and again; what stood above them stays.
///
/// A value that answers with what to write, by the control functions of ECMA-48. Between two writings the cursor stands
/// at the start of the line below, so that nothing has to be put right at the end.
struct ScreenRegion: Sendable {
  /// How wide the lines are that stand there.
  private var widths: [Int] = []

  /// What to write to have these lines in place of those that stand there.
  ///
  /// - Parameters:
  ///   - lines: The lines; each must fit.
  ///   - columns: How wide the terminal is now.
  ///   - style: How parts of them are set off.
  /// - Returns: What to write.
  mutating func draw(_ lines: [TerminalLine], columns: Int, style: TextStyle) -> String {
    let text = erase(columns: columns) + lines.map { $0.text(style) + "\n" }.joined()
    widths = lines.map(\.width)
    return text
  }

  /// What to write to take the lines away.
  mutating func erase(columns: Int) -> String {
    defer { widths = [] }
    // Terminals break lines anew that have become too long for them.
    let rows = widths.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(columns, 1)) }
    return rows == 0 ? "" : "\r\u{1B}[\(rows)A\u{1B}[J"
  }
}
