internal import ProbeCore
internal import ProbeJSON

extension JSONValue {
  /// Whether two values are equal in JSON's data model.
  ///
  /// Numbers are compared by value, regardless of their notation. The order of an object's members is
  /// ignored. Strings are compared by code points.
  func isEqual(to other: JSONValue) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.string(let left), .string(let right)): return left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
    case (.object(let left), .object(let right)):
      guard left.count == right.count else { return false }
      // Use a dictionary: looking up each name in a list takes quadratic time.
      let values = Dictionary(
        right.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { first, _ in first })
      return left.allSatisfy { values[Array($0.name.utf8)]?.isEqual(to: $0.value) == true }
    default: return order(to: other) == 0
    }
  }

  /// A negative number, 0 or a positive one, if the value is less than, equal to or greater than another; nil
  /// unless both are numbers.
  ///
  /// Numbers are compared as decimals, without rounding.
  func order(to other: JSONValue) -> Int? {
    if case (.integer(let left), .integer(let right)) = (self, other) {
      return left < right ? -1 : left == right ? 0 : 1
    }
    guard let left = number, let right = other.number else { return nil }
    return left.order(to: right)
  }
}
