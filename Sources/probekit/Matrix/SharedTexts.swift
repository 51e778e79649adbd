/// Texts that are told many times, each kept once and named by its number.
struct SharedTexts {
  /// The texts in the order of their numbers.
  private(set) var texts: [String] = []
  private var numbers: [String: Int] = [:]

  /// The number of a text, from 0.
  mutating func number(of text: String) -> Int {
    if let number = numbers[text] { return number }
    numbers[text] = texts.count
    texts.append(text)
    return texts.count - 1
  }
}
