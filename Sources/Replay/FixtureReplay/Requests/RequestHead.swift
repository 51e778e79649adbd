import ProbeBase
import ProbeCore
internal import ProbeHTTPWire

/// The head of an HTTP/1 request: its bytes as received, and their meaning (RFC 9112).
public struct RequestHead: Hashable, Sendable {
  /// From the request line to the empty line, both included.
  public let bytes: [UInt8]
  private let parts: RequestParts

  init(bytes: [UInt8], parts: RequestParts) {
    self.bytes = bytes
    self.parts = parts
  }

  /// The minor version, such as the 1 of `HTTP/1.1`.
  package var minorVersion: Int { parts.minorVersion }

  /// The declared length of the content, or nil if none is declared.
  package var contentLength: Int? {
    if case .length(let length) = parts.framing { length } else { nil }
  }

  /// Whether the content is sent in chunks.
  package var isChunked: Bool { parts.framing == .chunked }

  /// Whether the client waits for `100 Continue` before it sends the content (RFC 9110 §10.1.1).
  package var expectsContinue: Bool { parts.expectsContinue }

  /// Whether the client wants the connection closed after the response (RFC 9112 §9.3).
  package var endsConnection: Bool { parts.endsConnection }

  /// The method.
  public var method: String { text(parts.method) }

  /// The request target, such as `/path?query`.
  public var requestTarget: String { text(parts.target) }

  /// The requested host name or address without the port, or nil if there is none.
  public var host: String? { hostBytes.map { String(decoding: $0, as: UTF8.self) } }

  /// The requested port, or nil if there is none.
  package var port: UInt16? { authority?.port.flatMap { UInt16(text: text($0)) } }

  /// The values of the header fields with this case-insensitive name, in order.
  public func values(of name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// The header fields in order.
  public var fields: [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    forEachField { name, value in fields.append((text(name), text(value))) }
    return fields
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }
}

extension RequestHead {
  var methodBytes: ArraySlice<UInt8> { bytes[parts.method] }
  private var target: Range<Int> { parts.target }
  var hostBytes: ArraySlice<UInt8>? { authority.map { bytes[$0.host] } }
  var isHEADRequest: Bool { methodBytes.elementsEqual("HEAD".utf8) }

  /// The path of the target without its query; of an absolute target, the part after the authority (RFC 9112
  /// §3.2).
  var path: ArraySlice<UInt8> {
    let target = pathAndQuery
    return target.prefix { $0 != UInt8(ascii: "?") }
  }

  /// The query of the target without its question mark, or nothing.
  var query: ArraySlice<UInt8> { pathAndQuery.drop { $0 != UInt8(ascii: "?") }.dropFirst() }

  var pathAndQuery: ArraySlice<UInt8> {
    guard let authority = absoluteAuthority else { return bytes[target] }
    return bytes[authority.upperBound..<target.upperBound]
  }

  /// The path of the target with its query as in a URL, which starts with a slash (RFC 9110 §4.2.3); a slash alone
  /// for a target without a path, such as `*`, or `host:443` of CONNECT.
  var pathAndQueryOfURL: String {
    let text = String(decoding: pathAndQuery, as: UTF8.self)
    if text.hasPrefix("/") { return text }
    return text.hasPrefix("?") ? "/" + text : "/"
  }

  /// The value of the first cookie with this name (RFC 6265 §5.4), or nil if there is none.
  func cookie(named name: String) -> String? {
    for field in values(of: "Cookie") {
      for pair in field.parts(between: ";") {
        guard let (found, value) = pair.divided(at: "="),
          found.utf8.drop(while: \.isFieldSpace).elementsEqual(name.utf8)
        else { continue }
        return String(value.withoutOuterSpace)
      }
    }
    return nil
  }

  /// Where the requested host and port are in the bytes: in an absolute target, in the target of CONNECT or, for any
  /// other request, in the Host field (RFC 9112 §3.2).
  var authority: (host: Range<Int>, port: Range<Int>?)? {
    guard let range = absoluteAuthority ?? (isConnect ? target : parts.host), !range.isEmpty else {
      return nil
    }
    let colon = bytes[range].lastIndex(of: UInt8(ascii: ":"))
    // The colons of an IPv6 address are inside its brackets.
    if bytes[range.lowerBound] == UInt8(ascii: "[") {
      guard let end = bytes[range].firstIndex(of: UInt8(ascii: "]")) else { return (range, nil) }
      let host = (range.lowerBound + 1)..<end
      return (host, colon.flatMap { $0 > end ? ($0 + 1)..<range.upperBound : nil })
    }
    guard let colon else { return (range, nil) }
    return (range.lowerBound..<colon, (colon + 1)..<range.upperBound)
  }

  private var isConnect: Bool { methodBytes.elementsEqual("CONNECT".utf8) }

  /// The range of an absolute target's authority; nil for any other target.
  private var absoluteAuthority: Range<Int>? {
    guard bytes[target.lowerBound] != UInt8(ascii: "/"),
      let colon = bytes[target].firstIndex(of: UInt8(ascii: ":")),
      bytes[(colon + 1)..<target.upperBound].starts(with: "//".utf8)
    else { return nil }
    let start = colon + 3
    let end = bytes[start..<target.upperBound].firstIndex { "/?#".utf8.contains($0) } ?? target.upperBound
    return start..<end
  }

  /// Calls a closure with the ranges of each header field's name and value.
  func forEachField(_ body: (_ name: Range<Int>, _ value: Range<Int>) -> Void) {
    let wire = bytes.span
    for line in HeadLines(wire).fields {
      if let field = FieldPosition(line, of: wire) { body(field.name, field.value) }
    }
  }
}
