internal import ProbeCore

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
    var methodEnd = 0
    while methodEnd < end, bytes[methodEnd].isTokenCharacter { methodEnd += 1 }
    guard methodEnd > 0, methodEnd == end || bytes[methodEnd] == UInt8(ascii: " ") else {
      throw MalformedRequest("the request line does not start with a method")
    }
    let targetStart = min(methodEnd + 1, end)
    var targetEnd = targetStart
    while targetEnd < end, bytes[targetEnd] > 0x20 { targetEnd += 1 }
    guard targetStart < targetEnd, targetEnd == end || bytes[targetEnd] == UInt8(ascii: " ") else {
      throw MalformedRequest("the request line has no target")
    }
    var head = RequestHead(bytes: bytes, methodEnd: methodEnd, target: targetStart..<targetEnd)
    let version = min(targetEnd + 1, end)
    guard end - version == 8, isWord(version..<(version + 5), "HTTP/"),
      bytes[version + 6] == UInt8(ascii: "."), let major = bytes[version + 5].decimalDigit,
      let minor = bytes[version + 7].decimalDigit
    else { throw MalformedRequest("the request line does not end with a version of HTTP") }
    guard major == 1 else { throw MalformedRequest("HTTP/\(major).\(minor) is not spoken here", status: 505) }
    head.minorVersion = minor
    return head
  }

  /// The end of the line at the place, without its line end; the place moves behind that.
  private mutating func lineEnd() throws(MalformedRequest) -> Int {
    var end = place
    while end < bytes.count {
      switch bytes[end] {
      case 0x20..<0x7F, 0x80..., UInt8(ascii: "\t"): end += 1
      case UInt8(ascii: "\n"):
        place = end + 1
        return end
      case UInt8(ascii: "\r"):
        guard end + 1 < bytes.count, bytes[end + 1] == UInt8(ascii: "\n") else {
          throw MalformedRequest("a carriage return inside a line")
        }
        place = end + 2
        return end
      case let byte: throw MalformedRequest("the control byte \(byte) in the head")
      }
    }
    throw MalformedRequest("the line at byte \(place) has no end")
  }

  /// Where the name of a header field ends.
  private func fieldName(_ line: Range<Int>) throws(MalformedRequest) -> Int {
    let first = bytes[line.lowerBound]
    guard first != UInt8(ascii: " "), first != UInt8(ascii: "\t") else {
      throw MalformedRequest("a header field that is folded over two lines")
    }
    var end = line.lowerBound
    while end < line.upperBound, bytes[end].isTokenCharacter { end += 1 }
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

  private func isName(_ start: Int, _ name: StaticString) -> Bool {
    isValue(start..<(start + name.utf8CodeUnitCount), name)
  }

  /// Whether the bytes are this word, given in lower case.
  private func isValue(_ range: Range<Int>, _ word: StaticString) -> Bool {
    isWord(range, word) { $0.asciiLowercased }
  }

  /// Whether the bytes are this word once each is turned into what it stands for.
  private func isWord(
    _ range: Range<Int>, _ word: StaticString, folding fold: (UInt8) -> UInt8 = { $0 }
  ) -> Bool {
    guard range.count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { letters in
      let letters = unsafe letters.span
      return letters.indices.allSatisfy { fold(bytes[range.lowerBound + $0]) == letters[$0] }
    }
  }

  private func hasToken(_ list: Range<Int>, _ token: StaticString) -> Bool {
    if isValue(list, token) { return true }
    guard bytes[list].contains(UInt8(ascii: ",")) else { return false }
    return bytes[list].split(separator: UInt8(ascii: ",")).contains { part in
      isValue(Self.trimmed(part.startIndex..<part.endIndex, of: bytes), token)
    }
  }
}

extension UInt8 {
  /// The value of a decimal digit.
  var decimalDigit: Int? {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) ? Int(self - UInt8(ascii: "0")) : nil
  }
}
