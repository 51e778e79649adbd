package import ProbeBase

/// The result of a lookup.
package struct NameAnswer: Hashable, Sendable {
  /// An address of the name.
  package struct Entry: Hashable, Sendable {
    /// The address.
    package var address: IPAddress
    /// The time for which the address may be cached (RFC 2181 §8), or nil for one from the hosts file.
    package var timeToLive: Duration?

    /// An entry.
    package init(_ address: IPAddress, timeToLive: Duration? = nil) {
      self.address = address
      self.timeToLive = timeToLive
    }
  }

  /// An alias and its target (CNAME, RFC 1034 §3.6.2).
  package struct Alias: Hashable, Sendable {
    /// The alias.
    package var from: String
    /// The target of the alias.
    package var to: String
    /// The time for which the alias may be cached.
    package var timeToLive: Duration

    /// An alias.
    package init(from: String, to: String, timeToLive: Duration) {
      self.from = from
      self.to = to
      self.timeToLive = timeToLive
    }
  }

  /// The addresses, in the order in which to try them (RFC 6724 §6); at least one.
  package var addresses: [Entry]
  /// The chain of aliases from the requested name to the addresses; empty for the hosts file.
  package var aliases: [Alias]

  /// A result.
  package init(_ addresses: [Entry], aliases: [Alias] = []) {
    self.addresses = addresses
    self.aliases = aliases
  }
}
