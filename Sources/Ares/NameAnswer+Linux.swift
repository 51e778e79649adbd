internal import CAres
internal import Glibc
internal import ProbeCore

extension NameAnswer {
  /// A copy of what c-ares has found.
  ///
  /// - Parameters:
  ///   - found: What it has found.
  ///   - hasTimes: Whether its times to live mean something.
  init(_ found: ares_addrinfo, hasTimes: Bool) {
    self.init([])
    var node = unsafe found.nodes
    while let entry = unsafe node {
      if let address = unsafe IPAddress(entry.pointee.ai_addr) {
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

extension IPAddress {
  /// The address in a socket address, or nil when that is of another family.
  fileprivate init?(_ address: UnsafePointer<sockaddr>?) {
    guard let address = unsafe address else { return nil }
    switch unsafe Int32(address.pointee.sa_family) {
    case AF_INET:
      let bits = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        unsafe $0.pointee.sin_addr.s_addr
      }
      self.init(v4: UInt32(bigEndian: bits))
    case AF_INET6:
      let bits = unsafe address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
        var bytes = unsafe pointer.pointee.sin6_addr
        return unsafe withUnsafeBytes(of: &bytes) { unsafe $0.loadUnaligned(as: UInt128.self) }
      }
      self.init(v6: UInt128(bigEndian: bits))
    default: return nil
    }
  }
}
