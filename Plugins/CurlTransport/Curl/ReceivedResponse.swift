/// The head and body of a response while they are received, kept within their limits.
///
/// It receives each header line and each piece of decoded body, and returns whether to continue. It does no
/// I/O.
package struct ReceivedResponse: Sendable {
  /// The reason why receiving ended early.
  package enum Limit: Hashable, Sendable {
    /// The head exceeded its limit.
    case head
    /// The body exceeded its limit; its beginning was kept.
    case body
  }

  /// The bytes of the last head, status line first; interim (1xx) heads before it are dropped.
  package private(set) var head: [UInt8] = []
  /// Whether the empty last line of the head was received.
  ///
  /// libcurl reports success if a server closes the connection inside a head; a probe must not treat a
  /// truncated Location field as complete.
  package private(set) var headIsComplete = false
  /// Whether the head is that of an interim response (1xx, RFC 9110 §15.2), which another one must follow.
  var headIsInterim: Bool {
    guard let space = head.firstIndex(of: UInt8(ascii: " ")) else { return false }
    let code = head[(space + 1)...].prefix(3)
    return code.count == 3 && code.first == UInt8(ascii: "1")
  }
  /// The complete lines of the head, including line ends: a truncated Location is another URL.
  var wholeLines: [UInt8] {
    guard !headIsComplete, head.last != UInt8(ascii: "\n") else { return head }
    return Array(head[..<(head.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)])
  }
  /// The decoded body, never longer than its limit; empty if it is not kept.
  package private(set) var body: [UInt8] = []
  /// The limit that ended the transfer.
  package private(set) var limit: Limit?

  /// The initial capacity, which suffices for most heads.
  private static let usualHead = 512

  private let maxHead: Int
  private var maxBody: Int
  private let keepsBody: Bool
  /// The number of bytes of the body that were not kept.
  private var droppedBytes = 0
  private var headBytes = 0

  init(maxHead: Int, maxBody: Int, keepsBody: Bool = true) {
    self.maxHead = maxHead
    self.maxBody = maxBody
    self.keepsBody = keepsBody
  }

  /// Adds a line of a head or of a trailer section.
  ///
  /// - Returns: false if the transfer must end.
  mutating func receiveHeader(_ line: UnsafeRawBufferPointer) -> Bool {
    headBytes += line.count
    guard headBytes <= maxHead else {
      limit = .head
      return false
    }
    if headIsComplete {
      // After a complete head there is another one (after 1xx), or a trailer, which is not needed.
      guard unsafe line.starts(with: "HTTP/".utf8) else { return true }
      head.removeAll(keepingCapacity: true)
      headIsComplete = false
    }
    if head.isEmpty { head.reserveCapacity(Self.usualHead) }
    unsafe head.append(contentsOf: line)
    // The empty line is CRLF, or LF alone from nonconforming servers.
    let (carriageReturn, lineFeed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
    switch line.count {
    case 1: headIsComplete = unsafe line[0] == lineFeed
    case 2: headIsComplete = unsafe line[0] == carriageReturn && line[1] == lineFeed
    default: headIsComplete = false
    }
    return true
  }

  /// The number of further bytes of the body that fit.
  var room: Int { maxBody - body.count - droppedBytes }

  /// Allows for more bytes of the body.
  mutating func extend(by count: Int) {
    maxBody += count
  }

  /// Adds a piece of the body.
  ///
  /// - Returns: false if the transfer must end.
  mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let room = room
    guard keepsBody else {
      droppedBytes += min(bytes.count, room)
      if bytes.count > room { limit = .body }
      return bytes.count <= room
    }
    guard bytes.count <= room else {
      unsafe body.append(contentsOf: bytes.prefix(room))
      limit = .body
      return false
    }
    unsafe body.append(contentsOf: bytes)
    return true
  }
}
