package import ProbeCore

/// What a lookup has brought.
package struct NameAnswer: Hashable, Sendable {
  /// An address of the name.
  package struct Entry: Hashable, Sendable {
    /// The address.
    package var address: IPAddress
    /// How long it may be kept (RFC 2181 §8), or nil when the hosts file says it.
    package var timeToLive: Duration?

    /// An entry.
    package init(_ address: IPAddress, timeToLive: Duration? = nil) {
      self.address = address
      self.timeToLive = timeToLive
    }
  }

  /// A name that stands for another one (CNAME, RFC 1034 §3.6.2).
  package struct Alias: Hashable, Sendable {
    /// The name that stands for another.
    package var from: String
    /// The name it stands for.
    package var to: String
    /// How long that may be kept.
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
  /// The aliases on the way to them, from the name that was asked for; none of the hosts file.
  package var aliases: [Alias]

  /// An answer.
  package init(_ addresses: [Entry], aliases: [Alias] = []) {
    self.addresses = addresses
    self.aliases = aliases
  }
}
