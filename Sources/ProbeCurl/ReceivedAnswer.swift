/// The head and body of an answer as they come in, kept to their limits.
///
/// Told each header line and each piece of decoded body; says whether to go on. No I/O.
package struct ReceivedAnswer: Sendable {
  /// Why receiving was ended early.
  package enum Limit: Hashable, Sendable {
    /// The head was larger than its limit.
    case head
    /// The body was larger than its limit; what was kept is a true beginning of it.
    case body
  }

  /// The bytes of the last head, status line first; interim (1xx) heads before it are dropped.
  package private(set) var head: [UInt8] = []
  /// Whether the head's empty last line came.
  ///
  /// libcurl reports success when a server hangs up inside a head; a probe must not take the rest of a Location
  /// header for the whole of it.
  package private(set) var headIsComplete = false
  /// Whether the head is that of an interim answer (1xx, RFC 9110 §15.2), behind which another one must come.
  package var headIsInterim: Bool {
    guard let space = head.firstIndex(of: UInt8(ascii: " ")) else { return false }
    let code = head[(space + 1)...].prefix(3)
    return code.count == 3 && code.first == UInt8(ascii: "1")
  }
  /// The lines of the head that came whole, line ends included: half a Location leads elsewhere.
  package var wholeLines: [UInt8] {
    guard !headIsComplete, head.last != UInt8(ascii: "\n") else { return head }
    return Array(head[..<(head.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)])
  }
  /// The decoded body, never more than its limit.
  package private(set) var body: [UInt8] = []
  /// The limit that ended it.
  package private(set) var limit: Limit?

  /// Room for most heads, so that it need not grow line by line.
  private static let usualHead = 512

  private let maxHead: Int
  private let maxBody: Int
  private var headBytes = 0

  init(maxHead: Int, maxBody: Int) {
    self.maxHead = maxHead
    self.maxBody = maxBody
  }

  /// Takes a line of a head, or of a trailer section.
  ///
  /// - Returns: false when the transfer must end.
  mutating func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    headBytes += line.count
    guard headBytes <= maxHead else {
      limit = .head
      return false
    }
    if headIsComplete {
      // Behind a complete head stands the next one (after 1xx), or a trailer, which no one asked for.
      guard unsafe line.starts(with: "HTTP/".utf8) else { return true }
      head.removeAll(keepingCapacity: true)
      headIsComplete = false
    }
    if head.isEmpty { head.reserveCapacity(Self.usualHead) }
    unsafe head.append(contentsOf: line)
    // The empty line is CRLF, or LF alone from servers that do not know better.
    let (carriageReturn, lineFeed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    switch line.count {
    case 1: headIsComplete = unsafe line[0] == lineFeed
    case 2: headIsComplete = unsafe line[0] == carriageReturn && line[1] == lineFeed
    default: headIsComplete = false
    }
    return true
  }

  /// Takes a piece of body.
  ///
  /// - Returns: false when the transfer must end.
  mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let room = maxBody - body.count
    guard bytes.count <= room else {
      unsafe body.append(contentsOf: bytes.prefix(room))
      limit = .body
      return false
    }
    unsafe body.append(contentsOf: bytes)
    return true
  }
}
