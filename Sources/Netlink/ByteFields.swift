/// Reading and writing what the kernel puts in its messages: numbers in this machine's own byte order.
extension ArraySlice<UInt8> {
  /// The number at an offset from the start, or nil where there are not enough bytes for it.
  func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type = Number.self) -> Number? {
    let size = MemoryLayout<Number>.size
    guard offset >= 0, count >= size, offset <= count - size else { return nil }
    let start = startIndex + offset
    var number: Number = 0
    unsafe Swift.withUnsafeMutableBytes(of: &number) { unsafe $0.copyBytes(from: self[start..<start + size]) }
    return number
  }

  /// A text that ends at its first NUL byte, or where the bytes do.
  var terminatedText: String {
    String(decoding: prefix { $0 != 0 }, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends a number.
  mutating func append(number: some FixedWidthInteger) {
    unsafe Swift.withUnsafeBytes(of: number) { unsafe append(contentsOf: $0) }
  }
}
