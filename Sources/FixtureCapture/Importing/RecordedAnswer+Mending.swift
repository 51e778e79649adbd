import FixtureReplay
import ProbeCore

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
