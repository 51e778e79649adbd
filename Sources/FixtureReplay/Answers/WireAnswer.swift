internal import ProbeHTTPWire
internal import ProbeCore

/// What the bytes of an answer say of their own length, and whether that is true (RFC 9112 §6).
package struct WireAnswer {
  /// How its end is seen, or nil when its head cannot be read.
  private(set) var framing: Framing?
  /// How many bytes its head has, with the heads of interim responses in front of it.
  private(set) var headCount = 0
  /// How many bytes stand behind the head.
  private(set) var contentCount = 0
  /// What is not true, or nil.
  private(set) var mistake: String?

  /// Whether a client sees the end while the connection stays.
  package var showsItsEnd: Bool { framing != nil && framing != .close && mistake == nil }

  /// Examines an answer; one to HEAD has no content, whatever it announces (RFC 9110 §9.3.2).
  package init(_ bytes: [UInt8], isToHead: Bool) {
    let wire = bytes.span
    var lines: HeadLines
    var status: StatusLine
    repeat {
      lines = HeadLines(wire, from: headCount)
      guard let line = StatusLine(lines.startLine, of: wire) else {
        mistake = headCount == 0 ? "has no status line" : "has no final answer behind its interim one"
        return
      }
      guard lines.isWhole else {
        headCount = bytes.count
        mistake = "has no empty line behind its header"
        return
      }
      status = line
      headCount = lines.end
      // Interim responses are followed by another.
    } while status.isInterim
    contentCount = bytes.count - headCount
    var fields = FramingFields()
    for line in lines.fields {
      if let field = FieldPlace(line, of: wire) { fields.note(field, of: wire) }
    }
    examine(fields, of: bytes, status: status.status, isToHead: isToHead)
  }

  private mutating func examine(_ fields: FramingFields, of bytes: [UInt8], status: Int, isToHead: Bool) {
    let wire = bytes.span
    if isToHead || [101, 204, 304].contains(status) {
      framing = Framing.none
      guard contentCount > 0, status != 101 else { return }
      let reason = isToHead ? "an answer to HEAD" : "status \(status)"
      mistake = "has \(contentCount.bytes) of content, and \(reason) has none"
    } else if fields.hasCodings, !fields.lengths.isEmpty {
      framing = .chunked
      mistake = "has both Content-Length and Transfer-Encoding"
    } else if fields.hasCodings {
      framing = fields.isChunked(in: wire) ? .chunked : .close
      guard framing == .chunked else { return }
      mistake = Self.mistake(inChunks: bytes[headCount...]).map { "is chunked and \($0)" }
    } else if let first = fields.lengths.first {
      guard let length = wire.decimal(first) else {
        framing = .length(contentCount)
        mistake = "has the Content-Length \(Excerpt(String(decoding: bytes[first], as: UTF8.self)))"
        return
      }
      framing = .length(length)
      if fields.lengths.count > 1 {
        mistake = "has \(fields.lengths.count) Content-Length fields"
      } else if length != contentCount {
        mistake = "says Content-Length \(length), and \(contentCount.bytes) follow its head"
      }
    } else {
      framing = .close
    }
  }

  /// What is wrong with chunks and the trailer behind them (RFC 9112 §7.1), or nil.
  static func mistake(inChunks content: ArraySlice<UInt8>) -> String? {
    var (chunks, place) = (ChunkDecoder(.lenient), 0)
    do throws(WireFault) {
      while true {
        switch try chunks.next(content.span, &place) {
        case .content, .lastChunk: continue
        case .needsMore: return chunks.missing.map { "has \($0)" }
        case .end:
          let rest = content.count - place
          return rest == 0 ? nil : "has \(rest.bytes) behind its last chunk"
        }
      }
    } catch {
      return "has \(error.reason)"
    }
  }
}

extension Int {
  /// The number as a number of bytes: `1 byte`, `2 bytes`.
  var bytes: String { self == 1 ? "1 byte" : "\(self) bytes" }
}
