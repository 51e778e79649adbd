/// The bytes from the client of a plain TCP connection, split into turns regardless of their segmentation.
///
/// A text pattern is matched against a line, without its end, when the line is complete or the client has
/// closed its side. A pattern with a control byte, such as a line end, is matched against the first bytes as
/// soon as enough of them are received: it is compared up to its first `*`, which then matches everything
/// received so far.
struct TCPTurnReader {
  /// The result of matching.
  enum Turn: Equatable {
    /// The pattern at this position matches these bytes.
    case matched(Int, [UInt8])
    /// No pattern matches this line.
    case unmatched([UInt8])
    /// More bytes are needed.
    case needsMore
  }

  /// The maximum length of a turn; more bytes without a line end are not a dialogue.
  static let maximumTurnLength = 64 * 1024

  /// A slice, so that a turn can be removed from its start without moving the rest.
  private var unread: ArraySlice<UInt8> = []
  private var hasEnded = false

  /// Whether more unmatched bytes were received than are kept.
  var isTooLong: Bool { unread.count > Self.maximumTurnLength }

  /// The number of received bytes that belong to no turn yet.
  var count: Int { unread.count }

  mutating func receive(_ bytes: some Sequence<UInt8>) {
    unread += bytes
  }

  /// Notes that the client has closed its side.
  mutating func receiveEnd() {
    hasEnded = true
  }

  /// The next turn from the received bytes.
  mutating func next(among patterns: [Glob]) -> Turn {
    guard !unread.isEmpty else { return .needsMore }
    let line = wholeLine
    for (position, pattern) in patterns.enumerated() {
      if pattern.isForBytes {
        if let count = pattern.startOfBytes(in: unread) { return .matched(position, take(count)) }
      } else if let line, pattern.matches(unread.prefix(line.length)) {
        return .matched(position, take(line.lengthWithEnd))
      }
    }
    if patterns.contains(where: { $0.isForBytes && $0.canStillStart(with: unread) && !hasEnded }) {
      return .needsMore
    }
    return line.map { .unmatched(take($0.lengthWithEnd)) } ?? .needsMore
  }

  private var wholeLine: (length: Int, lengthWithEnd: Int)? {
    guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else {
      return hasEnded ? (unread.count, unread.count) : nil
    }
    let length = end - unread.startIndex
    let hasReturn = length > 0 && unread[end - 1] == UInt8(ascii: "\r")
    return (hasReturn ? length - 1 : length, length + 1)
  }

  private mutating func take(_ count: Int) -> [UInt8] {
    defer { unread.removeFirst(count) }
    return Array(unread.prefix(count))
  }
}

extension Glob {
  /// Whether the pattern is for bytes instead of a line.
  var isForBytes: Bool { pattern.utf8.contains { $0 < 0x20 && $0 != UInt8(ascii: "\t") || $0 == 0x7F } }

  private var firstPart: Substring.UTF8View.SubSequence { pattern.utf8.prefix { $0 != UInt8(ascii: "*") } }

  /// How many of the bytes match, or nil if they do not, or not yet.
  fileprivate func startOfBytes(in bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.starts(with: firstPart) else { return nil }
    return hasWildcard ? bytes.count : firstPart.count
  }

  /// Whether the pattern could match when more bytes are received.
  fileprivate func canStillStart(with bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count < firstPart.count && Array(firstPart).starts(with: bytes)
  }
}
