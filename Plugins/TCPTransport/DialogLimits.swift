/// What a step of a dialog may be given.
enum DialogLimits {
  /// The times a step may have.
  static let timeouts: ClosedRange<Duration> = .milliseconds(1) ... .seconds(3600)
  /// The sizes a step may have, in bytes.
  static let sizes = 1...(1 << 30)
}
