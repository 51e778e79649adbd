internal import ProbeCore

/// An answer as bytes, cut where its head ends.
struct AnswerBytes: Hashable, Sendable {
  /// From the status line to the empty line; empty on a plain TCP connection, and when the bytes have no head.
  var head: [UInt8]
  /// What follows the head.
  var body: [UInt8]

  /// The bytes of an HTTP answer; interim responses in front of it are part of its head.
  init(http bytes: [UInt8]) {
    let end = WireAnswer(bytes, isToHead: false).headCount
    head = Array(bytes[..<end])
    body = Array(bytes[end...])
  }

  /// Bytes without a head.
  init(body: [UInt8]) {
    head = []
    self.body = body
  }

  /// A response put together.
  init(_ response: ComposedResponse) {
    let reason = response.reason ?? StatusPhrase.usual(for: response.status)
    var head = "HTTP/\(response.version) \(response.status) \(reason)\r\n"
    for line in response.headers { head += line + "\r\n" }
    let names = response.headers.map { $0.prefix { $0 != ":" }.lowercased() }
    if response.allowsContent, !names.contains("content-length"), !names.contains("transfer-encoding") {
      head += "Content-Length: \(response.body.count)\r\n"
    }
    self.head = Array((head + "\r\n").utf8)
    body = response.allowsContent ? response.body : []
  }

  /// Head and content in one.
  var all: [UInt8] { head + body }
}

extension AnswerBytes {
  /// The values of the header fields with this name, given in lower case.
  func values(of name: String) -> [String] {
    headLines.dropFirst().compactMap { line in
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
        line[..<colon].lazy.map(\.asciiLowercased).elementsEqual(name.utf8)
      else { return nil }
      let value = RequestHeadReader.trimmed((colon + 1)..<line.endIndex, of: head)
      return String(decoding: head[value], as: UTF8.self)
    }
  }

  /// Whether the connection can go on after an answer with this head (RFC 9112 §9.3).
  var keepsConnection: Bool {
    let tokens = values(of: "connection").joined(separator: ",").lowercased()
    if tokens.contains("close") { return false }
    return !head.starts(with: "HTTP/1.0".utf8) || tokens.contains("keep-alive")
  }

  /// The head without the fields with these names, given in lower case, and with these lines at its end.
  func head(without names: Set<String> = [], adding lines: [String] = []) -> [UInt8] {
    guard !head.isEmpty else { return [] }
    var result: [UInt8] = []
    for (index, line) in headLines.enumerated() {
      let name = line.prefix { $0 != UInt8(ascii: ":") }.map(\.asciiLowercased)
      if index > 0, names.contains(String(decoding: name, as: UTF8.self)) { continue }
      result += line + [UInt8(ascii: "\n")]
    }
    for line in lines { result += Array("\(line)\r\n".utf8) }
    return result + Array("\r\n".utf8)
  }

  /// The lines of the head without their LF and without the empty one.
  private var headLines: [ArraySlice<UInt8>] {
    head.split(separator: UInt8(ascii: "\n")).filter { $0.elementsEqual([0x0D]) == false }
  }
}

extension ComposedResponse {
  /// Whether the status allows content (RFC 9110 §6.4.1).
  var allowsContent: Bool { status >= 200 && status != 204 && status != 304 }
}
