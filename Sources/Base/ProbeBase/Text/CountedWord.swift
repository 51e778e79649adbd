extension Int {
  /// The number with a word in the singular or plural, such as `1 file` and `2 files`.
  package func counted(_ word: String) -> String { "\(self) \(word)\(self == 1 ? "" : "s")" }
}
