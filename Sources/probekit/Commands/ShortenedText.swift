import ProbeReporting

extension String {
  /// The text, truncated with an ellipsis at its end or its start if it has more characters than the width.
  func shortened(to width: Int, atStart: Bool = false, _ marks: Marks = .unicode) -> String {
    guard count > width else { return self }
    let rest = max(width - marks.ellipsis.count, 0)
    return atStart ? marks.ellipsis + suffix(rest) : prefix(rest) + marks.ellipsis
  }
}
