internal import ProbeHTTPWire
internal import ProbeCore

/// The framing that a response's bytes declare, and whether the bytes conform to it (RFC 9112 §6).
package struct WireResponse {
  /// How the end of the response is marked, or nil if the head cannot be parsed.
  private(set) var framing: Framing?
  /// The length of the head in bytes, including the heads of interim responses.
  private(set) var headCount = 0
  /// The number of bytes after the head.
  private(set) var contentCount = 0
  /// How the bytes violate the declared framing, or nil.
  private(set) var mistake: String?

  /// Whether a client can detect the end of the response while the connection stays open.
  package var showsItsEnd: Bool { framing != nil && framing != .close && mistake == nil }

  /// Examines a response; a response to HEAD has no content, whatever length it declares (RFC 9110 §9.3.2).
  package init(_ bytes: [UInt8], isToHead: Bool) {
    let wire = bytes.span
    var lines: HeadLines
    var status: StatusLine
    repeat {
      lines = HeadLines(wire, from: headCount)
      guard let line = StatusLine(lines.startLine, of: wire) else {
        mistake = headCount == 0 ? "has no status line" : "has no final response after the interim one"
        return
      }
      guard lines.isWhole else {
        headCount = bytes.count
        mistake = "has no empty line after its header"
        return
      }
      status = line
      headCount = lines.end
      // An interim response is followed by another response.
    } while status.isInterim
    contentCount = bytes.count - headCount
    var fields = FramingFields()
    for line in lines.fields {
      if let field = FieldPosition(line, of: wire) { fields.note(field, of: wire) }
    }
    examine(fields, of: bytes, status: status.status, isToHead: isToHead)
  }

  private mutating func examine(_ fields: FramingFields, of bytes: [UInt8], status: Int, isToHead: Bool) {
    let wire = bytes.span
    if isToHead || [101, 204, 304].contains(status) {
      framing = Framing.none
      guard contentCount > 0, status != 101 else { return }
      let reason = isToHead ? "a response to HEAD" : "status \(status)"
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
        mistake = "has Content-Length \(length), but \(contentCount.bytes) after its header"
      }
    } else {
      framing = .close
    }
  }

  /// The error in the chunks or the trailer section (RFC 9112 §7.1), or nil.
  static func mistake(inChunks content: ArraySlice<UInt8>) -> String? {
    var (chunks, offset) = (ChunkDecoder(.lenient), 0)
    do throws(HTTPMessageError) {
      while true {
        switch try chunks.next(content.span, &offset) {
        case .content, .lastChunk: continue
        case .needsMore: return chunks.missing.map { "has \($0)" }
        case .end:
          let rest = content.count - offset
          return rest == 0 ? nil : "has \(rest.bytes) after its last chunk"
        }
      }
    } catch {
      return "has \(error.reason)"
    }
  }
}

extension Int {
  /// The number with its unit: `1 byte`, `2 bytes`.
  var bytes: String { self == 1 ? "1 byte" : "\(self) bytes" }
}
