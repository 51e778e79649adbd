internal import CProbePCRE2

/// A named group of a pattern.
struct NamedGroup: Hashable, Sendable {
  let name: String
  let number: Int

  /// The named groups of a pattern, in the order of their names.
  ///
  /// The library stores a table with entries of fixed size: two bytes with the number, the name, a zero byte.
  static func all(of code: OpaquePointer) -> [NamedGroup] {
    var count: UInt32 = 0
    var size: UInt32 = 0
    var table: UnsafePointer<UInt8>?
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMECOUNT), &count)
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMEENTRYSIZE), &size)
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMETABLE), &table)
    guard let table = unsafe table, count > 0, size > 3 else { return [] }
    let entries = unsafe UnsafeBufferPointer(start: table, count: Int(clamping: count) * Int(clamping: size))
    return (0..<Int(clamping: count)).map { index in
      let entry = unsafe entries[(index * Int(clamping: size))..<((index + 1) * Int(clamping: size))]
      let start = unsafe entry.startIndex
      let name = unsafe entry.dropFirst(2).prefix { $0 != 0 }
      return unsafe NamedGroup(
        name: String(decoding: name, as: UTF8.self),
        number: Int(clamping: entry[start]) << 8 | Int(clamping: entry[start + 1]))
    }
  }
}
