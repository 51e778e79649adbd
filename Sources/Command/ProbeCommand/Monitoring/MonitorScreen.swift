import ConnectivityMonitor
import FoundationEssentials
import Glibc
import ProbeBase
import ProbeCore
import ProbeReporting
import ProbeSystem

/// Displays the current state on the last lines of a terminal.
struct MonitorScreen: MonitorFormatter {
  private let style: TextStyle
  private let size: @Sendable () -> TerminalSize
  private let dateAndTime: @Sendable (Date) -> String
  private let timeOfDay: @Sendable (Date) -> String
  private var view: MonitorView
  private var region = ScreenRegion()

  /// Creates an empty screen.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline's name.
  ///   - style: The style of emphasized text.
  ///   - size: Returns the terminal's current size.
  ///   - dateAndTime: Formats a time that may be in the distant past.
  ///   - timeOfDay: Formats a time in the near future.
  init(
    pipeline: String, style: TextStyle, size: @escaping @Sendable () -> TerminalSize,
    dateAndTime: @escaping @Sendable (Date) -> String = LocalTime.dateAndTime,
    timeOfDay: @escaping @Sendable (Date) -> String = LocalTime.time
  ) {
    self.style = style
    self.size = size
    self.dateAndTime = dateAndTime
    self.timeOfDay = timeOfDay
    view = MonitorView(pipeline: pipeline, style: style)
  }

  mutating func text(of change: MonitorChange) -> String {
    if view.lastChange == nil || change.previous != change.state.status {
      // The transition from the unknown state is not a change worth displaying.
      view.lastChange = (dateAndTime(change.time), change.previous == .determining ? nil : change.previous)
    }
    view.state = change.state
    return draw()
  }

  /// Nothing: sets of services are reported as lines.
  mutating func text(of change: ServiceChange) -> String { "" }

  mutating func text(of check: ConnectivityCheck, at time: Date) -> String {
    view.state = check.state
    view.latencies.add(check.state.latency)
    view.nextCheck = check.nextCheck.map { timeOfDay(time + $0.inSeconds) }
    return draw()
  }

  mutating func textAfterResizing() -> String { draw() }

  mutating func textBeforeMessage() -> String { region.erase(columns: size().columns) }

  mutating func textAfterMessage() -> String { draw() }

  private mutating func draw() -> String {
    let size = size()
    return region.draw(view.lines(in: size), columns: size.columns, style: style)
  }
}

/// The last lines of a terminal, which are overwritten repeatedly; the lines above them stay.
///
/// It returns the text to write, with control functions of ECMA-48. Between two writes the cursor is at the
/// start of the line below, so that no cleanup is needed at the end.
struct ScreenRegion: Sendable {
  /// The widths of the current lines.
  private var widths: [Int] = []

  /// The text that replaces the current lines with these.
  ///
  /// - Parameters:
  ///   - lines: The lines; each must fit.
  ///   - columns: The current width of the terminal.
  ///   - style: The style of emphasized text.
  /// - Returns: The text to write.
  mutating func draw(_ lines: [TerminalLine], columns: Int, style: TextStyle) -> String {
    let text = erase(columns: columns) + lines.map { $0.text(style) + "\n" }.joined()
    widths = lines.map(\.width)
    return text
  }

  /// The text that erases the lines.
  mutating func erase(columns: Int) -> String {
    defer { widths = [] }
    // After resizing, terminals wrap lines that have become too long.
    let rows = widths.reduce(0) { $0 + max(1, ($1 + columns - 1) / max(columns, 1)) }
    return rows == 0 ? "" : "\r\u{1B}[\(rows)A\u{1B}[J"
  }
}

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

/// Formats times in the local time zone.
enum LocalTime {
  /// The date and the time of day, such as `2026-11-22 13:05:09`.
  static func dateAndTime(_ date: Date) -> String {
    format(date, "%Y-%m-%d %H:%M:%S")
  }

  /// The time of day, such as `13:05:09`.
  static func time(_ date: Date) -> String {
    format(date, "%H:%M:%S")
  }

  private static func format(_ date: Date, _ pattern: String) -> String {
    var seconds = time_t(bounding: date.timeIntervalSince1970.rounded(.down))
    var parts = unsafe tm()
    var text = [CChar](repeating: 0, count: 64)
    unsafe localtime_r(&seconds, &parts)
    let length = unsafe strftime(&text, text.count, pattern, &parts)
    return String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
