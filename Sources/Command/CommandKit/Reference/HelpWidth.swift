import ProbeBase
import ProbeSystem

extension CommandContext {
  /// The width of the help: that of the terminal or the value of `COLUMNS`, within readable limits.
  package var width: Int {
    let columns = environment["COLUMNS"].flatMap { Int(text: $0) }.flatMap { $0 > 0 ? $0 : nil }
    let terminal = output.isTerminal ? TerminalSize.ofOutput.columns : TextPage.usualWidth
    return min(max(columns ?? terminal, 40), 100)
  }
}
