/// Looks for many forms at once in whatever way a text spells them, each byte of them by itself: plainly, percent-encoded,
/// as HTML or as scripts and JSON do, and with any two of these one around the other.
///
/// What can be read in several ways, such as `%25` that may be itself or `%`, is read in all of them. The work grows with
/// the text alone, whatever stands in it and however many forms there are.
package struct SpelledSearch: Sendable {
  /// Where a form stands in a text.
  package struct Match: Hashable, Sendable {
    /// All of its spelling.
    package var range: Range<Int>
    /// Which form it is; nil for the beginning of one, which the end of the text cuts.
    package var form: Int?
  }

  private let forms: SoughtForms
  /// Whether a form, in some spelling, may start with the byte.
  private let mayStart: [Bool]
  private let shortestBeginning: Int

  /// A search for forms.
  ///
  /// - Parameters:
  ///   - forms: What is meant, in bytes; of equal ones the first is found.
  ///   - shortestBeginning: How many bytes of a form are found at the end of a text, or where `…` says that it was cut;
  ///     nil when a part is no match.
  package init(_ forms: [[UInt8]], shortestBeginning: Int? = nil) {
    let sought = SoughtForms(forms)
    self.forms = sought
    self.shortestBeginning = shortestBeginning ?? .max
    let hasSpace = sought.starts(with: UInt8(ascii: " "))
    mayStart = (0...UInt8.max).map { byte in
      sought.starts(with: byte) || Escape.isIntroducer(byte) || byte == UInt8(ascii: "+") && hasSpace
    }
  }

  /// Where forms stand in a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - accept: Whether a match counts; where it does not, a shorter one is asked for.
  /// - Returns: Of the forms that end in one place the longest, in the order of their ends.
  package func matches(in text: [UInt8], where accept: (Match) -> Bool = { _ in true }) -> [Match] {
    var steps = 0
    return matches(in: text, counting: &steps, where: accept)
  }

  /// The same, adding how many nodes were looked at.
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
