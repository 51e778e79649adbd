extension RouteCondition {
  /// The listeners to which a request it is for can come.
  var possibleListeners: Set<ReplayListener> {
    if let listener { return [listener] }
    return receive == nil ? [.http, .https] : [.tcp]
  }

  /// How many bytes its patterns have together.
  var patternLength: Int {
    let patterns = [method, host, port, path, receive].compactMap(\.self) + headers.map(\.value)
    return patterns.reduce(1) { $0 + $1.pattern.utf8.count }
  }

  /// Whether every request that the other is for is one that this is for too.
  ///
  /// False also where it is not plain to see: two patterns are compared as texts in which a `*` of the other stands for
  /// itself.
  func covers(_ other: RouteCondition) -> Bool {
    possibleListeners.isSuperset(of: other.possibleListeners)
      && (state == nil || state == other.state)
      && Self.covers(method, other.method)
      && Self.covers(host, other.host)
      && Self.covers(port, other.port)
      && coversPath(of: other)
      && headers.allSatisfy { mine in
        other.headers.contains { theirs in
          mine.name.lowercased() == theirs.name.lowercased() && mine.value.covers(theirs.value)
        }
      }
      && coversReceived(of: other)
  }

  private static func covers(_ mine: Glob?, _ theirs: Glob?) -> Bool {
    guard let mine else { return true }
    if mine.matchesAll { return true }
    return theirs.map(mine.covers) ?? false
  }

  /// Without `receive` a route answers before anything came; how patterns are compared is told at ``TCPTurns``.
  private func coversReceived(of other: RouteCondition) -> Bool {
    guard let receive, let theirs = other.receive else { return receive == nil && other.receive == nil }
    guard receive.isOfBytes == theirs.isOfBytes else { return false }
    return receive.isOfBytes ? theirs.startsAsLong(as: receive) : receive.covers(theirs)
  }

  /// A pattern without `?` is for the path alone, one with it for the path and the query.
  private func coversPath(of other: RouteCondition) -> Bool {
    guard let path, !path.matchesAll else { return true }
    guard let theirs = other.path else { return false }
    guard let mark = theirs.pattern.firstIndex(of: "?") else {
      return !path.pattern.contains("?") && path.covers(theirs)
    }
    if path.pattern.contains("?") { return path.covers(theirs) }
    let start = theirs.pattern[..<mark]
    return !start.contains("*") && path.matches(String(start))
  }
}

extension Glob {
  /// Whether what starts as this pattern does, up to its first `*`, also starts as the other does.
  fileprivate func startsAsLong(as other: Glob) -> Bool {
    pattern.utf8.prefix { $0 != UInt8(ascii: "*") }
      .starts(with: other.pattern.utf8.prefix { $0 != UInt8(ascii: "*") })
  }

  /// Whether whatever fits the other fits this too, as far as it is plain to see.
  func covers(_ other: Glob) -> Bool {
    // NUL, which stands in no pattern, can be taken by a star only; and what takes it takes any text in its place.
    let witness = other.pattern.utf8.map { $0 == UInt8(ascii: "*") ? 0 : $0 }
    return pattern == other.pattern || !pattern.utf8.contains(0) && matches(witness)
  }
}
