internal import ProbeBase

/// The head of a request, parsed strictly (RFC 9112 §3, §5, §6).
package struct RequestParts: Hashable, Sendable {
  package let method: Range<Int>
  /// The range of the target, such as `/path?query`.
  package let target: Range<Int>
  /// The minor version: the last digit of `HTTP/1.1`.
  package let minorVersion: Int
  /// The range of the Host field's value; nil if there is none.
  package private(set) var host: Range<Int>?
  /// The way in which the end of the content is determined: by its length or by its chunks.
  package private(set) var framing = Framing.none
  /// Whether the client waits for `100 Continue` before it sends the content (RFC 9110 §10.1.1).
  package private(set) var expectsContinue = false
  /// Whether the client requests that the connection be closed after the response (RFC 9112 §9.3).
  package var endsConnection: Bool { wantsClose || (minorVersion == 0 && !wantsKeepAlive) }

  private var wantsClose = false
  private var wantsKeepAlive = false

  /// Parses a head that ends with its empty line.
  ///
  /// - Throws: ``HTTPMessageError`` for the first error.
  package init(_ bytes: Span<UInt8>) throws(HTTPMessageError) {
    var position = 0
    (method, target, minorVersion) = try Self.requestLine(try bytes.strictLine(&position), of: bytes)
    var framing = FramingFields()
    while position < bytes.count {
      let line = try bytes.strictLine(&position)
      if line.isEmpty { break }
      let field = try FieldPosition(strict: line, of: bytes)
      switch field.name.count {
      case 4 where field.isNamed("host", in: bytes):
        guard host == nil else { throw HTTPMessageError("two Host fields") }
        host = field.value
      case 10 where field.isNamed("connection", in: bytes):
        for word in bytes.listed(field.value) {
          wantsClose = wantsClose || bytes.isWord(word, "close")
          wantsKeepAlive = wantsKeepAlive || bytes.isWord(word, "keep-alive")
        }
      case 6 where field.isNamed("expect", in: bytes):
        guard bytes.isWord(field.value, "100-continue") else {
          throw HTTPMessageError("an expectation other than 100-continue", status: 417)
        }
        // Expectations of HTTP/1.0 clients are ignored (RFC 9110 §10.1.1).
        expectsContinue = minorVersion > 0
      default: framing.note(field, of: bytes)
      }
    }
    self.framing = try Self.framing(framing, of: bytes, minorVersion)
    try check(host, in: bytes)
  }

  private static func requestLine(
    _ line: Range<Int>, of bytes: Span<UInt8>
  ) throws(HTTPMessageError) -> (method: Range<Int>, target: Range<Int>, minorVersion: Int) {
    let end = line.upperBound
    var methodEnd = 0
    while methodEnd < end, bytes[methodEnd].isTokenCharacter { methodEnd += 1 }
    guard methodEnd > 0, methodEnd == end || bytes[methodEnd] == UInt8(ascii: " ") else {
      throw HTTPMessageError("the request line does not start with a method")
    }
    let targetStart = min(methodEnd + 1, end)
    var targetEnd = targetStart
    while targetEnd < end, bytes[targetEnd] > 0x20 { targetEnd += 1 }
    guard targetStart < targetEnd, targetEnd == end || bytes[targetEnd] == UInt8(ascii: " ") else {
      throw HTTPMessageError("the request line has no target")
    }
    let version = min(targetEnd + 1, end)
    guard end - version == 8, bytes.hasText("HTTP/", at: version), bytes[version + 6] == UInt8(ascii: "."),
      let major = bytes.decimal((version + 5)..<(version + 6)),
      let minor = bytes.decimal((version + 7)..<end)
    else { throw HTTPMessageError("the request line does not end with a version of HTTP") }
    guard major == 1 else { throw HTTPMessageError("HTTP/\(major).\(minor) is not spoken here", status: 505) }
    return (0..<methodEnd, targetStart..<targetEnd, minor)
  }

  /// Checks that an HTTP/1.1 request has a valid Host field (RFC 9112 §3.2).
  private func check(_ host: Range<Int>?, in bytes: Span<UInt8>) throws(HTTPMessageError) {
    guard let host else {
      if minorVersion == 0 { return }
      throw HTTPMessageError("no Host field")
    }
    for index in host where !bytes[index].isHostCharacter {
      throw HTTPMessageError("a Host field that names no host")
    }
  }

  private static func framing(
    _ fields: FramingFields, of bytes: Span<UInt8>, _ minorVersion: Int
  ) throws(HTTPMessageError) -> Framing {
    let length = try fields.length(in: bytes, .strict)
    guard fields.hasCodings else { return length.map(Framing.length) ?? .none }
    guard fields.codings.count == 1, fields.isChunked(in: bytes) else {
      throw HTTPMessageError("a transfer coding other than chunked", status: 501)
    }
    if length != nil { throw HTTPMessageError("both Content-Length and Transfer-Encoding") }
    if minorVersion == 0 { throw HTTPMessageError("Transfer-Encoding in HTTP/1.0") }
    return .chunked
  }
}

extension UInt8 {
  /// Whether a host and port may contain it (RFC 3986 §3.2.2): a letter, a digit, or one of
  /// `-._~%!$&'()*+,;=:[]`.
  fileprivate var isHostCharacter: Bool {
    isASCIILetter || isASCIIDigit || "-._~%!$&'()*+,;=:[]".utf8.contains(self)
  }
}
