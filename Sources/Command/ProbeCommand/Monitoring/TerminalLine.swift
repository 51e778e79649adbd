import ProbeCore
import ProbeReporting

/// A line for a terminal: pieces of text with optional emphasis, which can be cut to a width.
struct TerminalLine: Sendable {
  private var pieces: [(text: String, emphasis: TextStyle.Emphasis?)] = []

  /// Creates a line of one piece.
  init(_ text: String = "", _ emphasis: TextStyle.Emphasis? = nil) {
    add(text, emphasis)
  }

  /// Adds a piece; control characters are escaped.
  mutating func add(_ text: String, _ emphasis: TextStyle.Emphasis? = nil) {
    pieces.append((text.escapedForDisplay, emphasis))
  }

  /// The width in columns.
  var width: Int { pieces.reduce(0) { $0 + $1.text.columns } }

  /// Cuts the line to a width.
  ///
  /// - Parameters:
  ///   - columns: The number of columns; a wider line is truncated with an ellipsis.
  ///   - style: The style of the text.
  /// - Returns: The part that fits.
  func cut(to columns: Int, _ style: TextStyle = TextStyle(usesColor: false)) -> TerminalLine {
    var shown = self
    shown.pieces = pieces.map { (style.shown($0.text), $0.emphasis) }
    guard shown.width > columns else { return shown }
    let ellipsis = style.marks.ellipsis
    var result = TerminalLine()
    var left = max(columns - ellipsis.columns, 0)
    for piece in shown.pieces {
      let text = piece.text.prefix(columns: left)
      result.pieces.append((text, piece.emphasis))
      left -= text.columns
      if text != piece.text { break }
    }
    if columns >= ellipsis.columns { result.add(ellipsis) }
    return result
  }

  /// The text to write.
  func text(_ style: TextStyle) -> String {
    pieces.map { piece in piece.emphasis.map { style.apply($0, piece.text) } ?? piece.text }.joined()
  }
}

extension String {
  /// The width of the text in terminal columns.
  var columns: Int {
    if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
    return unicodeScalars.reduce(0) { $0 + $1.columns }
  }

  /// The longest prefix that fits into this many columns.
  fileprivate func prefix(columns: Int) -> String {
    var left = columns
    var result = UnicodeScalarView()
    for scalar in unicodeScalars {
      left -= scalar.columns
      if left < 0 { break }
      result.append(scalar)
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// The width of the character in terminal columns: two for East Asian wide characters (UAX #11, W and F)
  /// and emoji, zero for combining ones.
  fileprivate var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
