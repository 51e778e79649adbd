package import ProbeBase

/// A whole number within bounds.
package func wholeNumber(_ text: String, in range: ClosedRange<Int>) throws(InvalidInput) -> Int {
  guard let number = Int(text: text, in: range) else {
    throw InvalidInput(
      "\(Excerpt(text)) cannot be used",
      remedy: "give a whole number from \(range.lowerBound) to \(range.upperBound)")
  }
  return number
}
