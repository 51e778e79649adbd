/// Values by host name, in which `*` matches any part of a name.
///
/// A name without `*` takes precedence over every pattern, and a pattern with more literal bytes over one
/// with fewer.
public struct HostRules<Value: Hashable & Sendable>: Hashable, Sendable {
  /// One name or pattern with its value.
  public struct Rule: Hashable, Sendable {
    /// The host name, in any case.
    public var host: Glob
    /// The value for this host.
    public var value: Value
  }

  /// The rules in order of precedence.
  public let rules: [Rule]

  /// Creates rules from patterns and their values.
  public init(_ pairs: [(host: String, value: Value)]) {
    let rules = pairs.map { Rule(host: Glob($0.host, isCaseSensitive: false), value: $0.value) }
    // Patterns with equally many literal bytes keep the order in which they were written.
    let patterns = rules.filter(\.host.hasWildcard).enumerated()
      .sorted { ($1.element.host.literalCount, $0.offset) < ($0.element.host.literalCount, $1.offset) }
    self.rules = rules.filter { !$0.host.hasWildcard } + patterns.map(\.element)
  }

  /// The value for a host, or nil if no rule matches.
  public subscript(host: String) -> Value? {
    rules.first { $0.host.matches(host) }?.value
  }
}

extension HostRules: ExpressibleByDictionaryLiteral {
  /// Creates rules from a dictionary literal, in its order.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(elements.map { (host: $0.0, value: $0.1) })
  }
}
