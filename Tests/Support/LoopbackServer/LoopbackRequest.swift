/// An HTTP request as received, parsed just enough for scripts.
package struct LoopbackRequest: Sendable {
  /// The bytes as received.
  package let bytes: [UInt8]
  private let lines: [String]
  private let bodyStart: Int

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    bodyStart = Self.headEnd(of: bytes) ?? bytes.count
    // CRLF is one Character, so the split is by bytes.
    lines = bytes[..<bodyStart].split(separator: UInt8(ascii: "\n")).map { line in
      String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
  }

  /// The method; empty if there is no request line.
  package var method: String { part(0) }

  /// The request target: a path in most cases.
  package var target: String { part(1) }

  package var body: [UInt8] { Array(bytes[bodyStart...]) }

  /// The value of the first header field with this name, in any case.
  package func header(_ name: String) -> String? {
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
      let value = parts[1].drop { $0 == " " }
      return String(value.reversed().drop { $0 == " " }.reversed())
    }
    return nil
  }

  var contentLength: Int { header("Content-Length").flatMap { Int($0) } ?? 0 }

  /// The offset after the empty line that ends the head, or nil if it is incomplete.
  static func headEnd(of bytes: [UInt8]) -> Int? {
    let end = Array("\r\n\r\n".utf8)
    guard bytes.count >= end.count else { return nil }
    for start in 0...(bytes.count - end.count) where bytes[start] == end[0] {
      if bytes[start..<(start + end.count)].elementsEqual(end) { return start + end.count }
    }
    return nil
  }

  private func part(_ index: Int) -> String {
    let parts = lines.first?.split(separator: " ") ?? []
    return parts.indices.contains(index) ? String(parts[index]) : ""
  }
}

/// An HTTP response to compose: exactly the given header fields, plus those that frame the content.
package struct LoopbackResponse: Sendable {
  package var status: Int
  package var reason: String
  /// The header fields in order.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  /// A response with text as its content.
  package static func response(
    _ status: Int = 200, reason: String = "OK", headers: [(name: String, value: String)] = [],
    body: String = ""
  ) -> LoopbackResponse {
    LoopbackResponse(status: status, reason: reason, headers: headers, body: Array(body.utf8))
  }

  package static func response(
    _ status: Int = 200, reason: String = "OK", headers: [(name: String, value: String)] = [],
    bytes: [UInt8]
  ) -> LoopbackResponse {
    LoopbackResponse(status: status, reason: reason, headers: headers, body: bytes)
  }

  /// The bytes as on the wire: Content-Length is added when neither it nor Transfer-Encoding is given and the
  /// status allows content, `Connection: close` when `closing` and no Connection is given.
  func wireBytes(closing: Bool) -> [UInt8] {
    var head = "HTTP/1.1 \(status) \(reason)\r\n"
    for field in headers { head += "\(field.name): \(field.value)\r\n" }
    let given = Set(headers.map { $0.name.lowercased() })
    let allowsContent = status >= 200 && status != 204 && status != 304
    if allowsContent, given.isDisjoint(with: ["content-length", "transfer-encoding"]) {
      head += "Content-Length: \(body.count)\r\n"
    }
    if closing, !given.contains("connection") { head += "Connection: close\r\n" }
    return Array((head + "\r\n").utf8) + body
  }
}
