/// Recurring texts, each stored once and referenced by its number.
struct SharedTexts {
  /// The texts, by number.
  private(set) var texts: [String] = []
  private var numbers: [String: Int] = [:]

  /// The number of a text, counted from 0.
  mutating func number(of text: String) -> Int {
    if let number = numbers[text] { return number }
    numbers[text] = texts.count
    texts.append(text)
    return texts.count - 1
  }
}
