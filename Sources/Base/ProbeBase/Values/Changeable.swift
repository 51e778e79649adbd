/// A value of which changed copies are made.
package protocol Changeable {}

extension Changeable {
  /// The same value with a change.
  package func with<Part>(_ path: WritableKeyPath<Self, Part>, _ part: Part) -> Self {
    var copy = self
    copy[keyPath: path] = part
    return copy
  }
}
