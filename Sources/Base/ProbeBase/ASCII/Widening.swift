/// Conversions of narrow integers to wider ones, which cannot fail.
///
/// There are only those that hold every value, so that the compiler refuses any other: instead of `Int(number)`,
/// which ends the process if the number does not fit, and accepts a number of any type. Conversions of other
/// integers have the label `clamping:`, `exactly:` or `truncatingIfNeeded:`, which names the treatment of the others.
extension Int {
  @inlinable package init(widening number: UInt8) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt16) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt32) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: Int8) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: Int16) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: Int32) { self.init(truncatingIfNeeded: number) }
}

extension Int64 {
  @inlinable package init(widening number: UInt8) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt16) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt32) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: Int32) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: Int) { self.init(truncatingIfNeeded: number) }
}

extension UInt {
  @inlinable package init(widening number: UInt8) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt16) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt32) { self.init(truncatingIfNeeded: number) }
}

extension UInt64 {
  @inlinable package init(widening number: UInt8) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt16) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt32) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt) { self.init(truncatingIfNeeded: number) }
}

extension UInt32 {
  @inlinable package init(widening number: UInt8) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt16) { self.init(truncatingIfNeeded: number) }
}

extension Int32 {
  @inlinable package init(widening number: UInt8) { self.init(truncatingIfNeeded: number) }
  @inlinable package init(widening number: UInt16) { self.init(truncatingIfNeeded: number) }
}

extension UInt16 {
  @inlinable package init(widening number: UInt8) { self.init(truncatingIfNeeded: number) }
}

extension UInt128 {
  @inlinable package init(widening number: UInt8) { self.init(truncatingIfNeeded: number) }
}
