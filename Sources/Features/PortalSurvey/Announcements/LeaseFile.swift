package import FoundationEssentials
package import ProbeCore

/// A file in which a program stores the announcements of a network.
///
/// Each method reads the format of one program. It accepts any bytes, and takes time proportional to their
/// number. It returns no announcements for a file without information about this interface.
package struct LeaseFile: Sendable {
  /// The maximum length of a file in bytes; nothing is read from a longer one.
  package static let maximumLength = 8 << 20

  /// The path of the file, or another name for it.
  package var origin: String
  /// The interface whose leases count, or nil for all.
  package var interface: String?
  /// The addresses that the interface has, or nil if unknown.
  ///
  /// A lease of another address is not in use.
  package var addresses: Set<IPAddress>?
  /// The modification time of the file, or nil if unknown; some leases begin at this time.
  package var written: Date?
  /// The current time: an expired lease is ignored.
  package var now: Date
  let bytes: [UInt8]

  package init(_ bytes: [UInt8], origin: String, now: Date) {
    self.bytes = bytes
    self.origin = origin
    self.now = now
  }

  func announcement(_ method: Announcement.Method, _ finding: Announcement.Finding) -> Announcement {
    Announcement(method, finding, origin: origin)
  }

  /// The reason why the file is not read, or nil if it is.
  var obstacle: Announcement.Finding? {
    bytes.count <= Self.maximumLength
      ? nil : .unknown("the file has more than \(Self.maximumLength >> 20) MiB")
  }

  /// The reason why a lease is ignored, or nil if it is not.
  ///
  /// - Parameters:
  ///   - end: The end of the lease, in seconds since 1970.
  ///   - leased: The leased addresses; a lease without any applies whatever addresses the interface has.
  /// - Returns: The reason.
  func flaw(end: Int, leased: [IPAddress]) -> Announcement.Finding? {
    if Double(end) < now.timeIntervalSince1970 { return .unknown(Self.expired) }
    guard let addresses, !leased.isEmpty, addresses.isDisjoint(with: leased) else { return nil }
    return .unknown(Self.notInUse)
  }

  /// The reasons why a lease is outdated, and does not describe the current network.
  static let (expired, released, notInUse) = (
    "the lease has expired", "the lease was released", "the interface does not have the address of the lease"
  )
}

extension Announcement {
  /// Whether it is from a lease that is no longer in use, and may be from another network.
  var isFromOldLease: Bool {
    guard let unknownReason else { return false }
    return [LeaseFile.expired, LeaseFile.released, LeaseFile.notInUse].contains(unknownReason)
  }
}

/// systemd-networkd: `/run/systemd/netif/links/INDEX`.
extension LeaseFile {
  /// The first version of systemd-networkd that requests the API.
  static let firstNetworkdVersion = 254

  /// Reads the state of a link that systemd-networkd keeps.
  ///
  /// It keeps one text: that of DHCPv4, else of DHCPv6, else of router advertisements. It ignores a text with
  /// characters that no URL has, which then appears as absent.
  ///
  /// - Parameters:
  ///   - version: The version of systemd, or nil if unknown.
  ///   - isTurnedOff: Whether the configuration of the link has ``turnsOffCaptivePortal(_:)``.
  /// - Returns: One announcement; none if systemd-networkd does not configure the link.
  package func networkd(version: Int?, isTurnedOff: Bool = false) -> [Announcement] {
    if let obstacle { return [announcement(.combined, obstacle)] }
    let values = SettingLines(bytes).values(of: ["ADMIN_STATE", "CAPTIVE_PORTAL", "NETWORK_FILE"])
    if let text = values["CAPTIVE_PORTAL"] { return [announcement(.combined, .init(value: text))] }
    guard values["NETWORK_FILE"] != nil else { return [] }
    return [announcement(.combined, absence(values["ADMIN_STATE"], version, isTurnedOff))]
  }

  private func absence(
    _ state: ArraySlice<UInt8>?, _ version: Int?, _ isTurnedOff: Bool
  ) -> Announcement.Finding {
    if isTurnedOff { return .unknown("UseCaptivePortal= is off for the interface") }
    guard let version else { return .unknown("the version of systemd-networkd is unknown") }
    guard version >= Self.firstNetworkdVersion else {
      return .unknown(
        "systemd-networkd \(version) does not request it; \(Self.firstNetworkdVersion) and later do")
    }
    guard state.map({ $0.elementsEqual("configured".utf8) }) ?? true else {
      return .unknown("systemd-networkd has not finished configuring the interface")
    }
    return .absent
  }

  /// The paths of the `.network` file that applies to the link and its drop-ins.
  var networkdConfigurationPaths: [String] {
    guard obstacle == nil else { return [] }
    let values = SettingLines(bytes).values(of: ["NETWORK_FILE", "NETWORK_FILE_DROPINS"])
    let dropIns = (values["NETWORK_FILE_DROPINS"] ?? []).filter { $0 != UInt8(ascii: "\"") }
    let paths = [values["NETWORK_FILE"] ?? []] + dropIns.split(separator: UInt8(ascii: ":")).prefix(64)
    return paths.map { String(decoding: $0, as: UTF8.self) }.filter { $0.hasPrefix("/") }
  }

  /// Whether a `.network` file has a setting `UseCaptivePortal=` that is off (systemd.network(5)).
  static func turnsOffCaptivePortal(_ bytes: [UInt8]) -> Bool {
    SettingLines(bytes).values(of: ["UseCaptivePortal"])["UseCaptivePortal"].map { value in
      ["0", "no", "n", "false", "f", "off"].contains(String(decoding: value, as: UTF8.self).lowercased())
    } ?? false
  }
}

/// NetworkManager: `/run/NetworkManager/devices/INDEX`.
extension LeaseFile {
  /// Reads the state of a device that NetworkManager keeps.
  ///
  /// Up to version 1.59, its own DHCP clients do not request the API, and router advertisements are not
  /// searched for it. Its files, such as `internal-UUID-INTERFACE.lease`, have no key for it.
  ///
  /// - Returns: One announcement of an unknown state; none if NetworkManager has not activated the device.
  package func networkManager() -> [Announcement] {
    if let obstacle { return [announcement(.combined, obstacle)] }
    guard SettingLines(bytes).values(of: ["connection-uuid"])["connection-uuid"] != nil else { return [] }
    return [announcement(.combined, .unknown("NetworkManager does not request it"))]
  }
}

/// The lines `NAME=VALUE` of a file.
struct SettingLines: Sequence, IteratorProtocol {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  /// The next line with a name and a value, both without the spaces around them; other lines are skipped.
  mutating func next() -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest.dropFirst(line.count + 1)
      guard line.first != UInt8(ascii: "#"), line.first != UInt8(ascii: ";"),
        let sign = line.firstIndex(of: UInt8(ascii: "="))
      else { continue }
      return (Self.trimmed(line[..<sign]), Self.trimmed(line[(sign + 1)...]))
    }
    return nil
  }

  /// The values of some names; the last value of each counts.
  func values(of names: Set<String>) -> [String: ArraySlice<UInt8>] {
    var values: [String: ArraySlice<UInt8>] = [:]
    for (name, value) in self where name.count <= 64 {
      let name = String(decoding: name, as: UTF8.self)
      if names.contains(name) { values[name] = value }
    }
    return values
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    text.trimming { $0.isFieldSpace || $0 == UInt8(ascii: "\r") }
  }
}
