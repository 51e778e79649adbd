internal import ProbeBase
package import ProbeCore

/// The nftables rules by which a transparent replay server represents everything beyond an interface.
///
/// Queries to any DNS server and TCP connections to any address and port, if they arrive at the interface, go
/// to the server. Pings of any address receive a reply from this machine or none. UDP to other ports, such as
/// QUIC, is rejected as by a host without such a service, and anything else is dropped. Nothing is forwarded
/// between the interface and others. If the server has an IPv4 address only, IPv6 is refused: it would reach
/// the other services of this machine.
package struct RedirectRules: Hashable, Sendable {
  private let table: InterfaceTable
  /// The ports of the server, which listens on the interface's addresses or on every address.
  package var targets: RedirectTargets
  /// The only address that the server listens on, an IPv4 address; nil if it listens on all addresses of the
  /// interface, of both families.
  package var address: IPAddress?
  /// UDP ports of this machine that stay reachable at the interface, such as 67 for DHCP.
  package var openPorts: [UInt16] = []

  /// Rules for an interface; nil if its name has characters that a ruleset cannot contain.
  package init?(interface: String, targets: RedirectTargets) {
    guard let table = InterfaceTable(interface) else { return nil }
    (self.table, self.targets) = (table, targets)
  }

  /// The input of `nft -f -` that replaces the rules, all or nothing.
  package var ruleset: String {
    let plain = targets.plainPorts.map(String.init).joined(separator: ", ")
    let to = address.map { "dnat ip to \($0):" } ?? "redirect to :"
    let echoes =
      address.map { "ip protocol icmp dnat ip to \($0)" } ?? "meta l4proto { icmp, ipv6-icmp } redirect"
    let refusals = address == nil ? "" : Self.refusalsOfV6.map { "\($0)\n      " }.joined()
    let toPlain = plain.isEmpty ? "" : "tcp dport { \(plain) } \(to)\(targets.tcp)\n    "
    let udp = ([53] + openPorts).map(String.init).joined(separator: ", ")
    let pings = targets.repliesToPings ? "accept" : "drop"
    let interface = table.interface
    return """
      \(table.removal)table \(table.name) {
        chain admission {
          type filter hook prerouting priority mangle; policy accept;
          iifname != "\(interface)" accept
          \(refusals)meta l4proto tcp accept
          udp dport { \(udp) } accept
          meta l4proto udp reject with icmpx port-unreachable
          icmp type echo-request \(pings)
          icmpv6 type echo-request \(pings)
          icmp type { destination-unreachable, time-exceeded, parameter-problem } accept
          icmpv6 type { destination-unreachable, packet-too-big, time-exceeded, parameter-problem } accept
          icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } accept
          drop
        }
        chain redirection {
          type nat hook prerouting priority dstnat; policy accept;
          iifname != "\(interface)" accept
          meta l4proto { tcp, udp } th dport 53 \(to)\(targets.dns)
          tcp dport 80 \(to)\(targets.http)
          tcp dport 443 \(to)\(targets.https)
          \(toPlain)meta l4proto tcp \(to)\(targets.other)
          \(echoes)
        }
        chain forwarding {
          type filter hook forward priority filter; policy accept;
          iifname "\(interface)" drop
          oifname "\(interface)" drop
        }
      }

      """
  }

  /// The rules that refuse IPv6 as a host without any service does.
  ///
  /// Neighbors are still found, so that no client waits for the end of a time limit.
  private static let refusalsOfV6 = [
    "meta nfproto ipv6 meta l4proto tcp reject with tcp reset",
    "meta nfproto ipv6 meta l4proto udp reject with icmpx port-unreachable",
    "icmpv6 type echo-request drop",
  ]
}

/// The table of nftables for an interface, which belongs to ``RedirectRules`` alone.
package struct InterfaceTable: Hashable, Sendable {
  /// The interface, such as `eth1`.
  package let interface: String

  /// The table of an interface; nil if its name has characters that a ruleset cannot contain.
  package init?(_ interface: String) {
    let isWritable = interface.utf8.allSatisfy { byte in
      byte.isASCIILetter || byte.isASCIIDigit || "-_.:@+".utf8.contains(byte)
    }
    guard isWritable, !interface.isEmpty else { return nil }
    self.interface = interface
  }

  /// The family and the name of the table.
  var name: String {
    let name = interface.utf8.map { byte in
      byte.isASCIILetter || byte.isASCIIDigit ? Character(Unicode.Scalar(byte)) : "-"
    }
    return "inet probekit-replay-" + String(name)
  }

  /// The input of `nft -f -` that closes the interface to everything that arrives at it, until other rules replace
  /// these.
  package var closingRuleset: String {
    """
    \(removal)table \(name) {
      chain admission {
        type filter hook prerouting priority mangle; policy accept;
        iifname "\(interface)" drop
      }
    }

    """
  }

  /// The input of `nft -f -` that removes the rules, even if there are none.
  package var removal: String {
    // The first line ensures that there is a table for the second one to remove.
    "table \(name)\ndelete table \(name)\n"
  }
}

/// The ports of a transparent replay server: where each kind of traffic is redirected to.
package struct RedirectTargets: Hashable, Sendable {
  /// The DNS server, over UDP and TCP.
  package var dns: UInt16
  /// Connections to port 80.
  package var http: UInt16
  /// Connections to port 443.
  package var https: UInt16
  /// Connections to ``plainPorts``.
  package var tcp: UInt16
  /// Connections to all other ports.
  package var other: UInt16
  /// The ports of routes for plain TCP, if its listener does not accept connections; otherwise empty, because
  /// the port for all others then serves them.
  var plainPorts: [UInt16] = []
  /// Whether pings receive a reply.
  var repliesToPings = true

  package init(
    dns: UInt16, http: UInt16, https: UInt16, tcp: UInt16, other: UInt16, plainPorts: [UInt16] = [],
    repliesToPings: Bool = true
  ) {
    (self.dns, self.http, self.https, self.tcp, self.other) = (dns, http, https, tcp, other)
    (self.plainPorts, self.repliesToPings) = (plainPorts, repliesToPings)
  }
}

extension [Fixture] {
  /// The ports that routes for plain TCP name.
  var plainPorts: [UInt16] {
    let ports = flatMap(\.routes).filter { $0.condition.isForListener(.tcp) }
      .compactMap { $0.condition.port.flatMap { UInt16(text: $0.pattern) } }
    return Set(ports).sorted()
  }
}

extension [ReplayListener: ListenerMode] {
  /// The mode of the port for all other connections: that of all listeners if they agree.
  ///
  /// Otherwise a connection is accepted, and treated as its listener's mode requires once it is known.
  var ofOthers: ListenerMode {
    let modes = Set(ReplayListener.allCases.map { self[$0] ?? .open })
    return modes.count == 1 ? modes.first ?? .open : .open
  }
}
