internal import ProbeCore

/// The limits of the steps of a dialog.
enum DialogLimits {
  /// The valid timeouts of a step.
  static let timeouts: ClosedRange<Duration> = .milliseconds(1) ... .seconds(3600)
  /// The valid sizes of a step, in bytes.
  static let sizes = 1...(1 << 30)
  /// The maximum number of steps in a file; no handwritten dialog has as many.
  static let steps = 1000

  /// The problem with this number of steps, or nil.
  static func problem(steps count: Int) -> InvalidDialog.Problem? {
    guard count > steps else { return nil }
    return InvalidDialog.Problem(
      InvalidInput("the dialog has \(count) steps, more than \(steps)", remedy: "make it shorter"))
  }
}
