/// Values by host name, `*` standing for any part of a name.
///
/// A name without `*` comes before every pattern, and a pattern with more letters of its own before one with fewer.
public struct HostRules<Value: Hashable & Sendable>: Hashable, Sendable {
  /// One name or pattern with its value.
  public struct Rule: Hashable, Sendable {
    /// The host name, in any case.
    public var host: Glob
    /// What holds for it.
    public var value: Value
  }

  /// The rules, those that come first at the start.
  public let rules: [Rule]

  /// Rules from patterns with their values.
  public init(_ pairs: [(host: String, value: Value)]) {
    let rules = pairs.map { Rule(host: Glob($0.host, isCaseSensitive: false), value: $0.value) }
    // Among patterns with as many letters the order they were written in decides.
    let patterns = rules.filter(\.host.hasWildcard).enumerated()
      .sorted { ($1.element.host.literalCount, $0.offset) < ($0.element.host.literalCount, $1.offset) }
    self.rules = rules.filter { !$0.host.hasWildcard } + patterns.map(\.element)
  }

  /// What holds for a host, or nil when no rule is for it.
  public subscript(host: String) -> Value? {
    rules.first { $0.host.matches(host) }?.value
  }
}

extension HostRules: ExpressibleByDictionaryLiteral {
  /// Rules as written.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(elements.map { (host: $0.0, value: $0.1) })
  }
}
