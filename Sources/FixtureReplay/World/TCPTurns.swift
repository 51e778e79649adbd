/// What the client of a plain TCP connection has said, cut into turns that do not depend on how the bytes were split.
///
/// A pattern of text is compared with a line, without its end, once the line is whole (or the client has ended its side).
/// A pattern with a control byte in it, such as a line end, is compared with the first bytes as soon as as many have
/// come: up to its first `*`, which then takes everything that is there.
struct TCPTurns {
  /// What the bytes so far are.
  enum Turn: Equatable {
    /// The pattern at this position fits these bytes.
    case matched(Int, [UInt8])
    /// No pattern fits this line.
    case unmatched([UInt8])
    /// Nothing can be said yet.
    case needsMore
  }

  /// More without a line end is no dialogue.
  static let longestTurn = 64 * 1024

  /// A slice, from whose start a turn is taken without moving what follows.
  private var unread: ArraySlice<UInt8> = []
  private var hasEnded = false

  /// Whether more has come without making sense than is kept.
  var isTooLong: Bool { unread.count > Self.longestTurn }

  /// How many bytes have come that no turn has taken.
  var count: Int { unread.count }

  /// Takes what the client sent.
  mutating func receive(_ bytes: some Sequence<UInt8>) {
    unread += bytes
  }

  /// Takes note that the client has ended its side.
  mutating func receiveEnd() {
    hasEnded = true
  }

  /// The next turn, taken from what is here.
  mutating func next(among patterns: [Glob]) -> Turn {
    guard !unread.isEmpty else { return .needsMore }
    let line = wholeLine
    for (position, pattern) in patterns.enumerated() {
      if pattern.isOfBytes {
        if let count = pattern.startOfBytes(in: unread) { return .matched(position, take(count)) }
      } else if let line, pattern.matches(unread.prefix(line.length)) {
        return .matched(position, take(line.lengthWithEnd))
      }
    }
    if patterns.contains(where: { $0.isOfBytes && $0.canStillStart(with: unread) && !hasEnded }) {
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
  /// Whether the pattern is for bytes rather than for a line.
  var isOfBytes: Bool { pattern.utf8.contains { $0 < 0x20 && $0 != UInt8(ascii: "\t") || $0 == 0x7F } }

  private var firstPart: Substring.UTF8View.SubSequence { pattern.utf8.prefix { $0 != UInt8(ascii: "*") } }

  /// How many of the bytes fit, or nil when they do not, or not yet.
  fileprivate func startOfBytes(in bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.starts(with: firstPart) else { return nil }
    return hasWildcard ? bytes.count : firstPart.count
  }

  /// Whether more bytes behind these could make them fit.
  fileprivate func canStillStart(with bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count < firstPart.count && Array(firstPart).starts(with: bytes)
  }
}
