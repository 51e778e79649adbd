/// How a client learns where an answer ends (RFC 9112 §6.3).
enum AnswerFraming: Hashable, Sendable {
  /// The head says it, and the bytes agree.
  case exact
  /// By the end of the connection.
  case untilEnd
  /// The head says something else than the bytes; the words tell what.
  case contradicted(String)

  /// How an answer's end is known, when the request was not a HEAD.
  init(_ answer: AnswerBytes) {
    guard let status = answer.status else {
      self = answer.head.isEmpty ? .contradicted("it has no head") : .contradicted("it has no status line")
      return
    }
    let lengths = Set(answer.values(of: "content-length"))
    let isChunked = answer.values(of: "transfer-encoding").contains { $0.lowercased().hasSuffix("chunked") }
    if status < 200 || status == 204 || status == 304 {
      self = answer.body.isEmpty ? .exact : .contradicted("status \(status) has no content, and bytes follow")
    } else if isChunked {
      self = lengths.isEmpty ? Self.ofChunks(answer.body) : .contradicted("it has both lengths and chunks")
    } else if lengths.count > 1 {
      self = .contradicted("it has several lengths: \(lengths.sorted().joined(separator: " and "))")
    } else if let text = lengths.first {
      self =
        Int(text) == answer.body.count
        ? .exact : .contradicted("Content-Length says \(text), and \(answer.body.count) bytes follow")
    } else {
      self = .untilEnd
    }
  }

  private static func ofChunks(_ body: [UInt8]) -> AnswerFraming {
    var reader = ChunkReader()
    var content: [UInt8] = []
    for (index, byte) in body.enumerated() {
      do throws(MalformedRequest) {
        guard try reader.take(byte, into: &content) else { continue }
        let rest = body.count - index - 1
        return rest == 0 ? .exact : .contradicted("\(rest) bytes follow the last chunk")
      } catch {
        return .contradicted("its chunks cannot be read: \(error.reason)")
      }
    }
    return .contradicted("its last chunk is missing")
  }

  /// Whether the connection can go on after an answer with this head (RFC 9112 §9.3).
  static func keepsConnection(_ answer: AnswerBytes) -> Bool {
    let tokens = answer.values(of: "connection").joined(separator: ",").lowercased()
    if tokens.contains("close") { return false }
    return !answer.head.starts(with: "HTTP/1.0".utf8) || tokens.contains("keep-alive")
  }
}
