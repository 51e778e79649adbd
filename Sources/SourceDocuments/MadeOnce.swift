/// A value that is made when it is first asked for, and kept: readers that stand in one another would not end otherwise,
/// and making them for each value they read takes longer than reading it.
final class MadeOnce<Value> {
  private let make: () -> Value
  /// The value.
  private(set) lazy var value = make()

  /// A value that is not made yet.
  init(_ make: @escaping () -> Value) {
    self.make = make
  }
}
