import FixtureReplay
internal import ProbeHTTPWire
import ProbeCore

/// A parsed response whose head can be corrected to match its body; everything else stays byte for byte.
struct RecordedResponse {
  /// One line of a head with its end, and the folded lines that follow.
  struct Field {
    /// The name in lower case; empty for a line that is not a field.
    var name: String
    var bytes: [UInt8]
  }

  /// A status line and everything that follows, including the empty line.
  struct Head {
    /// The status line with its end.
    var statusLine: [UInt8]
    var fields: [Field]
    /// The empty line; empty if the response ends before it.
    var emptyLine: [UInt8]
  }

  /// The heads of the preceding interim responses.
  var interim: [Head] = []
  var head: Head
  var body: [UInt8]

  init(head: Head, body: [UInt8]) {
    self.head = head
    self.body = body
  }

  /// Parses a response, including preceding interim responses.
  ///
  /// - Returns: nil if the bytes do not begin like an HTTP response.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard var (head, rest) = Self.head(at: bytes) else { return nil }
    while head.isInterim, let next = Self.head(at: rest) {
      interim.append(head)
      (head, rest) = next
    }
    self.head = head
    body = Array(rest)
  }

  /// The whole response.
  var bytes: [UInt8] {
    (interim + [head]).flatMap(\.bytes) + body
  }
}

extension RecordedResponse {
  /// Whether bytes begin like a head.
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

extension RecordedResponse.Head {
  var bytes: [UInt8] {
    statusLine + fields.flatMap(\.bytes) + emptyLine
  }

  /// The status code, or nil if there is none.
  var status: Int? { status(of: statusLine)?.status }

  /// Whether another response follows.
  var isInterim: Bool { status(of: statusLine)?.isInterim ?? false }

  private func status(of line: [UInt8]) -> StatusLine? { StatusLine(line.indices, of: line.span) }

  /// The value of the first field with this lower-case name.
  func value(of name: String) -> String? {
    fields.first { $0.name == name }?.value
  }

  /// Changes HTTP/2 and HTTP/3 to HTTP/1.1.
  ///
  /// - Returns: Whether it was another version.
  mutating func useHTTP1() -> Bool {
    let version = statusLine.prefix { $0 != 0x20 && !$0.isSpaceInC }
    guard ["HTTP/2", "HTTP/2.0", "HTTP/3", "HTTP/3.0"].contains(where: { version.elementsEqual($0.utf8) })
    else { return false }
    statusLine.replaceSubrange(..<version.endIndex, with: "HTTP/1.1".utf8)
    return true
  }

  /// Sets Content-Length at the position of the old one or of the first removed field, or else at the end.
  ///
  /// - Parameters:
  ///   - length: The length.
  ///   - names: The fields to remove besides, in lower case.
  mutating func setLength(_ length: Int, without names: Set<String> = []) {
    let position =
      fields.firstIndex { $0.name == "content-length" } ?? fields.firstIndex { names.contains($0.name) }
    let field = RecordedResponse.Field(line: Array("Content-Length: \(length)\r\n".utf8))
    var fixed: [RecordedResponse.Field] = []
    for (index, old) in fields.enumerated() {
      if index == position {
        fixed.append(field)
      } else if old.name != "content-length", !names.contains(old.name) {
        fixed.append(old)
      }
    }
    fields = position == nil ? fixed + [field] : fixed
  }
}

extension RecordedResponse.Field {
  /// Creates a field from its line and the folded lines that follow.
  init(line: [UInt8]) {
    let name = FieldPosition(line.indices, of: line.span).map { line[$0.name] } ?? []
    self.init(name: String(decoding: name, as: UTF8.self).lowercased(), bytes: line)
  }

  /// The value without surrounding white space.
  var value: String {
    let value = FieldPosition(bytes.indices, of: bytes.span).map { bytes[$0.value] } ?? []
    return String(decoding: value, as: UTF8.self)
  }
}

/// Corrections of the head if the recorded body differs from that on the wire.
extension RecordedResponse {
  /// Whether the response may have content (RFC 9110 §6.4.1).
  func allowsContent(to method: String) -> Bool {
    guard let status = head.status else { return true }
    return method != "HEAD" && status >= 200 && status != 204 && status != 304
  }

  /// Changes HTTP/2 and HTTP/3 to HTTP/1.1, where a response without a length ends with its connection.
  ///
  /// - Returns: The losses.
  mutating func useHTTP1(to method: String) -> [ImportLoss] {
    for index in interim.indices { _ = interim[index].useHTTP1() }
    guard head.useHTTP1() else { return [] }
    if allowsContent(to: method), !head.emptyLine.isEmpty, head.value(of: "content-length") == nil,
      head.value(of: "transfer-encoding") == nil
    {
      head.setLength(body.count)
    }
    return [.version]
  }

  /// Removes Transfer-Encoding and Content-Encoding from the head, because the body is decoded.
  ///
  /// - Returns: The losses.
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

  /// Removes codings from the head that the recording program has already removed from the body.
  ///
  /// A body that does not match its head may have been received like that. The program is assumed to be the
  /// cause if the body is not chunked at all, or is not compressed and differs from the declared length.
  ///
  /// - Returns: The losses.
  mutating func fixUndoneCodings(to method: String) -> [ImportLoss] {
    guard allowsContent(to: method), !head.emptyLine.isEmpty else { return [] }
    var losses: [ImportLoss] = []
    var names: Set<String> = []
    let isChunked = head.value(of: "transfer-encoding")?.lowercased().hasSuffix("chunked") == true
    if isChunked, Self.beginsWithChunk(body) { return [] }
    if isChunked {
      losses.append(.chunks)
      names.insert("transfer-encoding")
    }
    let length = head.value(of: "content-length")
    if let coding = head.value(of: "content-encoding")?.lowercased(), coding != "identity",
      isChunked || length != "\(body.count)",
      !body.isEmpty, !Self.isPacked(body, coding)
    {
      losses.append(.coding)
      names.insert("content-encoding")
    }
    guard !names.isEmpty else { return [] }
    head.setLength(body.count, without: names)
    return losses
  }

  /// How the peer ended the connection, derived from the response (RFC 9112 §9.3).
  ///
  /// The connection of an incomplete response counts as closed.
  func ending(to method: String) -> WireRecord.Ending {
    let hasEnd = WireResponse(bytes, isToHead: method == "HEAD").showsItsEnd
    let connection = head.value(of: "connection")?.lowercased() ?? ""
    let isOld = head.statusLine.starts(with: "HTTP/1.0".utf8)
    return !hasEnd || connection.contains("close") || isOld && !connection.contains("keep-alive")
      ? .finished : .open
  }
}

extension RecordedResponse {
  /// Whether a body begins with a chunk: a size, and a line end where the chunk ends, if the body is long
  /// enough.
  static func beginsWithChunk(_ body: [UInt8]) -> Bool {
    guard let end = body.firstIndex(of: 0x0A) else { return false }
    let line = body[..<end]
    let digits = line.prefix { $0.hexDigitValue != nil }
    guard digits.count <= 15, let size = Int(text: String(decoding: digits, as: UTF8.self), radix: 16) else {
      return false
    }
    let rest = line[digits.endIndex...].drop(while: \.isFieldSpace)
    guard rest.isEmpty || rest.first == 0x0D || rest.first == UInt8(ascii: ";") else { return false }
    guard size < body.count - end - 1 else { return line.last == 0x0D }
    let next = body[(end + 1 + size)]
    return size == 0 || next == 0x0D || next == 0x0A
  }

  /// Whether a body can have this content coding: it has the coding's signature or, without one, is not text.
  private static func isPacked(_ body: [UInt8], _ coding: String) -> Bool {
    switch coding {
    case "gzip", "x-gzip": body.starts(with: [0x1F, 0x8B])
    case "zstd": body.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
    default: String(validating: body, as: UTF8.self) == nil
    }
  }
}
