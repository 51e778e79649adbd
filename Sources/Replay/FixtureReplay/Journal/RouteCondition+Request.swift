public import ProbeCore

extension RouteCondition {
  /// Creates the condition for a request written as text, such as `GET http://shop.example/health`.
  ///
  /// The form is `[METHOD] URL` or `[METHOD] /path`; without a method, any matches. A URL has the scheme http,
  /// https or tcp, and without a port the default port of its scheme. `*` matches any characters in every part.
  /// The query of a request counts only if the text has one.
  ///
  /// - Parameter text: The request.
  /// - Throws: `InvalidInput` if the text has another form.
  public init(request text: String) throws(InvalidInput) {
    self.init()
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard (1...2).contains(words.count), let target = words.popLast(), !target.isEmpty else {
      throw Self.mistake(text)
    }
    if let word = words.first {
      guard !word.isEmpty, word.utf8.allSatisfy(\.isTokenCharacter) else { throw Self.mistake(text) }
      method = Glob(word)
    }
    if target.hasPrefix("/") || target.hasPrefix("*") {
      path = Glob(target)
      return
    }
    guard let mark = target.firstRange(of: "://"),
      let listener = ReplayListener(rawValue: target[..<mark.lowerBound].lowercased())
    else { throw Self.mistake(text) }
    self.listener = listener
    let rest = target[mark.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    try readAuthority(authority, of: text, defaultPort: listener == .https ? "443" : "80")
    let path = String(rest[authority.endIndex...])
    guard listener == .tcp else {
      self.path = Glob(path.hasPrefix("/") ? path : "/" + path)
      return
    }
    guard method == nil, path.isEmpty || path == "/" else { throw Self.mistake(text) }
  }

  private mutating func readAuthority(
    _ authority: Substring, of text: String, defaultPort: String
  ) throws(InvalidInput) {
    var host = authority
    var port: Substring?
    // The colons of an IPv6 address are inside its brackets.
    if authority.last != "]", let colon = authority.lastIndex(of: ":") {
      host = authority[..<colon]
      port = authority[authority.index(after: colon)...]
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty, (try? HostPattern.check(String(host))) != nil,
      port?.allSatisfy({ $0.isNumber || $0 == "*" }) ?? (listener != .tcp), port != ""
    else { throw Self.mistake(text) }
    self.host = Glob(String(host), isCaseSensitive: false)
    self.port = Glob(port.map(String.init) ?? defaultPort)
  }

  private static func mistake(_ text: String) -> InvalidInput {
    InvalidInput(
      "\(Excerpt(text)) is not a request",
      remedy: "write it as GET http://shop.example/health, POST /login or tcp://mail.example:25")
  }
}

extension ReplayJournal {
  /// Requires that this number of requests match a text.
  ///
  /// ```swift
  /// try journal.expect(.once, "GET http://shop.example/health")
  /// ```
  /// - Parameters:
  ///   - count: The expected number.
  ///   - request: The request, as in ``RouteCondition/init(request:)``.
  ///   - route: The name of the route that responded, or nil for any or none.
  /// - Returns: The entries.
  /// - Throws: ``JournalMismatch``, which describes what was received instead, or `InvalidInput` if the text is
  ///   not a request.
  @discardableResult
  public func expect(
    _ count: RequestCount, _ request: String, route: String? = nil
  ) throws -> [JournalEntry] {
    try expect(count, route: route, where: RouteCondition(request: request))
  }

  /// Waits until at least one request matches a text.
  ///
  /// - Parameters:
  ///   - request: The request, as in ``RouteCondition/init(request:)``.
  ///   - route: The name of the route that responded, or nil for any or none.
  ///   - patience: The timeout.
  /// - Returns: The entries.
  /// - Throws: ``JournalMismatch`` on a timeout, or if the task was cancelled; `InvalidInput` if the text is not
  ///   a request.
  @discardableResult
  public func wait(
    for request: String, route: String? = nil, patience: Duration = .seconds(10)
  ) async throws -> [JournalEntry] {
    try await wait(for: 1, route: route, where: RouteCondition(request: request), patience: patience)
  }
}
