import CommandKit

extension CommandContext {
  /// Reports that the command was interrupted, with its progress, unless the reader has closed the output.
  ///
  /// - Returns: The exit code.
  func interrupted(_ progress: String) -> ExitCode {
    if output.failure?.readerHasGone != true { report("interrupted: \(progress)") }
    return .notOnline
  }
}
