/// The reason why bytes are not a valid HTTP/1 message.
package struct HTTPMessageError: Error, Hashable, Sendable {
  /// The status of a server's response to it, such as 400.
  package let status: Int
  /// The error, in words that follow "the client sent" or "the server sent".
  package let reason: String

  /// The bytes do not start with a status line.
  package static let noStatusLine = HTTPMessageError("no status line")
  /// The lengths of the content contradict each other.
  package static let differentLengths = HTTPMessageError("two Content-Length fields that differ")

  package init(_ reason: String, status: Int = 400) {
    self.reason = reason
    self.status = status
  }
}

/// Violations of RFC 9112 in a response that a lenient parser accepts.
package struct Leniencies: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  package static let bytesBeforeStatusLine = Leniencies(rawValue: 1 << 0)
  /// The status line has no status, which then counts as 200.
  package static let noStatus = Leniencies(rawValue: 1 << 1)
  /// The status has fewer than three digits.
  package static let shortStatus = Leniencies(rawValue: 1 << 2)
  /// The version is not a digit, a dot and a digit.
  package static let oddVersion = Leniencies(rawValue: 1 << 3)
  /// There is more than one space before the status.
  package static let spacesBeforeStatus = Leniencies(rawValue: 1 << 4)
  /// A line ends in LF alone.
  package static let bareLineFeed = Leniencies(rawValue: 1 << 5)
  /// A line of the head is not a field, and is ignored.
  package static let noField = Leniencies(rawValue: 1 << 6)
  /// There is white space between a field's name and its colon.
  package static let spaceBeforeColon = Leniencies(rawValue: 1 << 7)
  /// A field is folded over several lines.
  package static let foldedLine = Leniencies(rawValue: 1 << 8)
  /// A Content-Length is not a length, and is ignored.
  package static let noLength = Leniencies(rawValue: 1 << 9)
  /// There is a Content-Length together with chunked coding; the Content-Length is ignored.
  package static let lengthAndChunks = Leniencies(rawValue: 1 << 10)
  /// A transfer coding is unknown, and is ignored.
  package static let unknownTransferCoding = Leniencies(rawValue: 1 << 11)
  /// An HTTP/1.0 response has chunked coding, which that version does not have.
  package static let chunksBeforeHTTP11 = Leniencies(rawValue: 1 << 12)
}
