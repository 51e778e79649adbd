import ProbeBase

/// A line on a terminal that shows the progress of a run.
///
/// It is a value that receives events with their times, and returns the text to write. A short run shows
/// nothing. However many items finish, the line is not written more often than once per ``interval``.
public struct ProgressLine: Sendable {
  /// The time from the start of a run until the line appears.
  public static let delay = Duration.seconds(1)
  /// The minimum time between two updates of the line.
  public static let interval = Duration.milliseconds(100)

  private let total: Int
  private let thing: String
  private var finished = 0
  private var shown: (text: String, elapsed: Duration)?

  /// Creates a line that is not shown yet.
  ///
  /// - Parameters:
  ///   - total: The number of items.
  ///   - thing: The name of an item.
  public init(total: Int, of thing: String = "probe") {
    self.total = total
    self.thing = thing
  }

  /// Counts a finished item.
  public mutating func oneFinished() {
    finished += 1
  }

  /// Returns the text to write now.
  ///
  /// - Parameter elapsed: The time since the start.
  /// - Returns: The line, which overwrites the previous one; empty if it is too early, or nothing has
  ///   changed.
  public mutating func text(at elapsed: Duration) -> String {
    let (finished, total, thing) = (finished, total, thing)
    return text(
      at: elapsed,
      showing: "\(finished)/\(total.counted(thing)), \(elapsed.components.seconds) s")
  }

  /// Returns the text to write now, with other contents of the line.
  package mutating func text(at elapsed: Duration, showing text: @autoclosure () -> String) -> String {
    guard elapsed >= Self.delay else { return "" }
    if let shown, elapsed < shown.elapsed + Self.interval { return "" }
    let text = text()
    guard text != shown?.text else { return "" }
    shown = (text, elapsed)
    // Return to the start of the line, and erase the rest of a longer one (ECMA-48 §8.3.41).
    return "\r\(text)\u{1B}[K"
  }

  /// Returns the text that erases the line, which may reappear later.
  public mutating func erase() -> String {
    defer { shown = nil }
    return shown == nil ? "" : "\r\u{1B}[K"
  }
}
