import FixtureReplay
internal import ProbeHTTPWire
import ProbeCore

/// An answer taken apart, so that what a recording has left out can be put right; everything else stays byte for byte.
struct RecordedAnswer {
  /// One line of a head with its end and with the folded lines behind it.
  struct Field {
    /// The name in lower case, empty for a line that is no field.
    var name: String
    var bytes: [UInt8]
  }

  /// A status line and what follows it up to the empty line.
  struct Head {
    /// The status line with its end.
    var statusLine: [UInt8]
    var fields: [Field]
    /// The empty line, or nothing when the answer ends before it.
    var emptyLine: [UInt8]
  }

  /// The heads of interim responses in front of the answer.
  var interim: [Head] = []
  var head: Head
  var body: [UInt8]

  /// An answer from its parts.
  init(head: Head, body: [UInt8]) {
    self.head = head
    self.body = body
  }

  /// An answer from its bytes, interim responses in front of it included.
  ///
  /// - Returns: nil when they do not begin as an answer of HTTP.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard var (head, rest) = Self.head(at: bytes) else { return nil }
    while head.isInterim, let next = Self.head(at: rest) {
      interim.append(head)
      (head, rest) = next
    }
    self.head = head
    body = Array(rest)
  }

  /// The whole answer.
  var bytes: [UInt8] {
    (interim + [head]).flatMap(\.bytes) + body
  }
}

extension RecordedAnswer {
  /// Whether bytes begin as a head does.
  static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
    StatusLine.starts(in: bytes.span, at: 0)
  }

  private static func head(at bytes: ArraySlice<UInt8>) -> (Head, rest: ArraySlice<UInt8>)? {
    guard begins(bytes) else { return nil }
    let lines = HeadLines(bytes.span)
    func line(_ range: Range<Int>) -> [UInt8] { Array(bytes.dropFirst(range.lowerBound).prefix(range.count)) }
    let head = Head(
      statusLine: line(lines.startLine), fields: lines.fields.map { Field(line: line($0)) },
      emptyLine: line(lines.emptyLine))
    return (head, bytes.dropFirst(lines.end))
  }
}

extension RecordedAnswer.Head {
  var bytes: [UInt8] {
    statusLine + fields.flatMap(\.bytes) + emptyLine
  }

  /// The status code, or nil when there is none.
  var status: Int? { status(of: statusLine)?.status }

  /// Whether the answer is still to come behind it.
  var isInterim: Bool { status(of: statusLine)?.isInterim ?? false }

  private func status(of line: [UInt8]) -> StatusLine? { StatusLine(line.indices, of: line.span) }

  /// The value of the first field with this name, given in lower case.
  func value(of name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// Makes HTTP/2 and HTTP/3 HTTP/1.1.
  ///
  /// - Returns: Whether it was another version.
  mutating func speakHTTP1() -> Bool {
    let version = statusLine.prefix { $0 != 0x20 && !$0.isLineSpace }
    guard ["HTTP/2", "HTTP/2.0", "HTTP/3", "HTTP/3.0"].contains(where: { version.elementsEqual($0.utf8) })
    else { return false }
    statusLine.replaceSubrange(..<version.endIndex, with: "HTTP/1.1".utf8)
    return true
  }

  /// Lets Content-Length be the length of a body, where it or a field to be left out stood, or else at the end.
  ///
  /// - Parameters:
  ///   - length: The length.
  ///   - names: The fields to leave out besides, in lower case.
  mutating func setLength(_ length: Int, without names: Set<String> = []) {
    let place =
      fields.firstIndex { $0.name == "content-length" } ?? fields.firstIndex { names.contains($0.name) }
    let field = RecordedAnswer.Field(line: Array("Content-Length: \(length)\r\n".utf8))
    var mended: [RecordedAnswer.Field] = []
    for (index, old) in fields.enumerated() {
      if index == place {
        mended.append(field)
      } else if old.name != "content-length", !names.contains(old.name) {
        mended.append(old)
      }
    }
    fields = place == nil ? mended + [field] : mended
  }
}

extension RecordedAnswer.Field {
  /// A field from its line and the lines folded to it.
  init(line: [UInt8]) {
    let name = FieldPlace(line.indices, of: line.span).map { line[$0.name] } ?? []
    self.init(name: String(decoding: name, as: UTF8.self).lowercased(), bytes: line)
  }

  /// The value without the white space around it.
  var value: String {
    let value = FieldPlace(bytes.indices, of: bytes.span).map { bytes[$0.value] } ?? []
    return String(decoding: value, as: UTF8.self)
  }
}

extension UInt8 {
  /// Whether it is white space that may stand around a value or at the end of a line.
  var isLineSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

/// Making a head true again where a recording keeps another body than the one that was on the wire.
extension RecordedAnswer {
  /// Whether there can be content (RFC 9110 §6.4.1).
  func allowsContent(to method: String) -> Bool {
    guard let status = head.status else { return true }
    return method != "HEAD" && status >= 200 && status != 204 && status != 304
  }

  /// Makes HTTP/2 and HTTP/3 HTTP/1.1, in which an answer without a length ends with its connection.
  ///
  /// - Returns: What that loses.
  mutating func speakHTTP1(to method: String) -> [ImportLoss] {
    for index in interim.indices { _ = interim[index].speakHTTP1() }
    guard head.speakHTTP1() else { return [] }
    if allowsContent(to: method), !head.emptyLine.isEmpty, head.value(of: "content-length") == nil,
      head.value(of: "transfer-encoding") == nil
    {
      head.setLength(body.count)
    }
    return [.version]
  }

  /// Leaves out what a head says of chunks and content coding, because the body has neither.
  ///
  /// - Returns: What that loses.
  mutating func dropCodings(to method: String) -> [ImportLoss] {
    guard allowsContent(to: method) else { return [] }
    var losses: [ImportLoss] = []
    let hasChunks = head.value(of: "transfer-encoding") != nil
    if hasChunks { losses.append(.chunks) }
    let coding = head.value(of: "content-encoding")
    if let coding, coding.lowercased() != "identity" { losses.append(.coding) }
    let length = head.value(of: "content-length")
    let isWrong = length != nil && length != "\(body.count)"
    guard hasChunks || coding != nil || isWrong else { return losses }
    head.setLength(body.count, without: ["transfer-encoding", "content-encoding"])
    return losses.isEmpty && isWrong ? [.length] : losses
  }

  /// Puts right what a program has left standing in the head that took chunks or the content coding off the body.
  ///
  /// A body that is not as its head says may have come like that. It is taken for the program's doing where a body is
  /// no chunks at all, and where one is not packed and its announced length was not true of it.
  ///
  /// - Returns: What that loses.
  mutating func mendUndoneCodings(to method: String) -> [ImportLoss] {
    guard allowsContent(to: method), !head.emptyLine.isEmpty else { return [] }
    var losses: [ImportLoss] = []
    var names: Set<String> = []
    let chunked = head.value(of: "transfer-encoding")?.lowercased().hasSuffix("chunked") == true
    if chunked, Self.beginsWithChunk(body) { return [] }
    if chunked {
      losses.append(.chunks)
      names.insert("transfer-encoding")
    }
    let length = head.value(of: "content-length")
    if let coding = head.value(of: "content-encoding")?.lowercased(), chunked || length != "\(body.count)",
      !body.isEmpty, !Self.isPacked(body, coding)
    {
      losses.append(.coding)
      names.insert("content-encoding")
    }
    guard !names.isEmpty else { return [] }
    head.setLength(body.count, without: names)
    return losses
  }

  /// How the peer will have left the connection, as far as the answer tells (RFC 9112 §9.3): one that is not whole was
  /// not waited for any longer, or its connection was at an end.
  func ending(to method: String) -> WireRecord.Ending {
    let hasEnd = WireAnswer(bytes, isToHead: method == "HEAD").showsItsEnd
    let connection = head.value(of: "connection")?.lowercased() ?? ""
    let isOld = head.statusLine.starts(with: "HTTP/1.0".utf8)
    return !hasEnd || connection.contains("close") || isOld && !connection.contains("keep-alive")
      ? .finished : .open
  }
}

extension RecordedAnswer {
  /// Whether a body begins with a chunk: a size, and a line end where the chunk ends, if the body goes so far.
  static func beginsWithChunk(_ body: [UInt8]) -> Bool {
    guard let end = body.firstIndex(of: 0x0A) else { return false }
    let line = body[..<end]
    let digits = line.prefix { Character(UnicodeScalar($0)).isHexDigit && $0 < 0x80 }
    guard digits.count <= 15, let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else {
      return false
    }
    let rest = line[digits.endIndex...].drop { $0 == 0x20 || $0 == 0x09 }
    guard rest.isEmpty || rest.first == 0x0D || rest.first == UInt8(ascii: ";") else { return false }
    guard size < body.count - end - 1 else { return line.last == 0x0D }
    let behind = body[(end + 1 + size)]
    return size == 0 || behind == 0x0D || behind == 0x0A
  }

  /// Whether a body can have this content coding: those with a mark of their own have it, and others are no text.
  private static func isPacked(_ body: [UInt8], _ coding: String) -> Bool {
    switch coding {
    case "gzip", "x-gzip": body.starts(with: [0x1F, 0x8B])
    case "zstd": body.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
    default: String(validating: body, as: UTF8.self) == nil
    }
  }
}
