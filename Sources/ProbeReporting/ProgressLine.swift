/// One line on a terminal that says how far a run is.
///
/// A value that is told what happens and when, and answers with what to write. A run that is over soon shows nothing;
/// and however many things finish, the line is not written more often than ``interval``.
public struct ProgressLine: Sendable {
  /// How long a run may take before the line appears.
  public static let delay = Duration.seconds(1)
  /// The time from one writing of the line to the next.
  public static let interval = Duration.milliseconds(100)

  private let total: Int
  private let thing: String
  private var finished = 0
  private var shown: (text: String, elapsed: Duration)?

  /// A line that is not shown yet.
  ///
  /// - Parameters:
  ///   - total: How many things there are.
  ///   - thing: What one of them is called.
  public init(total: Int, of thing: String = "probe") {
    self.total = total
    self.thing = thing
  }

  /// Notes that one more has finished.
  public mutating func oneFinished() {
    finished += 1
  }

  /// What to write now.
  ///
  /// - Parameter elapsed: The time since the start.
  /// - Returns: The line, written over the one before; empty when it is too early, or nothing has changed.
  public mutating func text(at elapsed: Duration) -> String {
    guard elapsed >= Self.delay else { return "" }
    if let shown, elapsed < shown.elapsed + Self.interval { return "" }
    let text = "\(finished)/\(total) \(thing)\(total == 1 ? "" : "s"), \(elapsed.components.seconds) s"
    guard text != shown?.text else { return "" }
    shown = (text, elapsed)
    // Back to the start of the line, and erase what is left of a longer one (ECMA-48 §8.3.41).
    return "\r\(text)\u{1B}[K"
  }

  /// What to write to take the line away; it may come back.
  public mutating func erase() -> String {
    defer { shown = nil }
    return shown == nil ? "" : "\r\u{1B}[K"
  }
}
