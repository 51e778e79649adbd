package import FixtureReplay
import ProbeCore

/// The setup of this machine as the router of a replayed network: the changes on one interface.
///
/// Clients get an address by DHCP, with this machine as their router and DNS server. Their traffic to any address
/// goes to the replay server.
package struct Gateway: Sendable {
  /// The UDP port of DHCP servers (RFC 2131 §4.1).
  package static let dhcpPort: UInt16 = 67

  /// The interface before any change.
  package let interface: GatewayInterface
  /// The rules of its traffic.
  let table: InterfaceTable
  package let network: GatewayNetwork
  /// The captive-portal API to announce (RFC 8910), or nil.
  package let announcement: String?
  /// The file for the process ID of dnsmasq.
  let processFile: String

  package init(
    interface: GatewayInterface,
    table: InterfaceTable,
    network: GatewayNetwork,
    announcement: String? = nil,
    processFile: String
  ) {
    self.interface = interface
    self.table = table
    self.network = network
    self.announcement = announcement
    self.processFile = processFile
  }

  /// The changes that let the replay server listen on the interface's address.
  ///
  /// The interface is closed first, and open only when ``changesForClients(_:)`` have directed its traffic to the
  /// server: until then, clients would reach the services of this machine.
  package var changesForAddress: [SystemChange] {
    let name = SystemChange.quoted(interface.name)
    let isThere = "ip link show dev \(name)"
    var changes = [Self.tools, closing]
    if interface.network == nil {
      changes.append(
        SystemChange(
          "add the address \(network) to \(interface.name)",
          apply: "ip address add \(network) dev \(name)",
          undo: "! \(isThere) || ip address delete \(network) dev \(name)"))
    }
    if !interface.isUp {
      changes.append(
        SystemChange(
          "bring \(interface.name) up", apply: "ip link set dev \(name) up",
          undo: "! \(isThere) || ip link set dev \(name) down"))
    }
    return changes
  }

  /// The changes that direct the clients to the replay server.
  ///
  /// - Parameter rules: The rules that redirect the traffic from the interface.
  /// - Returns: The changes in order.
  package func changesForClients(_ rules: RedirectRules) -> [SystemChange] {
    [Self.redirection(rules), dhcp]
  }

  /// Closes the interface.
  ///
  /// Undoing it removes the rules that replace these.
  private var closing: SystemChange {
    SystemChange(
      "close \(interface.name) with nftables", apply: Self.nft(table.closingRuleset),
      undo: Self.nft(table.removal))
  }

  /// Fails if a tool is missing, before any change.
  private static let tools = SystemChange(
    "set up the gateway",
    apply:
      #"for tool in "ip iproute2" "nft nftables" "dnsmasq dnsmasq-base"; do set -- $tool; command -v $1 >/dev/null || "#
      + #"{ echo "there is no $1: install it (Debian: apt-get install $2)"; false; break; }; done"#)

  private static func redirection(_ rules: RedirectRules) -> SystemChange {
    SystemChange("redirect connections with nftables", apply: nft(rules.ruleset))
  }

  /// The command that passes a ruleset to nftables: one line, because the guard reads lines.
  private static func nft(_ ruleset: String) -> String {
    let text = ruleset.split(separator: "\n").joined(separator: "\\n")
    return "printf '%b\\n' \(SystemChange.quoted(text)) | nft -f -"
  }

  /// dnsmasq for DHCP only: the replay server resolves names, according to the fixtures.
  private var dhcp: SystemChange {
    let (first, last) = network.clients
    var options = [
      "--conf-file=/dev/null", "--port=0", "--interface=\(interface.name)", "--bind-interfaces",
      "--dhcp-authoritative", "--leasefile-ro", "--dhcp-range=\(first),\(last),10m",
      "--dhcp-option=option:router,\(network.address)", "--dhcp-option=option:dns-server,\(network.address)",
      "--pid-file=\(processFile)",
    ]
    // A comma would separate two values; in a URL it may be percent-encoded (RFC 3986 §2.2).
    if let announcement {
      options.append(
        "--dhcp-option=114,\(announcement.replacing([",": "%2C"]))"
      )
    }
    let file = SystemChange.quoted(processFile)
    return SystemChange(
      "start dnsmasq", apply: "dnsmasq \(options.map(SystemChange.quoted).joined(separator: " "))",
      undo: "kill \"$(cat \(file))\"; rm -f \(file)")
  }
}
