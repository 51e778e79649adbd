package import FoundationEssentials
import ProbeCore
import ProbeSystem

/// Reads this machine's facts about its network, and the settings that may hide a portal.
package struct MachineState: Sendable {
  /// The root folder of the machine's files.
  var root = "/"
  /// The interfaces and routes, or nil to query the kernel.
  var network: NetworkState?
  /// The time at which leases must be valid, or nil for the current time.
  var time: Date?

  /// Creates a reader; all defaults are those of this machine.
  package init(root: String = "/", network: NetworkState? = nil, time: Date? = nil) {
    self.root = root
    self.network = network
    self.time = time
  }

  /// Reads all facts; those that cannot be read are omitted.
  ///
  /// - Parameter environment: The environment variables of the command.
  /// - Returns: The facts, and the announcements of the network according to the DHCP clients.
  package func read(_ environment: [String: String]) -> (facts: MachineFacts, announcements: [Announcement]) {
    let network = network ?? (try? NetworkState.ofKernel()) ?? NetworkState()
    let files = MachineFiles(root: root)
    var facts = MachineFacts()
    facts.interface = network.current?.name
    facts.tunnel = network.tunnel?.name
    facts.tunnelKind = network.tunnel?.tunnelKind
    facts.proxies = MachineFacts.proxies(in: environment)
    addNames(to: &facts, network, files)
    addBrowsers(to: &facts, files)
    return (facts, LeaseFiles(files, network, now: time ?? .now).announcements)
  }
}

/// Name servers.
extension MachineState {
  /// The maximum number of servers that a stub queries.
  private static let upstreamLimit = 16
  /// The folders of systemd's configuration, the preferred ones first.
  private static let systemdFolders = [
    "/etc/systemd", "/run/systemd", "/usr/local/lib/systemd", "/usr/lib/systemd",
  ]

  private func addNames(to facts: inout MachineFacts, _ network: NetworkState, _ files: MachineFiles) {
    facts.resolvers = MachineFacts.resolvers(in: files.read("/etc/resolv.conf") ?? [])
    if let path = upstreamPath(facts.resolvers) {
      facts.upstreamResolvers = MachineFacts.resolvers(in: files.read(path) ?? [], limit: Self.upstreamLimit)
    }
    let gateways = (Array(network.ways.values) + network.defaults).compactMap(\.gateway)
    facts.foreignResolvers = MachineFacts.foreign(
      facts.resolvers + facts.upstreamResolvers, subnets: network.links.flatMap(\.addresses),
      gateways: gateways)
    guard usesResolved(facts.resolvers, files) else { return }
    let link = network.uplinks.first.map(\.index)
    let states = ["/run/systemd/netif/links", "/run/systemd/resolve/netif"].compactMap { folder in
      link.flatMap { files.read("\(folder)/\($0)") }
    }
    let mode = MachineFacts.encryption(configuration: resolvedConfiguration(files), links: states)
    facts.encryptedDNS = mode.map { "systemd-resolved: DNSOverTLS=\($0)" }
  }

  /// The file with the upstream servers of a stub resolver; nil without a stub.
  private func upstreamPath(_ resolvers: [IPAddress]) -> String? {
    if resolvers.contains(where: MachineFacts.isResolved) { return "/run/systemd/resolve/resolv.conf" }
    return resolvers.contains(where: \.isLoopback) ? "/run/NetworkManager/no-stub-resolv.conf" : nil
  }

  /// Whether systemd-resolved runs and is used for name lookups.
  private func usesResolved(_ resolvers: [IPAddress], _ files: MachineFiles) -> Bool {
    guard files.exists("/run/systemd/resolve/resolv.conf") else { return false }
    return resolvers.contains(where: MachineFacts.isResolved)
      || MachineFacts.usesResolved(nameServices: files.read("/etc/nsswitch.conf") ?? [])
  }

  /// The files of resolved.conf(5) in the order in which they apply.
  ///
  /// Drop-ins apply in the order of their names; a drop-in hides those with the same name in later folders.
  private func resolvedConfiguration(_ files: MachineFiles) -> [[UInt8]] {
    let main = Self.systemdFolders.lazy.compactMap { files.read("\($0)/resolved.conf") }.first
    var dropIns: [String: String] = [:]
    for folder in Self.systemdFolders {
      for name in files.names(in: "\(folder)/resolved.conf.d") where name.hasSuffix(".conf") {
        if dropIns[name] == nil { dropIns[name] = "\(folder)/resolved.conf.d/\(name)" }
      }
    }
    let paths = dropIns.sorted { $0.key < $1.key }.map(\.value)
    return ([main] + paths.map { files.read($0) }).compactMap { $0 }
  }
}

/// Policies of browsers.
extension MachineState {
  private static let firefoxPolicies = [
    "/etc/firefox/policies/policies.json", "/etc/firefox-esr/policies/policies.json",
    "/usr/lib/firefox/distribution/policies.json", "/usr/lib/firefox-esr/distribution/policies.json",
    "/usr/lib64/firefox/distribution/policies.json", "/opt/firefox/distribution/policies.json",
  ]
  /// The folders with policies of Chromium and Chromium-based browsers.
  private static let chromiumPolicies = [
    (browser: "Chromium", folder: "/etc/chromium/policies/managed"),
    (browser: "Chromium", folder: "/etc/chromium-browser/policies/managed"),
    (browser: "Chrome", folder: "/etc/opt/chrome/policies/managed"),
    (browser: "Edge", folder: "/etc/opt/edge/policies/managed"),
    (browser: "Brave", folder: "/etc/brave/policies/managed"),
  ]

  private func addBrowsers(to facts: inout MachineFacts, _ files: MachineFiles) {
    for path in Self.firefoxPolicies {
      if let bytes = files.read(path) { facts.addFirefoxPolicies(bytes, path: path) }
    }
    for (browser, folder) in Self.chromiumPolicies {
      for entry in files.entries(of: folder).prefix(64) where entry.name.hasSuffix(".json") {
        guard let bytes = files.read(entry.path) else { continue }
        facts.addChromiumPolicies(bytes, path: entry.path, browser: browser)
      }
    }
  }
}
