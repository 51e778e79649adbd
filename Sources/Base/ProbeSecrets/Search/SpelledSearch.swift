import ProbeBase

/// Searches for many forms at once, in any spelling.
///
/// Each byte of a form may be plain, percent-encoded, in quoted-printable, or escaped as in HTML, CSS, JSON or
/// scripts, with up to two of these nested; a line may end between any two. Ambiguous text, such as `%25` for itself or
/// for `%`, is read every way. The work grows only with the length of the text, not with its content or the number of
/// forms.
package struct SpelledSearch: Sendable {
  /// The position of a form in a text.
  package struct Match: Hashable, Sendable {
    /// The range of its whole spelling.
    package var range: Range<Int>
    /// The index of the form; nil for the beginning of a form that is cut by the end of the text.
    package var form: Int?
  }

  private let forms: SoughtForms
  /// Whether any spelling of a form can start with the byte.
  private let mayStart: [Bool]
  private let shortestBeginning: Int

  /// Creates a search for forms.
  ///
  /// - Parameters:
  ///   - forms: The forms, decoded, in bytes; of equal ones the first is found.
  ///   - ignoresCase: Whether ASCII letters of both cases are equal.
  ///   - shortestBeginning: The minimum number of bytes of a form that match at the end of a text, or where
  ///     `…` marks a cut; nil if partial matches do not count.
  package init(_ forms: [[UInt8]], ignoresCase: Bool = false, shortestBeginning: Int? = nil) {
    let sought = SoughtForms(forms, ignoresCase: ignoresCase)
    self.forms = sought
    self.shortestBeginning = shortestBeginning ?? .max
    let hasSpace = sought.starts(with: UInt8(ascii: " "))
    mayStart = (0...UInt8.max).map { byte in
      sought.starts(with: byte) || Escape.isIntroducer(byte) || byte == UInt8(ascii: "=")
        || byte == UInt8(ascii: "+") && hasSpace
    }
  }

  /// Finds forms in a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - accept: Returns whether a match counts; if it does not, the next shorter match is tried.
  /// - Returns: The longest match at each end position, in the order of their ends.
  package func matches(in text: [UInt8], where accept: (Match) -> Bool = { _ in true }) -> [Match] {
    var steps = 0
    return matches(in: text, counting: &steps, where: accept)
  }

  /// Does the same, and increases `steps` by the number of nodes visited.
  func matches(
    in text: [UInt8], counting steps: inout Int, where accept: (Match) -> Bool = { _ in true }
  ) -> [Match] {
    var reading = SpellingReader(forms, text, shortestBeginning)
    reading.read(mayStart, accept)
    steps += reading.steps
    return reading.matches.sorted {
      ($0.range.upperBound, $0.range.lowerBound) < ($1.range.upperBound, $1.range.lowerBound)
    }
  }
}
