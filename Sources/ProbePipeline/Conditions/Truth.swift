/// Whether something holds, as far as is known: a value of Kleene's three-valued logic.
///
/// What is unknown stays unknown when it is turned round, so that a rule never applies for want of knowledge.
enum Truth: Int, Hashable, Sendable, CaseIterable {
  /// It does not hold.
  case no
  /// It cannot be said, or not yet.
  case unknown
  /// It holds.
  case yes

  /// What is known for certain.
  init(_ holds: Bool) {
    self = holds ? .yes : .no
  }

  /// Whether the opposite holds.
  static prefix func ! (truth: Truth) -> Truth {
    switch truth {
    case .no: .yes
    case .unknown: .unknown
    case .yes: .no
    }
  }
}
