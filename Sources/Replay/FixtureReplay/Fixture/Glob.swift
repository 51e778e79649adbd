internal import ProbeCore

/// A pattern in which `*` matches any sequence of bytes, including the empty one.
public struct Glob: Hashable, Sendable {
  /// The pattern as written.
  public let pattern: String
  private let bytes: [UInt8]
  private let isCaseSensitive: Bool
  /// Whether it matches everything.
  let matchesAll: Bool
  /// Whether the pattern contains `*`.
  package let hasWildcard: Bool
  /// Whether the pattern contains `?`; as a pattern for paths, it is then compared with path and query.
  let asksForQuery: Bool

  /// Creates a pattern.
  ///
  /// - Parameters:
  ///   - pattern: The text; only `*` is special.
  ///   - isCaseSensitive: Whether ASCII letters match only in the same case.
  public init(_ pattern: String, isCaseSensitive: Bool = true) {
    self.pattern = pattern
    self.isCaseSensitive = isCaseSensitive
    bytes = isCaseSensitive ? Array(pattern.utf8) : pattern.utf8.map(\.asciiLowercased)
    hasWildcard = bytes.contains(UInt8(ascii: "*"))
    asksForQuery = bytes.contains(UInt8(ascii: "?"))
    matchesAll = !pattern.utf8.isEmpty && pattern.utf8.allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// The number of literal bytes.
  var literalCount: Int { bytes.count { $0 != UInt8(ascii: "*") } }

  /// Whether the pattern matches the whole text.
  ///
  /// The time is at most proportional to the product of the two lengths.
  package func matches<Text: Collection<UInt8>>(_ text: Text) -> Bool {
    if matchesAll { return true }
    if !hasWildcard, text.count != bytes.count { return false }
    var position = text.startIndex
    var next = 0
    // Where to continue when the bytes after the last star do not match: one byte further each time.
    var retry: (text: Text.Index, pattern: Int)?
    while position < text.endIndex {
      if next < bytes.count, bytes[next] == UInt8(ascii: "*") {
        next += 1
        retry = (position, next)
      } else if next < bytes.count, bytes[next] == folded(text[position]) {
        next += 1
        position = text.index(after: position)
      } else if let last = retry {
        position = text.index(after: last.text)
        next = last.pattern
        retry = (position, next)
      } else {
        return false
      }
    }
    return bytes[next...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// Whether the pattern matches the whole text.
  public func matches(_ text: String) -> Bool {
    matches(text.utf8)
  }

  private func folded(_ byte: UInt8) -> UInt8 {
    isCaseSensitive ? byte : byte.asciiLowercased
  }
}

extension Glob: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates a case-sensitive pattern.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// The pattern as written.
  public var description: String { pattern }
}
