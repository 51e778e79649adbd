internal import ProbeJansson

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
  /// Integers and fractions are compared exactly, without rounding an integer to a double.
  func order(to other: JSONValue) -> Int? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right ? -1 : left == right ? 0 : 1
    case (.real(let left), .real(let right)): left < right ? -1 : left == right ? 0 : 1
    case (.integer(let left), .real(let right)): Self.order(left, right)
    case (.real(let left), .integer(let right)): 0 - Self.order(right, left)
    default: nil
    }
  }

  private static func order(_ left: Int, _ right: Double) -> Int {
    // 2^63 and more, or less than -2^63.
    guard let floor = Int(exactly: right.rounded(.down)) else { return right < 0 ? 1 : -1 }
    if left != floor { return left < floor ? -1 : 1 }
    return right > Double(floor) ? -1 : 0
  }
}
