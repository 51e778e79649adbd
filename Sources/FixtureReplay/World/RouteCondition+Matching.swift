internal import ProbeCore

extension RouteCondition {
  /// Whether a request matches, ignoring the state and the bytes received over plain TCP.
  func matches(_ input: MatchInput) -> Bool {
    guard isForListener(input.listener) else { return false }
    if let method, let head = input.head, !method.matches(head.methodBytes) { return false }
    if let host, !host.matchesAll, !isHost(host, of: input) { return false }
    if let port, !port.matchesAll, !isPort(port, of: input) { return false }
    if let path, !path.matchesAll, !isPath(path, of: input) { return false }
    return headers.isEmpty || headers.allSatisfy { isHeader($0, of: input) }
  }

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
    if let receive, !receive.matches(receive.isOfBytes ? input.received : input.line) {
      add("receive", receive, String(decoding: input.received.prefix(200), as: UTF8.self))
    }
    return reasons
  }

  /// Without a listener, a route is for HTTP and HTTPS, or for TCP if it has `receive`.
  func isForListener(_ other: ReplayListener) -> Bool {
    listener.map { $0 == other } ?? ((receive == nil) == (other != .tcp))
  }

  // What is unknown matches, such as the host of a plain TCP connection that arrived at the listener's own
  // port.

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
}

/// A text in quotation marks, safe to display.
private func quoted(_ text: String) -> String {
  "\"\(text.escapedForDisplay)\""
}

/// The destination that a client intended to reach, identified by the port it connected to.
public struct ReplayDestination: Hashable, Sendable {
  /// The host name or address.
  public var host: String
  /// The port.
  public var port: UInt16

  /// Creates a destination.
  public init(host: String, port: UInt16) {
    self.host = host.lowercased()
    self.port = port
  }
}

/// The properties of a request that a route's condition can check.
struct MatchInput {
  /// The listener that received it.
  let listener: ReplayListener
  /// The head, or nil on a plain TCP connection.
  let head: RequestHead?
  /// The intended destination, if the port it arrived on identifies one.
  let destination: ReplayDestination?
  /// The bytes received on a plain TCP connection.
  var received: ArraySlice<UInt8>
  /// The requested host as written, or nil if there is none; found once for all routes.
  let hostBytes: ArraySlice<UInt8>?

  init(
    listener: ReplayListener, head: RequestHead? = nil, destination: ReplayDestination? = nil,
    received: ArraySlice<UInt8> = []
  ) {
    (self.listener, self.head, self.destination, self.received) = (listener, head, destination, received)
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
