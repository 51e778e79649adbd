import CommandKit
import ProbeBase
import ProbeSystem
import ProfileMatrix

extension MatrixText {
  /// The width of a matrix: the value of `COLUMNS`, or the width of the terminal.
  ///
  /// - Parameters:
  ///   - context: The context of the output.
  ///   - isFile: Whether it is written to a file instead.
  /// - Returns: The maximum number of characters in a line.
  static func width(in context: CommandContext, isFile: Bool) -> Int {
    if isFile { return usualWidth }
    if let columns = context.environment["COLUMNS"].flatMap({ Int(text: $0) }), columns > 0 { return columns }
    return context.output.isTerminal ? TerminalSize.ofOutput.columns : usualWidth
  }
}
