internal import ProbeCore

/// What a program printed and how it ended, for reports.
extension ProgramRun {
  /// The longest text of a program in a report, in bytes.
  static let longestText = 200

  /// The first line of some bytes that has text, safe to print and not too long; nil if there is none.
  static func firstLine(of bytes: some BidirectionalCollection<UInt8>) -> String? {
    for line in bytes.split(separator: 0x0A) {
      let start = line.drop(while: \.isBlank)
      guard let end = start.indices.last(where: { !start[$0].isBlank }) else { continue }
      let text = start[...end]
      let whole = String(decoding: text.prefix(longestText), as: UTF8.self).escapedForDisplay
      return text.count > longestText ? whole + "…" : whole
    }
    return nil
  }

  /// The first line of its output, or of its standard error if it has no output.
  var firstLine: String? { Self.firstLine(of: output) ?? Self.firstLine(of: errors) }

  /// Why its end is an error, as a reason and in words.
  ///
  /// - Parameters:
  ///   - name: The name of the program.
  ///   - limit: How long it could take.
  ///   - timeout: The reason if it took longer.
  /// - Returns: The reason and the words.
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

extension UInt8 {
  /// Whether it is white space.
  var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
