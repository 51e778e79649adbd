/// How a response breaks RFC 9112 where a lenient reader takes it all the same.
package struct Leniencies: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Bytes stand before the status line.
  package static let bytesBeforeStatusLine = Leniencies(rawValue: 1 << 0)
  /// The status line has no status, which is 200 then.
  package static let noStatus = Leniencies(rawValue: 1 << 1)
  /// The status has not three digits.
  package static let shortStatus = Leniencies(rawValue: 1 << 2)
  /// The version is not a digit, a dot and a digit.
  package static let oddVersion = Leniencies(rawValue: 1 << 3)
  /// More than one space stands before the status.
  package static let spacesBeforeStatus = Leniencies(rawValue: 1 << 4)
  /// A line ends in LF alone.
  package static let bareLineFeed = Leniencies(rawValue: 1 << 5)
  /// A line of the head is no field, and is passed over.
  package static let noField = Leniencies(rawValue: 1 << 6)
  /// White space stands between a field's name and its colon.
  package static let spaceBeforeColon = Leniencies(rawValue: 1 << 7)
  /// A field goes on in another line.
  package static let foldedLine = Leniencies(rawValue: 1 << 8)
  /// A Content-Length is no length, and counts for nothing.
  package static let noLength = Leniencies(rawValue: 1 << 9)
  /// There are both a Content-Length and chunks, which count.
  package static let lengthAndChunks = Leniencies(rawValue: 1 << 10)
  /// A transfer coding is unknown, and counts for nothing.
  package static let unknownTransferCoding = Leniencies(rawValue: 1 << 11)
  /// There are chunks in an answer of HTTP/1.0, which has none.
  package static let chunksBeforeHTTP11 = Leniencies(rawValue: 1 << 12)
}
