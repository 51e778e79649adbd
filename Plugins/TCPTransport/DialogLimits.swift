internal import ProbeCore

/// What a step of a dialog may be given.
enum DialogLimits {
  /// The times a step may have.
  static let timeouts: ClosedRange<Duration> = .milliseconds(1) ... .seconds(3600)
  /// The sizes a step may have, in bytes.
  static let sizes = 1...(1 << 30)
  /// How many steps there may be in a file; nobody writes more by hand.
  static let steps = 1000

  /// What is wrong with so many steps, or nil.
  static func problem(steps count: Int) -> InvalidDialog.Problem? {
    guard count > steps else { return nil }
    return InvalidDialog.Problem(
      InvalidInput("the dialog has \(count) steps, more than \(steps)", remedy: "make it shorter"))
  }
}
