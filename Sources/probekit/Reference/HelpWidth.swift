extension CommandContext {
  /// How wide the lines of the help are: as the terminal or as `COLUMNS` says, within what can be read well.
  var width: Int {
    let columns = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    let terminal = output.isTerminal ? TerminalSize.ofOutput.columns : TextPage.usualWidth
    return min(max(columns ?? terminal, 40), 100)
  }
}
