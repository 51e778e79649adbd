internal import ProbeBase

/// Reads an expression character by character.
struct PatternScanner {
  private let scalars: [Unicode.Scalar]
  /// The index of the next character.
  private(set) var index = 0

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// The next character, or nil at the end.
  var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  /// Takes the next character.
  mutating func take() -> Unicode.Scalar? {
    guard let next else { return nil }
    index += 1
    return next
  }

  /// Takes a text if it is next.
  ///
  /// - Returns: Whether it did.
  mutating func take(_ text: String) -> Bool {
    guard isNext(text) else { return false }
    index += text.unicodeScalars.count
    return true
  }

  /// Whether a text is next.
  func isNext(_ text: String) -> Bool { scalars[index...].starts(with: text.unicodeScalars) }

  /// Takes everything up to and including the first occurrence of a text; nil if there is none.
  mutating func takeThrough(_ end: String) -> String? {
    var other = self
    while other.index <= scalars.count {
      if other.isNext(end) {
        let taken = text(from: index, to: other.index)
        index = other.index + end.unicodeScalars.count
        return taken
      }
      other.index += 1
    }
    return nil
  }

  /// Moves back to an earlier position.
  mutating func back(to index: Int) { self.index = index }

  /// The text from one position to another, by default the current one.
  func text(from start: Int, to end: Int? = nil) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[start..<(end ?? index)])
    return String(view)
  }

  /// An error at a position.
  func mistake(_ message: String, remedy: String? = nil, at start: Int) -> InvalidInput {
    InvalidInput(message, remedy: remedy, offset: text(from: 0, to: start).utf8.count)
  }
}
