internal import CProbeAres
internal import ProbeBase
internal import ProbeSystem

extension NameAnswer {
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
