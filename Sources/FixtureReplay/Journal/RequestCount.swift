/// How many requests a test expects.
public struct RequestCount: Hashable, Sendable {
  private let lowest: Int
  private let highest: Int?

  private init(_ lowest: Int, _ highest: Int?) {
    (self.lowest, self.highest) = (lowest, highest)
  }

  /// None at all.
  public static let none = exactly(0)
  /// One and no more.
  public static let once = exactly(1)

  /// As many as this.
  public static func exactly(_ count: Int) -> RequestCount { RequestCount(count, count) }

  /// This many or more.
  public static func atLeast(_ count: Int) -> RequestCount { RequestCount(count, nil) }

  /// This many or fewer.
  public static func atMost(_ count: Int) -> RequestCount { RequestCount(0, count) }

  func contains(_ count: Int) -> Bool {
    count >= lowest && highest.map { count <= $0 } ?? true
  }
}

extension RequestCount: CustomStringConvertible {
  /// The count in words.
  public var description: String {
    guard let highest else { return "at least \(lowest)" }
    if highest == 0 { return "none" }
    return lowest == highest ? "\(lowest)" : "at most \(highest)"
  }
}
