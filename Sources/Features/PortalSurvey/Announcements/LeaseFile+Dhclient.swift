internal import ProbeCore

/// ISC dhclient: `/var/lib/dhcp/dhclient*.leases` (dhclient.leases(5)).
extension LeaseFile {
  /// Reads the leases of ISC dhclient.
  ///
  /// For each version of DHCP, the last complete lease of the interface counts. A lease does not show what
  /// the client requested.
  ///
  /// - Parameter configuration: The configuration of the client, or nil if unknown.
  /// - Returns: One announcement for each version of DHCP that has a lease of the interface.
  package func dhclient(_ configuration: DHCPClientConfiguration?) -> [Announcement] {
    if let obstacle { return [announcement(.combined, obstacle)] }
    let names = configuration ?? DHCPClientConfiguration(dhclient: [])
    var last: [Announcement.Method: DhclientLease] = [:]
    var reader = DhclientLeaseReader(names)
    for statement in DhclientStatements(bytes) {
      guard let lease = reader.read(statement) else { continue }
      if let interface, let own = lease.interface, own != interface { continue }
      last[lease.method] = lease
    }
    return [.dhcpv4, .dhcpv6].compactMap { (method: Announcement.Method) in
      last[method].map { announcement(method, finding(of: $0, configuration)) }
    }
  }

  private func finding(
    of lease: DhclientLease, _ configuration: DHCPClientConfiguration?
  ) -> Announcement.Finding {
    if lease.isReleased { return .unknown(Self.released) }
    guard let end = lease.end else { return .unknown("the lease has no valid end time") }
    if let flaw = flaw(end: end, leased: lease.addresses) { return flaw }
    if let value = lease.value { return .init(value: value) }
    guard let configuration else { return .unknown("whether dhclient requests it is unknown") }
    let isRequested = lease.method == .dhcpv4 ? configuration.requestsV4 : configuration.requestsV6
    return isRequested ? .absent : .unknown("dhclient does not request it")
  }
}

private struct DhclientLease {
  /// The version of DHCP.
  let method: Announcement.Method
  /// The interface, or nil if the lease names none.
  var interface: String?
  var addresses: [IPAddress] = []
  /// The value of the option.
  var value: [UInt8]?
  /// The end of the lease, in seconds since 1970: `Int.max` for never, nil if unreadable.
  var end: Int?
  var isReleased = false
}

/// Assembles leases from statements.
private struct DhclientLeaseReader {
  private static let forever = 0xFFFF_FFFF
  /// The maximum number of addresses to keep for a lease.
  private static let addressLimit = 64
  private let names: DHCPClientConfiguration
  private var lease: DhclientLease?
  private var depth = 0
  /// When the current address of a DHCPv6 lease was leased.
  private var start = 0

  /// Creates a reader that is outside any lease.
  ///
  /// - Parameter names: The names of the options.
  init(_ names: DHCPClientConfiguration) {
    self.names = names
  }

  /// Reads a statement.
  ///
  /// - Returns: The lease that it completes.
  mutating func read(_ statement: DhclientStatements.Statement) -> DhclientLease? {
    switch statement.end {
    case .semicolon: readValue(statement)
    case .open: open(statement)
    case .close:
      readValue(statement)
      depth = max(0, depth - 1)
      guard depth == 0, var finished = lease else { break }
      lease = nil
      // A lease without addresses has only options (RFC 8415 §6.1).
      if finished.method == .dhcpv6 { finished.end = finished.end ?? .max }
      return finished
    }
    return nil
  }

  private mutating func open(_ statement: DhclientStatements.Statement) {
    depth += 1
    switch (statement.text(0), statement.words.count) {
    // No block contains a lease: whatever is still open was never finished.
    case ("lease", 1): (lease, depth) = (DhclientLease(method: .dhcpv4), 1)
    case ("lease6", 1): (lease, depth) = (DhclientLease(method: .dhcpv6), 1)
    case ("iaaddr", 2), ("iaprefix", 2):
      start = 0
      guard let lease, lease.addresses.count < Self.addressLimit else { return }
      if let address = statement.text(1).flatMap({ IPAddress($0) }) { self.lease?.addresses.append(address) }
    default: break
    }
  }

  private mutating func readValue(_ statement: DhclientStatements.Statement) {
    guard let lease, let keyword = statement.text(0) else { return }
    let words = statement.words
    switch (keyword, words.count) {
    case ("interface", 2...) where depth == 1: self.lease?.interface = words[1].text
    case ("fixed-address", 2...):
      if let address = IPAddress(words[1].text) { self.lease?.addresses = [address] }
    case ("option", 3...) where depth == 1: readOption(words)
    case ("expire", 2...): self.lease?.end = Self.time(words.dropFirst().map(\.text))
    case ("released", 1): self.lease?.isReleased = true
    case ("starts", 2): start = Int(text: words[1].text) ?? 0
    case ("max-life", 2) where lease.method == .dhcpv6: readLife(Int(text: words[1].text))
    default: break
    }
  }

  private mutating func readOption(_ words: [DhclientStatements.Word]) {
    let known = lease?.method == .dhcpv4 ? names.namesV4 : names.namesV6
    guard known.contains(words[1].text.lowercased()) else { return }
    let word = words[2]
    lease?.value = word.isQuoted ? word.bytes : Self.hexadecimal(word.bytes) ?? word.bytes
  }

  /// A DHCPv6 lease ends with the last of its addresses.
  private mutating func readLife(_ life: Int?) {
    guard let life, (0...Self.forever).contains(life), (0...1 << 40).contains(start) else { return }
    let earlier = lease?.end ?? 0
    lease?.end = max(earlier, life == Self.forever ? .max : start + life)
  }

  /// The bytes of a value such as `68:74:74:70`, or nil if it does not have this form.
  private static func hexadecimal(_ text: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for part in text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
      guard (1...2).contains(part.count), let byte = UInt8(hexDigits: part) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// The time of `never`, `epoch SECONDS`, or `WEEKDAY YEAR/MONTH/DAY HOUR:MINUTE:SECOND`, which is in UTC.
  private static func time(_ words: [String]) -> Int? {
    switch words.first {
    case "never": return .max
    case "epoch": return words.count > 1 ? Int(text: words[1]) : nil
    default: break
    }
    guard words.count >= 3 else { return nil }
    let date = words[1].split(separator: "/", omittingEmptySubsequences: false).map { Int(text: $0) ?? -1 }
    let clock = words[2].split(separator: ":", omittingEmptySubsequences: false).map { Int(text: $0) ?? -1 }
    guard date.count == 3, clock.count == 3, (1970...9999).contains(date[0]) else { return nil }
    return UTCTime.unix(
      year: date[0], month: date[1], day: date[2], hour: clock[0], minute: clock[1], second: clock[2])
  }
}
