extension String {
  /// The text with its end, or its start, left out where it has more characters than this.
  func shortened(to width: Int, atStart: Bool = false) -> String {
    guard count > width else { return self }
    return atStart ? "…" + suffix(width - 1) : prefix(width - 1) + "…"
  }
}
