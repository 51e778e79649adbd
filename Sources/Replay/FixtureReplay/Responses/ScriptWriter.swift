/// Turns a route's declaration into a script for a connection.
package struct ScriptWriter {
  package enum RequestKind: Hashable {
    /// Any method but HEAD, or HEAD on a route for HEAD alone: the whole response is sent.
    case request
    /// HEAD on a route for other methods too: only the head of its response is sent (RFC 9110 §9.3.2).
    case headRequest
    /// A client on a plain TCP connection.
    case tcp
  }

  private let response: ResponseBytes
  private let isGiven: Bool
  private let route: ReplayRoute
  private let kind: RequestKind

  /// Writes the script for a route.
  ///
  /// - Parameters:
  ///   - route: The route.
  ///   - fault: The fault to inject this time, or nil.
  ///   - kind: The kind of request.
  /// - Returns: The script.
  package static func script(for route: ReplayRoute, fault: ReplayFault?, kind: RequestKind) -> ResponseScript
  {
    ScriptWriter(route, kind).script(fault)
  }

  private init(_ route: ReplayRoute, _ kind: RequestKind) {
    self.route = route
    self.kind = kind
    isGiven = route.response != nil
    switch (route.response, kind) {
    case (.send(let bytes), .tcp): response = ResponseBytes(body: bytes)
    case (.send(let bytes), _): response = ResponseBytes(http: bytes)
    case (.respond(let composed), _): response = ResponseBytes(composed)
    case (nil, .tcp): response = ResponseBytes(body: Filler.line)
    case (nil, _): response = ResponseBytes(ComposedResponse(body: Filler.line))
    }
  }
}

extension ScriptWriter {
  private func script(_ fault: ReplayFault?) -> ResponseScript {
    guard let fault else {
      return ResponseScript(isGiven ? [.send(sent)] : [], ending)
    }
    let bytes = response
    let body = kind == .headRequest ? [] : bytes.body
    switch fault.kind {
    case .delay:
      return ResponseScript([.wait(fault.duration ?? .zero), .send(isGiven ? sent : [])], ending)
    case .rstEarly: return ResponseScript([], .reset)
    case .emptyFin: return ResponseScript([], .fin)
    case .garbage: return ResponseScript([.send(Filler.garbage)], .fin)
    case .rstAfter:
      return ResponseScript([.send(first(fault.bytes ?? sent.count))], .resetWhenAcknowledged)
    case .halfClose: return ResponseScript([.send(first(fault.bytes ?? sent.count))], .halfClose)
    case .headerCut: return ResponseScript([.send(first(fault.bytes ?? middleOfHead))], .fin)
    case .stallHeaders: return ResponseScript([.send(first(fault.bytes ?? middleOfHead))], .hold)
    case .shortBody:
      return ResponseScript([.send(bytes.head + body.prefix(fault.bytes ?? body.count / 2))], .fin)
    case .stallBody:
      return ResponseScript([.send(bytes.head + body.prefix(fault.bytes ?? body.count / 2))], .hold)
    case .chunkCut: return ResponseScript([.send(chunked)], .fin)
    case .chunkBad: return ResponseScript([.send(chunked + Array("zz\r\n".utf8))], .fin)
    case .slowHeaders: return ResponseScript([slowly(bytes.head, fault), .send(body)], ending)
    case .slowBody: return ResponseScript([.send(bytes.head), slowly(body, fault)], ending)
    case .continueForever:
      let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
      return ResponseScript([.send(interim + interim + interim)], .hold)
    case .endlessHeaders:
      return ResponseScript([.send(statusLine), .sendForever(Filler.headerLines)], .fin)
    case .endlessBody:
      let head = bytes.head(without: ["content-length", "transfer-encoding"])
      return ResponseScript([.send(head), .sendForever(Filler.repeated(body))], .fin)
    case .badGzip:
      let head = bytes.head(without: ["content-encoding"], adding: ["Content-Encoding: gzip"])
      return ResponseScript([.send(head + body)], ending)
    case .gzipBomb:
      let lines = ["Content-Encoding: gzip", "Content-Length: \(GzipBomb.count)"]
      let head = bytes.head(
        without: ["content-encoding", "content-length", "transfer-encoding"], adding: lines)
      return ResponseScript([.send(head)] + (kind == .headRequest ? [] : GzipBomb.steps), ending)
    }
  }

  /// The bytes to send when no fault applies.
  private var sent: [UInt8] { kind == .headRequest ? response.head : response.all }

  private func first(_ count: Int) -> [UInt8] { Array(sent.prefix(count)) }

  /// By default the connection stays open only if the client can detect the end of the response.
  private var ending: ResponseScript.Ending {
    switch route.end {
    case .fin: return .fin
    case .keep: return .keep
    case .rst: return .resetWhenAcknowledged
    case .hold: return .hold
    case nil: break
    }
    guard isGiven || route.fault != nil else { return .fin }
    if kind == .tcp { return .keep }
    let isEndSeen = WireResponse(response.all, isToHead: false).showsItsEnd
    return isEndSeen && response.keepsConnection ? .keep : .fin
  }

  private func slowly(_ bytes: [UInt8], _ fault: ReplayFault) -> ResponseScript.Step {
    .sendSlowly(bytes, part: max(1, fault.bytes ?? 1), every: fault.every ?? .milliseconds(100))
  }

  /// The offset of the middle of the Location field, or of the middle of the head if there is none.
  private var middleOfHead: Int {
    let head = String(decoding: response.head, as: UTF8.self).lowercased()
    let bytes = Array(head.utf8)
    let mark = Array("\nlocation:".utf8)
    for start in bytes.indices where bytes[start...].starts(with: mark) {
      let end = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      return (start + mark.count + end) / 2
    }
    return response.head.count / 2
  }

  private var statusLine: [UInt8] {
    let end = response.head.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
    return end.map { Array(response.head[..<$0]) } ?? Array("HTTP/1.1 200 OK\r\n".utf8)
  }

  /// The response in chunks, without the last one.
  private var chunked: [UInt8] {
    let last = Array("0\r\n".utf8)
    if response.values(of: "transfer-encoding").contains(where: { $0.lowercased().hasSuffix("chunked") }) {
      let start =
        response.body.indices.last { response.body[$0...].starts(with: last) } ?? response.body.count
      return response.head + response.body[..<start]
    }
    let head = response.head(without: ["content-length"], adding: ["Transfer-Encoding: chunked"])
    guard !response.body.isEmpty else { return head }
    let size = String(response.body.count, radix: 16)
    return head + Array("\(size)\r\n".utf8) + response.body + Array("\r\n".utf8)
  }
}

/// Filler for faults on responses without bytes.
enum Filler {
  static let line = Array("ProbeKit replay\n".utf8)

  static let garbage = Array("\u{1}\u{2}\u{3} this is not HTTP \u{7f}\r\n\r\n".utf8)

  /// Header fields, about 4 KiB of them.
  static let headerLines = Array(
    String(repeating: "X-Filler: \(String(repeating: "f", count: 50))\r\n", count: 64).utf8)

  /// The bytes, or a filler if there are none, repeated to about 16 KiB.
  static func repeated(_ bytes: [UInt8]) -> [UInt8] {
    let bytes = bytes.isEmpty ? line : bytes
    return Array(repeatElement(bytes, count: max(1, 16 * 1024 / bytes.count)).joined())
  }
}

/// A megabyte of gzip (RFC 1952) that decompresses to a gigabyte of zeros.
///
/// It is one deflate block (RFC 1951 §3.2.7) with a custom code: "repeat the last byte 258 times" takes two
/// bits, both zero, so that each zero byte decompresses to 1032 bytes.
enum GzipBomb {
  private static let zeros = 1 << 20
  /// The gzip header, the block's codes, one literal zero, and the first repetitions.
  private static let start: [UInt8] = [
    0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0xFF,
    0xED, 0xC0, 0x81, 0, 0, 0, 0, 0x80, 0xA0, 0xFD, 0xA9, 0x17, 0xA9, 0,
  ]
  /// The end of the block, the CRC-32 of 1 082 131 465 zeros, and their number.
  private static let end: [UInt8] = [0x06, 0x0B, 0x01, 0x40, 0x36, 0x09, 0x04, 0x80, 0x40]

  /// The size in bytes.
  static let count = start.count + zeros + end.count

  private static let bytes = start + [UInt8](repeating: 0, count: zeros) + end

  /// The steps that send it.
  static var steps: [ResponseScript.Step] { [.send(bytes)] }
}
