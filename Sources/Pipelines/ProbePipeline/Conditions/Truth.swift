/// A truth value of Kleene's three-valued logic.
///
/// The negation of an unknown value is unknown too, so that a rule never applies because information is
/// missing.
enum Truth: Int, Hashable, Sendable, CaseIterable {
  /// False.
  case no
  /// Unknown, at least so far.
  case unknown
  /// True.
  case yes

  /// Creates a known value.
  init(_ holds: Bool) {
    self = holds ? .yes : .no
  }

  static prefix func ! (truth: Truth) -> Truth {
    switch truth {
    case .no: .yes
    case .unknown: .unknown
    case .yes: .no
    }
  }
}
