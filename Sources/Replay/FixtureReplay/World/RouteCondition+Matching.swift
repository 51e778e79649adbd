internal import ProbeCore

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
    if let receive, !receive.matches(receive.isOfBytes ? input.received : input.line) {
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
