import ProbeCore

/// What the bytes of an answer say of their own length, and whether that is true (RFC 9112 §6).
package struct WireAnswer {
  /// How the end of an answer is seen.
  enum Framing: Hashable {
    /// There is no content.
    case none
    /// It has as many bytes as announced.
    case length
    /// Its last chunk ends it.
    case chunked
    /// It ends with the connection.
    case close
  }

  /// How its end is seen, or nil when its head cannot be read.
  private(set) var framing: Framing?
  /// How many bytes its head has, with the heads of interim responses in front of it.
  private(set) var headCount = 0
  /// How many bytes stand behind the head.
  private(set) var contentCount = 0
  /// What is not true, or nil.
  private(set) var lie: String?

  /// Whether a client sees the end while the connection stays.
  package var showsItsEnd: Bool { framing != nil && framing != .close && lie == nil }

  /// Examines an answer; one to HEAD has no content, whatever it announces (RFC 9110 §9.3.2).
  package init(_ bytes: [UInt8], isToHead: Bool) {
    var start = 0
    while true {
      guard let head = HTTPResponseHead(wireBytes: Array(bytes[start...])) else {
        lie = start == 0 ? "has no status line" : "has no final answer behind its interim one"
        return
      }
      guard let end = Self.headEnd(in: bytes, from: start) else {
        headCount = bytes.count
        lie = "has no empty line behind its header"
        return
      }
      headCount = end
      contentCount = bytes.count - end
      start = end
      // Interim responses are followed by another; 101 is the last of its connection.
      if (100..<200).contains(head.status), head.status != 101 { continue }
      examine(head, content: bytes[end...], isToHead: isToHead)
      return
    }
  }

  private mutating func examine(_ head: HTTPResponseHead, content: ArraySlice<UInt8>, isToHead: Bool) {
    if isToHead || [101, 204, 304].contains(head.status) {
      framing = Framing.none
      guard !content.isEmpty, head.status != 101 else { return }
      let reason = isToHead ? "an answer to HEAD" : "status \(head.status)"
      lie = "has \(content.count.bytes) of content, and \(reason) has none"
      return
    }
    let codings = head.fields.values(for: "Transfer-Encoding")
    let lengths = head.fields.values(for: "Content-Length")
    if !codings.isEmpty, !lengths.isEmpty {
      framing = .chunked
      lie = "has both Content-Length and Transfer-Encoding"
    } else if let last = codings.last {
      guard last.lowercased().hasSuffix("chunked") else {
        framing = .close
        return
      }
      framing = .chunked
      lie = Self.mistake(inChunks: content).map { "is chunked and \($0)" }
    } else if let first = lengths.first {
      framing = .length
      if lengths.count > 1 { lie = "has \(lengths.count) Content-Length fields" }
      guard let length = Int(first), first.utf8.allSatisfy(\.isASCIIDigit) else {
        lie = "has the Content-Length \(Excerpt(first))"
        return
      }
      if lie == nil, length != content.count {
        lie = "says Content-Length \(length), and \(content.count.bytes) follow its head"
      }
    } else {
      framing = .close
    }
  }

  /// Where the head that starts at a place ends, behind its empty line.
  private static func headEnd(in bytes: [UInt8], from start: Int) -> Int? {
    var line = start
    while let end = bytes[line...].firstIndex(of: 0x0A) {
      let content = bytes[line..<end]
      if content.isEmpty || content.elementsEqual([0x0D]) { return end + 1 }
      line = end + 1
    }
    return nil
  }

  /// What is wrong with chunks and the trailer behind them (RFC 9112 §7.1), or nil.
  static func mistake(inChunks content: ArraySlice<UInt8>) -> String? {
    var rest = content
    while true {
      guard let end = rest.firstIndex(of: 0x0A) else { return "has no last chunk" }
      let digits = rest[..<end].prefix { $0.hexDigitValue != nil }
      guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else {
        return "has a chunk without a size"
      }
      rest = rest[(end + 1)...]
      if size == 0 { break }
      guard rest.count >= size else { return "ends inside a chunk" }
      rest = rest.dropFirst(size)
      if rest.first == 0x0D { rest = rest.dropFirst() }
      guard rest.first == 0x0A else {
        return rest.isEmpty
          ? "has no last chunk" : "has a chunk that is not as long as its size says"
      }
      rest = rest.dropFirst()
    }
    // The trailer ends with an empty line.
    guard let end = headEnd(in: Array(rest), from: 0) else {
      return "has no empty line at its end"
    }
    return end == rest.count ? nil : "has \((rest.count - end).bytes) behind its last chunk"
  }
}

extension Int {
  /// The number as a number of bytes: `1 byte`, `2 bytes`.
  var bytes: String { self == 1 ? "1 byte" : "\(self) bytes" }
}
