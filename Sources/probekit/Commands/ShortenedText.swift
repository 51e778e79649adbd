extension String {
  /// Shortens the text to at most this many characters, by omitting its end or its start.
  func shortened(to width: Int, atStart: Bool = false) -> String {
    guard count > width else { return self }
    return atStart ? "…" + suffix(width - 1) : prefix(width - 1) + "…"
  }
}
