internal import CProbeAres
internal import ProbeSystem
package import ProbeBase

/// The result of a lookup.
package struct ResolvedName: Hashable, Sendable {
  /// An address of the name.
  package struct Entry: Hashable, Sendable {
    package var address: IPAddress
    /// The time for which the address may be cached (RFC 2181 §8), or nil for one from the hosts file.
    package var timeToLive: Duration?

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

  package init(_ addresses: [Entry], aliases: [Alias] = []) {
    self.addresses = addresses
    self.aliases = aliases
  }
}

extension ResolvedName {
  /// A copy of the result of c-ares.
  ///
  /// - Parameters:
  ///   - found: The result.
  ///   - hasTimes: Whether its times to live are valid.
  init(_ found: ares_addrinfo, hasTimes: Bool) {
    self.init([])
    var node = unsafe found.nodes
    while let entry = unsafe node {
      if let address = unsafe IPAddress(socketAddress: entry.pointee.ai_addr) {
        let seconds = unsafe entry.pointee.ai_ttl
        addresses.append(Entry(address, timeToLive: hasTimes ? .timeToLive(seconds) : nil))
      }
      unsafe node = entry.pointee.ai_next
    }
    var alias = unsafe found.cnames
    while let entry = unsafe alias {
      if let from = unsafe entry.pointee.alias, let to = unsafe entry.pointee.name {
        let (from, to) = unsafe (String(cString: from), String(cString: to))
        aliases.append(unsafe Alias(from: from, to: to, timeToLive: .timeToLive(entry.pointee.ttl)))
      }
      unsafe alias = entry.pointee.next
    }
  }
}

extension Duration {
  /// A time to live in seconds; one with the highest bit set is 0 (RFC 2181 §8).
  fileprivate static func timeToLive(_ seconds: Int32) -> Duration { .seconds(max(0, seconds)) }
}
