import FoundationEssentials
import ProbeCore
import ProbeSystem

/// Finds and reads the files in which the network managers and DHCP clients of this machine store
/// announcements of the network.
struct LeaseFiles {
  /// The modification time of a file, and its announcements.
  private typealias Found = (written: Date, announcements: [Announcement])

  private let files: MachineFiles
  private let network: NetworkState
  private let now: Date

  /// Keeps what decides which leases count; no file is read yet.
  ///
  /// - Parameters:
  ///   - files: The files of the machine.
  ///   - network: The interfaces; only leases of interfaces to the Internet count, or all if no such
  ///     interface is known.
  ///   - now: The current time.
  init(_ files: MachineFiles, _ network: NetworkState, now: Date) {
    self.files = files
    self.network = network
    self.now = now
  }

  /// The announcements of the network according to the files, the newest file first; empty if there are none.
  ///
  /// Leases that are no longer in use are included only if there are no other announcements.
  var announcements: [Announcement] {
    let leases = dhclient() + dhcpcd()
    var found = networkd()
    found += leases.map { ($0.written, $0.announcements.filter { !$0.isFromOldLease }) }
    // NetworkManager stores no announcement itself, unlike a client that it may run.
    if found.allSatisfy(\.announcements.isEmpty) { found += networkManager() }
    if found.allSatisfy(\.announcements.isEmpty) { found = leases }
    return found.sorted { $0.written > $1.written }.flatMap(\.announcements)
  }

  /// The interfaces that count.
  private var links: [NetworkState.Link] {
    let uplinks = network.uplinks
    return uplinks.isEmpty ? network.links.filter { !$0.isLoopback && $0.tunnelKind == nil } : uplinks
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - entry: The file.
  ///   - link: The interface whose leases count, or nil for all.
  ///   - method: The method to report for a file that cannot be read.
  ///   - announcements: Reads its announcements.
  /// - Returns: The announcements; nil if there are none.
  private func found(
    _ entry: MachineFiles.Entry, of link: NetworkState.Link?, _ method: Announcement.Method,
    _ announcements: (LeaseFile) -> [Announcement]
  ) -> Found? {
    do throws(FileError) {
      let bytes = try files.bytes(of: entry.path, limit: LeaseFile.maximumLength)
      var file = LeaseFile(bytes, origin: entry.path, now: now)
      file.interface = link?.name
      file.addresses = link.map { Set($0.addresses.map(\.address)) }
      file.written = entry.written
      let all = announcements(file)
      return all.isEmpty ? nil : (entry.written, all)
    } catch {
      let reason = "the file cannot be read: \(error)"
      return (entry.written, [Announcement(method, .unknown(reason), origin: entry.path)])
    }
  }
}

/// systemd-networkd and NetworkManager, which keep a file for each interface.
extension LeaseFiles {
  private func networkd() -> [Found] {
    let version = systemdVersion
    return states(in: "/run/systemd/netif/links").compactMap { entry, link in
      found(entry, of: link, .combined) { file in
        let isTurnedOff = file.networkdConfigurationPaths.contains { path in
          files.read(path).map(LeaseFile.turnsOffCaptivePortal) ?? false
        }
        return file.networkd(version: version, isTurnedOff: isTurnedOff)
      }
    }
  }

  private func networkManager() -> [Found] {
    states(in: "/run/NetworkManager/devices").compactMap { entry, link in
      found(entry, of: link, .combined) { $0.networkManager() }
    }
  }

  /// The files of a folder that are named after the index of an interface that counts.
  private func states(in folder: String) -> [(MachineFiles.Entry, NetworkState.Link)] {
    let links = links
    return files.entries(of: folder).compactMap { entry in
      links.first { String($0.index) == entry.name }.map { (entry, $0) }
    }
  }

  /// The version of systemd, from the name of its shared library; nil if there is none.
  private var systemdVersion: Int? {
    let machines = files.names(in: "/usr/lib").filter { $0.contains("-linux-") }
    let folders = ["/usr/lib/systemd", "/usr/lib64/systemd", "/lib/systemd"]
    let start = "libsystemd-shared-"
    for folder in folders + machines.map({ "/usr/lib/\($0)/systemd" }) {
      for name in files.names(in: folder) where name.hasPrefix(start) {
        let digits = name.dropFirst(start.count).prefix { $0.isASCII && $0.isNumber }
        if let version = Int(text: digits) { return version }
      }
    }
    return nil
  }
}

/// dhclient and dhcpcd, which also keep old leases.
extension LeaseFiles {
  private func dhclient() -> [Found] {
    let folders = ["/var/lib/dhcp", "/var/lib/dhclient", "/var/lib/NetworkManager", "/run/NetworkManager"]
    let entries = folders.flatMap { folder in
      files.entries(of: folder).filter { entry in
        entry.name.hasPrefix("dhclient") && [".lease", ".leases"].contains { entry.name.hasSuffix($0) }
      }
    }
    let general = configuration(["/etc/dhcp/dhclient.conf", "/etc/dhclient.conf"]) { .init(dhclient: $0) }
    return newest(entries, or: [nil]) { Self.isDhclient($0, of: $1) }.compactMap { entry, link in
      found(entry, of: link, entry.name.hasPrefix("dhclient6") ? .dhcpv6 : .dhcpv4) { file in
        // NetworkManager writes its own configuration.
        let isManaged = entry.path.contains("/NetworkManager/")
        let own = link.flatMap { link in
          configuration(["/var/lib/NetworkManager/dhclient-\(link.name).conf"], default: nil) {
            .init(dhclient: $0)
          }
        }
        return file.dhclient(isManaged ? own : general)
      }
    }
  }

  private func dhcpcd() -> [Found] {
    let entries = ["/var/lib/dhcpcd", "/var/lib/dhcpcd5", "/var/db/dhcpcd"].flatMap { files.entries(of: $0) }
    let own = configuration(["/etc/dhcpcd.conf"]) { .init(dhcpcd: $0) }
    func leases(_ suffix: String) -> [(MachineFiles.Entry, NetworkState.Link?)] {
      newest(entries.filter { $0.name.hasSuffix(suffix) }) { name, interface in
        Self.isDhcpcd(name.dropLast(suffix.count), of: interface)
      }
    }
    return leases(".lease").compactMap { entry, link in
      found(entry, of: link, .dhcpv4) { $0.dhcpcdV4(own) }
    }
      + leases(".lease6").compactMap { entry, link in
        found(entry, of: link, .dhcpv6) { $0.dhcpcdV6(own) }
      }
  }

  /// The configuration of a client: the first file that exists.
  ///
  /// - Parameters:
  ///   - paths: The files.
  ///   - read: Reads the configuration.
  /// - Returns: The configuration; without a file, that of an empty one; nil if the file cannot be read.
  private func configuration(
    _ paths: [String], _ read: ([UInt8]) -> DHCPClientConfiguration
  ) -> DHCPClientConfiguration? {
    configuration(paths, default: read([]), read)
  }

  private func configuration(
    _ paths: [String], default missing: DHCPClientConfiguration?, _ read: ([UInt8]) -> DHCPClientConfiguration
  ) -> DHCPClientConfiguration? {
    guard let path = paths.first(where: files.exists) else { return missing }
    return files.read(path).map(read)
  }

  /// The newest file of each interface for each version of DHCP; the others belong to earlier networks.
  ///
  /// If no interface is known, all files count.
  ///
  /// - Parameters:
  ///   - entries: The files.
  ///   - common: `[nil]` if a file without an interface in its name may have leases of all interfaces.
  ///   - isOf: Whether a file with this name belongs to an interface.
  /// - Returns: The files, each with the interface whose leases in it count, or nil for all.
  private func newest(
    _ entries: [MachineFiles.Entry], or common: [String?] = [], isOf: (Substring, String) -> Bool
  ) -> [(MachineFiles.Entry, NetworkState.Link?)] {
    guard !links.isEmpty else { return entries.map { ($0, nil) } }
    // A file name may also end with a shorter interface name: 100 is a suffix of eth0.100.
    let names = network.links.map(\.name).sorted { $0.utf8.count > $1.utf8.count }
    let owners = entries.map { entry in names.first { isOf(entry.name[...], $0) } }
    return links.flatMap { link in
      (common + [link.name]).flatMap { owner in
        let own = zip(entries, owners).filter { $0.1 == owner }.map(\.0)
        let versions = Dictionary(grouping: own) { $0.name.hasPrefix("dhclient6") }.values
        return versions.compactMap { $0.max { $0.written < $1.written } }.map { ($0, link) }
      }
    }
  }

  /// Whether a file such as `dhclient.eth0.leases` or `dhclient-UUID-eth0.lease` belongs to an interface.
  private static func isDhclient(_ name: Substring, of interface: String) -> Bool {
    let stem = name[..<(name.lastIndex(of: ".") ?? name.endIndex)]
    return stem.hasSuffix(".\(interface)") || stem.hasSuffix("-\(interface)")
  }

  /// Whether a file such as `wlan0-Café`, without its suffix, belongs to an interface.
  private static func isDhcpcd(_ name: Substring, of interface: String) -> Bool {
    name == interface || name.hasPrefix("\(interface)-") || name == "dhcpcd-\(interface)"
  }
}
