/// Reads the head of a request, strictly: what two servers could understand differently is refused (RFC 9112 §11.2).
///
/// One thing is taken as well as its proper form: a line may end with LF alone (§2.2).
struct RequestHeadReader {
  private let bytes: [UInt8]
  private var place = 0

  /// Reads a head that ends with its empty line.
  ///
  /// - Throws: ``MalformedRequest`` for the first thing that is wrong.
  static func read(_ bytes: [UInt8]) throws(MalformedRequest) -> RequestHead {
    var reader = RequestHeadReader(bytes: bytes)
    return try reader.head()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A range of bytes without the white space around it.
  static func trimmed(_ range: Range<Int>, of bytes: [UInt8]) -> Range<Int> {
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, isSpace(bytes[start]) { start += 1 }
    while start < end, isSpace(bytes[end - 1]) { end -= 1 }
    return start..<end
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }
}

extension RequestHeadReader {
  private mutating func head() throws(MalformedRequest) -> RequestHead {
    var head = try requestLine()
    var lengths = 0
    while place < bytes.count {
      let start = place
      let end = try lineEnd()
      if start == end { break }
      let colon = try fieldName(start..<end)
      let value = Self.trimmed((colon + 1)..<end, of: bytes)
      switch colon - start {
      case 4 where isName(start, "host"):
        guard head.hostField == nil else { throw MalformedRequest("two Host fields") }
        head.hostField = value
      case 14 where isName(start, "content-length"):
        lengths += 1
        let length = try contentLength(value)
        guard lengths == 1 || head.contentLength == length else {
          throw MalformedRequest("two Content-Length fields that differ")
        }
        head.contentLength = length
      case 17 where isName(start, "transfer-encoding"):
        guard !head.isChunked, isValue(value, "chunked") else {
          throw MalformedRequest("a transfer coding other than chunked", status: 501)
        }
        head.isChunked = true
      case 10 where isName(start, "connection"):
        head.wantsClose = head.wantsClose || hasToken(value, "close")
        head.wantsKeepAlive = head.wantsKeepAlive || hasToken(value, "keep-alive")
      case 6 where isName(start, "expect"):
        guard isValue(value, "100-continue") else {
          throw MalformedRequest("an expectation other than 100-continue", status: 417)
        }
        // Expectations of HTTP/1.0 clients count for nothing (RFC 9110 §10.1.1).
        head.expectsContinue = head.minorVersion > 0
      default: break
      }
    }
    if head.isChunked, head.contentLength != nil {
      throw MalformedRequest("both Content-Length and Transfer-Encoding")
    }
    if head.isChunked, head.minorVersion == 0 {
      throw MalformedRequest("Transfer-Encoding in HTTP/1.0")
    }
    return head
  }

  private mutating func requestLine() throws(MalformedRequest) -> RequestHead {
    let end = try lineEnd()
    let methodEnd = bytes[..<end].firstIndex(of: UInt8(ascii: " ")) ?? end
    guard methodEnd > 0, bytes[..<methodEnd].allSatisfy(\.isTokenByte) else {
      throw MalformedRequest("the request line does not start with a method")
    }
    let targetStart = min(methodEnd + 1, end)
    let targetEnd = bytes[targetStart..<end].firstIndex(of: UInt8(ascii: " ")) ?? end
    guard targetStart < targetEnd, bytes[targetStart..<targetEnd].allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else { throw MalformedRequest("the request line has no target") }
    var head = RequestHead(bytes: bytes, methodEnd: methodEnd, target: targetStart..<targetEnd)
    let version = bytes[min(targetEnd + 1, end)..<end]
    guard version.count == 8, version.starts(with: "HTTP/".utf8),
      version[version.startIndex + 6] == UInt8(ascii: "."),
      let major = version[version.startIndex + 5].decimalDigit,
      let minor = version[version.startIndex + 7].decimalDigit
    else { throw MalformedRequest("the request line does not end with a version of HTTP") }
    guard major == 1 else { throw MalformedRequest("HTTP/\(major).\(minor) is not spoken here", status: 505) }
    head.minorVersion = minor
    return head
  }

  /// The end of the line at the place, without its line end; the place moves behind that.
  private mutating func lineEnd() throws(MalformedRequest) -> Int {
    let start = place
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\n") {
        place += 1
        return place - 1
      }
      if byte == UInt8(ascii: "\r") {
        guard place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: "\n") else {
          throw MalformedRequest("a carriage return inside a line")
        }
        place += 2
        return place - 2
      }
      if byte < 0x20 ? byte != UInt8(ascii: "\t") : byte == 0x7F {
        throw MalformedRequest("the control byte \(byte) in the head")
      }
      place += 1
    }
    throw MalformedRequest("the line at byte \(start) has no end")
  }

  /// Where the name of a header field ends.
  private func fieldName(_ line: Range<Int>) throws(MalformedRequest) -> Int {
    let first = bytes[line.lowerBound]
    guard first != UInt8(ascii: " "), first != UInt8(ascii: "\t") else {
      throw MalformedRequest("a header field that is folded over two lines")
    }
    var end = line.lowerBound
    while end < line.upperBound, bytes[end].isTokenByte { end += 1 }
    guard end < line.upperBound, end > line.lowerBound, bytes[end] == UInt8(ascii: ":") else {
      throw MalformedRequest("a header line that is no name and a colon")
    }
    return end
  }

  private func contentLength(_ value: Range<Int>) throws(MalformedRequest) -> Int {
    var length = 0
    for byte in bytes[value] {
      guard let digit = byte.decimalDigit, length < 1 << 48 else {
        throw MalformedRequest("a Content-Length that is no length")
      }
      length = length * 10 + digit
    }
    guard !value.isEmpty else { throw MalformedRequest("a Content-Length that is no length") }
    return length
  }

  private func isName(_ start: Int, _ name: String) -> Bool {
    isValue(start..<(start + name.utf8.count), name)
  }

  /// Whether the bytes are this word, given in lower case.
  private func isValue(_ range: Range<Int>, _ word: String) -> Bool {
    guard range.count == word.utf8.count else { return false }
    return bytes[range].lazy.map(\.asciiLowercased).elementsEqual(word.utf8)
  }

  private func hasToken(_ list: Range<Int>, _ token: String) -> Bool {
    if isValue(list, token) { return true }
    guard bytes[list].contains(UInt8(ascii: ",")) else { return false }
    return bytes[list].split(separator: UInt8(ascii: ",")).contains { part in
      isValue(Self.trimmed(part.startIndex..<part.endIndex, of: bytes), token)
    }
  }
}

extension UInt8 {
  /// Whether the byte may stand in a token (RFC 9110 §5.6.2).
  var isTokenByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: Self.tokenMarks.contains(self)
    }
  }

  private static let tokenMarks = Array("!#$%&'*+-.^_`|~".utf8)

  /// The value of a decimal digit.
  var decimalDigit: Int? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) ? Int(self - UInt8(ascii: "0")) : nil
  }
}
