internal import ProbeCore

extension RouteCondition {
  /// Whether a request fits, apart from the state and from what was received.
  func matches(_ asked: AskedFor) -> Bool {
    guard isForListener(asked.listener) else { return false }
    if let method, let head = asked.head, !method.matches(head.methodBytes) { return false }
    if let host, !host.matchesAll, !isHost(host, of: asked) { return false }
    if let port, !port.matchesAll, !isPort(port, of: asked) { return false }
    if let path, !path.matchesAll, !isPath(path, of: asked) { return false }
    return headers.isEmpty || headers.allSatisfy { isHeader($0, of: asked) }
  }

  /// What does not fit, a text for each thing.
  func mismatches(with asked: AskedFor, state current: String?) -> [String] {
    var reasons: [String] = []
    func add(_ name: String, _ wanted: some CustomStringConvertible, _ found: String?) {
      reasons.append("\(name) \(quoted(wanted.description)) wanted, \(found.map(quoted) ?? "nothing") found")
    }
    if let state, state != current { add("state", state, current) }
    if !isForListener(asked.listener) {
      add("listener", listener?.rawValue ?? "http or https", asked.listener.rawValue)
    }
    if let method, let head = asked.head, !method.matches(head.methodBytes) {
      add("method", method, head.method)
    }
    if let host, !isHost(host, of: asked) { add("host", host, asked.host) }
    if let port, !isPort(port, of: asked) { add("port", port, asked.port.map { "\($0)" }) }
    if let path, !isPath(path, of: asked) {
      let found = path.asksForQuery ? asked.head?.pathAndQuery : asked.head?.path
      add("path", path, found.map { String(decoding: $0, as: UTF8.self) })
    }
    for header in headers where !isHeader(header, of: asked) {
      add("header \(header.name):", header.value, asked.head?.values(of: header.name).first)
    }
    if let receive, !receive.matches(receive.isOfBytes ? asked.received : asked.line) {
      add("receive", receive, String(decoding: asked.received.prefix(200), as: UTF8.self))
    }
    return reasons
  }

  /// Without a listener a route is for HTTP and HTTPS, or for TCP when it says what must be received.
  func isForListener(_ other: ReplayListener) -> Bool {
    listener.map { $0 == other } ?? ((receive == nil) == (other != .tcp))
  }

  // What nobody can tell, such as the host of a plain TCP connection that came straight to the server, fits.

  private func isHost(_ pattern: Glob, of asked: AskedFor) -> Bool {
    guard let host = asked.hostBytes else { return asked.head == nil || pattern.matchesAll }
    return pattern.matches(host)
  }

  private func isPort(_ pattern: Glob, of asked: AskedFor) -> Bool {
    asked.port.map { pattern.matches("\($0)") } ?? true
  }

  private func isPath(_ pattern: Glob, of asked: AskedFor) -> Bool {
    guard let head = asked.head else { return false }
    return pattern.matches(pattern.asksForQuery ? head.pathAndQuery : head.path)
  }

  private func isHeader(_ header: HeaderCondition, of asked: AskedFor) -> Bool {
    asked.head?.values(of: header.name).contains { header.value.matches($0) } ?? false
  }
}

/// A text in quotation marks, fit to be shown.
private func quoted(_ text: String) -> String {
  "\"\(text.escapedForDisplay)\""
}
