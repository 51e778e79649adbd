internal import ProbeCore

/// The output and the result of a program, for reports.
extension ProgramRun {
  /// The maximum length of a program's text in a report, in bytes.
  static let maximumTextLength = 200

  /// The first line that is not blank, escaped for display and shortened; nil if there is none.
  static func firstLine(of bytes: some BidirectionalCollection<UInt8>) -> String? {
    for line in bytes.split(separator: 0x0A) {
      let text = line.trimming(where: \.isSpaceInC)
      guard !text.isEmpty else { continue }
      let whole = String(decoding: text.prefix(maximumTextLength), as: UTF8.self).escapedForDisplay
      return text.count > maximumTextLength ? whole + "…" : whole
    }
    return nil
  }

  /// The first line of the output or, if there is none, of standard error.
  var firstLine: String? { Self.firstLine(of: output) ?? Self.firstLine(of: errors) }

  /// The reason code and the description of a failed run.
  ///
  /// - Parameters:
  ///   - name: The name of the program.
  ///   - limit: The time limit.
  ///   - timeout: The reason code if the limit was exceeded.
  /// - Returns: The reason code and the description.
  func problem(
    of name: String, within limit: Duration, timeout: ReasonCode
  ) -> (reason: ReasonCode, words: String) {
    switch end {
    case .exited: (.pluginFailed, "\(name) \(end.words)" + (firstLine.map { ": \($0)" } ?? ""))
    case .signal, .tooMuchOutput, .notStarted: (.pluginFailed, "\(name) \(end.words)")
    case .timedOut: (timeout, "\(name) took longer than \(ValueSyntax.text(of: limit)) and was ended")
    case .cancelled: (.cancelled, "\(name) \(end.words)")
    }
  }
}
