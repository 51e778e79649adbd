internal import ProbeCore

/// A pattern for URLs in which `*` matches any text within its part of the URL.
///
/// - In the scheme, `*` matches text of `http` and `https`, and no other scheme such as `javascript`.
/// - In the port, `*` matches any text; without a port, the pattern is for the default port.
/// - In the host, `*` matches a part of a label. A first label `*` matches one or more labels, so `*.example.com` is
///   for the hosts below `example.com`; a host that is `*` is any host, with any port.
/// - In the path, `*` matches any text, with slashes too; in the query, any text.
/// - At the end of the pattern, `*` also matches the parts that follow.
///
/// A URL is first split into its parts, so that nothing in one part can match the pattern of another.
struct URLPattern: Sendable {
  private let scheme: TextGlob
  private let host: HostGlob
  /// The port; nil for the default of the URL's scheme, or for any port of any host.
  private let port: TextGlob?
  private let target: TargetGlob

  /// Parses a pattern: `SCHEME://HOST:PORT/PATH?QUERY`, in which the scheme, with `*` at the beginning, can be omitted.
  ///
  /// - Throws: `InvalidInput` for anything else.
  init(_ text: String) throws(InvalidInput) {
    var rest = text[...]
    if let mark = text.firstRange(of: "://") {
      scheme = TextGlob(text[..<mark.lowerBound].lowercased())
      rest = text[mark.upperBound...]
    } else {
      scheme = TextGlob("*")
    }
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    rest = rest[authority.endIndex...]
    let isOpen = text.hasSuffix("*")
    target = try TargetGlob(rest.isEmpty && isOpen ? "*" : String(rest))
    // An IPv6 address has colons of its own.
    let colon = authority.lastIndex(of: ":").flatMap { authority[$0...].contains("]") ? nil : $0 }
    port = colon.map { TextGlob(String(authority[authority.index(after: $0)...])) }
    host = try HostGlob(String(authority[..<(colon ?? authority.endIndex)]))
  }

  /// Whether a URL matches; its fragment does not count.
  func matches(_ url: ProbeURL) -> Bool {
    guard !scheme.hasStar || url.scheme == .http || url.scheme == .https else { return false }
    guard scheme.matches(url.scheme.name), host.matches(url.host), target.matches(url) else { return false }
    guard let port else { return host.isAny || url.port == url.scheme.defaultPort }
    return url.port.map { port.matches("\($0)") } ?? false
  }
}

/// A pattern for a path with its query, in which `*` matches any text of the path or of the query.
struct TargetGlob: Sendable {
  private let path: TextGlob
  /// The query; nil for none.
  private let query: TextGlob?
  /// Whether the path ends with `*`, which then also matches a query.
  private let isOpen: Bool

  /// Parses a path with its query, or nothing for `/`.
  ///
  /// - Throws: `InvalidInput` if it has a fragment, or a character that a URL does not have.
  init(_ text: String) throws(InvalidInput) {
    guard !text.contains("#") else {
      throw InvalidInput("a pattern of a URL has no fragment", remedy: "omit # and what follows it")
    }
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else {
      throw InvalidInput(
        "the path has a character that must be encoded",
        remedy: "write a space as %20, and a backslash as / or %5C")
    }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].isEmpty ? "/" : String(parts[0])
    self.path = TextGlob(path)
    query = parts.count > 1 ? TextGlob(String(parts[1])) : nil
    isOpen = parts.count == 1 && path.hasSuffix("*")
  }

  /// Whether the path and the query of a URL match; never if a part of the path can be read as `.` or `..`.
  func matches(_ url: ProbeURL) -> Bool {
    let parts = url.path.utf8.split(separator: UInt8(ascii: "/"))
    guard !parts.contains(where: { PathPart($0).namesOtherFolder }) else { return false }
    guard path.matches(url.path.isEmpty ? "/" : url.path) else { return false }
    guard let query else { return isOpen || url.query == nil }
    return url.query.map(query.matches) ?? false
  }
}

/// A pattern for a host.
private struct HostGlob: Sendable {
  /// The labels, of which the first may match several.
  private let labels: [TextGlob]
  private let isOpen: Bool

  /// Whether it matches any host.
  var isAny: Bool { isOpen && labels.isEmpty }

  init(_ text: String) throws(InvalidInput) {
    var rest = text.lowercased()
    isOpen = rest == "*" || rest.hasPrefix("*.")
    if isOpen { rest = String(rest.dropFirst(2)) }
    guard isOpen || !rest.isEmpty else {
      throw InvalidInput("the pattern has no host", remedy: "write * for any host, as in https://*/login")
    }
    if !rest.isEmpty, !rest.contains("*") {
      // As a URL has it: internationalized names in ASCII, addresses in their usual form.
      let host = try ProbeURL("https://\(rest)/").host
      labels = host.contains(":") ? [TextGlob(host)] : host.split(separator: ".").map { TextGlob(String($0)) }
      return
    }
    let parts = rest.split(separator: ".", omittingEmptySubsequences: false)
    let isHost = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#@\\%[]".utf8.contains($0) }
    }
    guard isHost || rest.isEmpty else {
      throw InvalidInput(
        "\(Excerpt(text)) is not a host with *", remedy: "write it as in *.example.com, in ASCII")
    }
    labels = rest.isEmpty ? [] : parts.map { TextGlob(String($0)) }
  }

  func matches(_ host: String) -> Bool {
    if isAny { return true }
    let found = host.contains(":") ? [host[...]] : host.split(separator: ".")
    guard isOpen ? found.count > labels.count : found.count == labels.count else { return false }
    return zip(labels, found.suffix(labels.count)).allSatisfy { $0.matches(String($1)) }
  }
}

/// A text in which `*` matches any text, and everything else itself; a comparison takes linear time.
private struct TextGlob: Sendable {
  private let pieces: [[UInt8]]

  /// Whether it has a `*`.
  var hasStar: Bool { pieces.count > 1 }

  init(_ text: String) {
    pieces = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false).map { Array($0) }
  }

  func matches(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    guard let first = pieces.first, rest.starts(with: first) else { return false }
    guard let last = pieces.last, pieces.count > 1 else { return rest.count == first.count }
    rest = rest.dropFirst(first.count)
    guard rest.count >= last.count, rest.suffix(last.count).elementsEqual(last) else { return false }
    rest = rest.dropLast(last.count)
    for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
      guard let found = rest.firstRange(of: piece) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}
