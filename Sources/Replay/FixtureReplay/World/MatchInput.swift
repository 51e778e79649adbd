internal import ProbeCore

/// The properties of a request that a route's condition can check.
struct MatchInput {
  let listener: ReplayListener
  /// The head, or nil on a plain TCP connection.
  let head: RequestHead?
  /// The intended destination, if the port it arrived on identifies one.
  let destination: ReplayDestination?
  /// The client's address, or nil if unknown.
  let client: IPAddress?
  /// The content of the request.
  let body: [UInt8]
  /// The fields of the query and the form, if a fixture needs them.
  var fields: RequestFields?
  /// The bytes received on a plain TCP connection.
  var received: ArraySlice<UInt8>
  /// The requested host as written, or nil if there is none; found once for all routes.
  let hostBytes: ArraySlice<UInt8>?

  init(
    listener: ReplayListener, head: RequestHead? = nil, destination: ReplayDestination? = nil,
    client: IPAddress? = nil, body: [UInt8] = [], received: ArraySlice<UInt8> = []
  ) {
    (self.listener, self.head, self.destination, self.received) = (listener, head, destination, received)
    (self.client, self.body) = (client, body)
    hostBytes = head?.hostBytes ?? destination.map { Array($0.host.utf8)[...] }
  }

  /// The bytes received on a plain TCP connection, without the line end.
  var line: ArraySlice<UInt8> {
    guard received.last == UInt8(ascii: "\n") else { return received }
    let line = received.dropLast()
    return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
  }

  /// The requested host, or nil if there is none.
  var host: String? { hostBytes.map { String(decoding: $0, as: UTF8.self) } }

  /// The requested port, or nil if unknown.
  var port: UInt16? {
    if let destination { return destination.port }
    guard let head else { return nil }
    return head.port ?? (listener == .https ? 443 : 80)
  }
}

extension MatchInput {
  /// The number of bytes received for it.
  var count: Int { head.map { $0.bytes.count + body.count } ?? received.count }

  /// The requested host as in a URL, with brackets around an IPv6 address (RFC 3986 §3.2.2), or nil if there is none.
  var urlHost: String? { host.map(\.bracketedHost) }

  /// The scheme, host and port of the requested URL, or nil if there is no head or no host.
  var origin: String? {
    guard head != nil, let host = urlHost, listener != .tcp else { return nil }
    let isUsual = port == (listener == .https ? 443 : 80)
    let suffix = isUsual ? "" : port.map { ":\($0)" } ?? ""
    return "\(listener.rawValue)://\(host)\(suffix)"
  }

  /// The URL of the request, or nil if there is no head or no host.
  var url: String? { origin.flatMap { origin in head.map { origin + $0.pathAndQueryOfURL } } }

  /// The fields of the query and the form.
  var knownFields: RequestFields { fields ?? RequestFields(head, body) }
}

/// The destination that a client intended to reach, identified by the port it connected to.
package struct ReplayDestination: Hashable, Sendable {
  /// The host name or address.
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16) {
    self.host = host.lowercased()
    self.port = port
  }
}

extension RouteCondition {
  /// Whether a request matches, ignoring the state and the bytes received over plain TCP.
  func matches(_ input: MatchInput) -> Bool {
    guard isForListener(input.listener) else { return false }
    if let method, let head = input.head, !method.matches(head.methodBytes) { return false }
    if let host, !host.matchesAll, !isHost(host, of: input) { return false }
    if let port, !port.matchesAll, !isPort(port, of: input) { return false }
    if let path, !path.matchesAll, !isPath(path, of: input) { return false }
    guard headers.isEmpty || headers.allSatisfy({ isHeader($0, of: input) }) else { return false }
    guard hasFields else { return true }
    let fields = input.knownFields
    return query.allSatisfy { isField($0, of: fields.query) }
      && form.allSatisfy { isField($0, of: fields.form) }
  }

  /// Whether it needs the fields of the query or the form.
  var hasFields: Bool { !query.isEmpty || !form.isEmpty }

  /// The reasons why a request does not match, one text each.
  func mismatches(with input: MatchInput, state current: String?) -> [String] {
    var reasons: [String] = []
    func add(_ name: String, _ wanted: some CustomStringConvertible, _ found: String?) {
      reasons.append(
        "expected \(name) \(quoted(wanted.description)), found \(found.map(quoted) ?? "nothing")")
    }
    if let state, state != current { add("state", state, current) }
    if !isForListener(input.listener) {
      add("listener", listener?.rawValue ?? "http or https", input.listener.rawValue)
    }
    if let method, let head = input.head, !method.matches(head.methodBytes) {
      add("method", method, head.method)
    }
    if let host, !isHost(host, of: input) { add("host", host, input.host) }
    if let port, !isPort(port, of: input) { add("port", port, input.port.map { "\($0)" }) }
    if let path, !isPath(path, of: input) {
      let found = path.asksForQuery ? input.head?.pathAndQuery : input.head?.path
      add("path", path, found.map { String(decoding: $0, as: UTF8.self) })
    }
    for header in headers where !isHeader(header, of: input) {
      add("header \(header.name)", header.value, input.head?.values(of: header.name).first)
    }
    let fields = input.knownFields
    for (kind, conditions, found) in [("query", query, fields.query), ("form", form, fields.form)] {
      for field in conditions where !isField(field, of: found) {
        let value = found.values(of: field.name).first
        add("\(kind) field \(field.name)", field.value, value.map { String(decoding: $0, as: UTF8.self) })
      }
    }
    if let receive, !receive.matches(receive.isForBytes ? input.received : input.line) {
      add("receive", receive, String(decoding: input.received.prefix(200), as: UTF8.self))
    }
    return reasons
  }

  /// Without a listener, a route is for HTTP and HTTPS, or for TCP if it has `receive`.
  func isForListener(_ other: ReplayListener) -> Bool {
    listener.map { $0 == other } ?? ((receive == nil) == (other != .tcp))
  }

  // An unknown property matches, such as the host of a plain TCP connection that arrived at the listener's
  // own port.

  private func isHost(_ pattern: Glob, of input: MatchInput) -> Bool {
    guard let host = input.hostBytes else { return input.head == nil || pattern.matchesAll }
    return pattern.matches(host)
  }

  private func isPort(_ pattern: Glob, of input: MatchInput) -> Bool {
    input.port.map { pattern.matches("\($0)") } ?? true
  }

  private func isPath(_ pattern: Glob, of input: MatchInput) -> Bool {
    guard let head = input.head else { return false }
    return pattern.matches(pattern.asksForQuery ? head.pathAndQuery : head.path)
  }

  private func isHeader(_ header: HeaderCondition, of input: MatchInput) -> Bool {
    input.head?.values(of: header.name).contains { header.value.matches($0) } ?? false
  }

  private func isField(_ field: FieldCondition, of fields: FormFields) -> Bool {
    fields.values(of: field.name).contains { field.value.matches($0) }
  }
}

/// A text in quotation marks, safe to display.
private func quoted(_ text: String) -> String {
  "\"\(text.escapedForDisplay)\""
}
