internal import ProbeBase
package import ProbeHTTPWire

/// A request to a service.
package struct HTTPServiceRequest: Hashable, Sendable {
  /// A name and its value: a header field, or a parameter of the query.
  package struct Item: Hashable, Sendable {
    /// The name; that of a header field is in lower case.
    package let name: String
    package let value: String
  }

  /// The method, such as `GET`.
  package let method: String
  /// The parts of the path between its slashes, with percent-encoding removed; empty for `/`.
  package let path: [String]
  /// The parameters of the query in order, with percent-encoding removed.
  package let query: [Item]
  /// The header fields in order.
  package let fields: [Item]
  /// The requested hosts without ports: that of the Host field, and that of an absolute target.
  package let hosts: [String]
  /// The requested host with its port: that of an absolute target, or that of the Host field (RFC 9112 §3.2.2).
  let authority: String?
  package let body: [UInt8]

  /// Interprets a request of the wire.
  ///
  /// - Throws: ``HTTPServiceFailure`` if its target is not a path.
  package init(_ wire: WireRequest) throws(HTTPServiceFailure) {
    let bytes = wire.head
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    method = text(wire.parts.method)
    body = wire.body
    var target = text(wire.parts.target)
    var hosts = [wire.parts.host].compactMap { $0.map(text) }
    if !target.hasPrefix("/"), let mark = target.firstRange(of: "://") {
      let rest = target[mark.upperBound...]
      let authority = rest.prefix { $0 != "/" && $0 != "?" }
      hosts.append(String(authority))
      target = String(rest[authority.endIndex...])
      if !target.hasPrefix("/") { target = "/" + target }
    }
    self.hosts = hosts.map(Self.withoutPort)
    authority = hosts.last
    guard target.hasPrefix("/") else { throw Self.badTarget }
    let parts = Array(target.utf8).split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    for part in parts[0].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
      path.append(try Self.decoded(part))
    }
    // A trailing slash is ignored.
    if path.last == "" { path.removeLast() }
    self.path = path
    var query: [Item] = []
    for part in (parts.count > 1 ? parts[1] : []).split(separator: UInt8(ascii: "&")) {
      let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let value = pair.count > 1 ? try Self.decoded(pair[1], readsPlusAsSpace: true) : ""
      query.append(Item(name: try Self.decoded(pair[0], readsPlusAsSpace: true), value: value))
    }
    self.query = query
    let span = bytes.span
    fields = HeadLines(span).fields.compactMap { line in
      FieldPosition(line, of: span).map { Item(name: text($0.name).lowercased(), value: text($0.value)) }
    }
  }

  /// The value of the first header field with this name, given in lower case, or nil.
  package func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

  private static func withoutPort(_ authority: String) -> String {
    guard authority.last != "]", let colon = authority.lastIndex(of: ":") else { return authority }
    return String(authority[..<colon])
  }

  private static let badTarget = HTTPServiceFailure(
    status: 400, "the request target is not a path", remedy: "percent-encode other characters, in UTF-8")

  private static func decoded(
    _ text: ArraySlice<UInt8>, readsPlusAsSpace: Bool = false
  ) throws(HTTPServiceFailure) -> String {
    guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
      return String(decoding: text, as: UTF8.self)
    }
    guard let bytes = text.strictlyPercentDecoded(readsPlusAsSpace: readsPlusAsSpace),
      let decoded = String(validating: bytes, as: UTF8.self)
    else { throw badTarget }
    return decoded
  }
}
