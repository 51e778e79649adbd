internal import Glibc
internal import ProbeSystem
internal import ProbeCore

/// Queries the kernel for the parts of a path; must be used on one thread at a time.
final class PathReader {
  /// The information read so far.
  var table: PathTable
  /// Whether messages were missed, so that everything must be queried again.
  var isStale = true
  /// Nil if there is none yet, or the last one has failed.
  private var client: NetlinkClient?

  /// Creates a reader that queries everything first.
  ///
  /// - Parameter table: The initial contents.
  init(_ table: PathTable = PathTable()) {
    self.table = table
  }

  /// Queries everything that messages alone do not keep up to date, and returns the path.
  ///
  /// If interfaces change all the time, ``isStale`` may remain set: then call this again soon.
  func path() throws(NetlinkError) -> NetworkPath {
    let client = try takeClient()
    if isStale { try readAll(client) }
    if table.needsRoutes { try readRoutes(client) }
    for link in table.unknownDevices {
      let facts = DeviceFacts(reading: link.name, index: link.index, hardwareAddress: link.hardwareAddress)
      table.setDevice(facts, of: link.index)
    }
    var ways: [IPFamily: Route] = [:]
    for destination in Self.internet { ways[destination.family] = try client.route(to: destination) }
    self.client = client
    return table.path(internet: ways) { SmallFile.lines("/run/systemd/netif/leases/\($0)") }
  }

  /// A client; one that fails is not used again, because it may still have responses waiting.
  private func takeClient() throws(NetlinkError) -> NetlinkClient {
    guard let client else { return try NetlinkClient() }
    self.client = nil
    return client
  }

  private func readAll(_ client: NetlinkClient) throws(NetlinkError) {
    let links = try client.dump(.links) { LinkMessage($0) }
    let addresses = try client.dump(.addresses) { AddressMessage($0) }
    table.replace(links: links.entries, addresses: addresses.entries)
    isStale = !links.isConsistent || !addresses.isConsistent
  }

  private func readRoutes(_ client: NetlinkClient) throws(NetlinkError) {
    var isConsistent = true
    for family in IPFamily.allCases {
      do throws(NetlinkError) {
        let routes = try client.dump(.routes(family)) { message in
          RouteMessage(message).flatMap { $0.isDefault ? $0 : nil }
        }
        table.replaceRoutes(routes.entries, of: family)
        isConsistent = isConsistent && routes.isConsistent
      } catch {
        // No table yet, or a machine without this family.
        guard error.isAbsence else { throw error }
        table.replaceRoutes([], of: family)
      }
    }
    if isConsistent { table.hasRoutes() } else { isStale = true }
  }

  /// An address of each family that represents the Internet in general: those of a.root-servers.net.
  ///
  /// They have no private use, are in no block that a VPN or a company would route specially, and have not
  /// changed for decades (RFC 8109). They serve only for a route lookup in the kernel; nothing is sent to
  /// them.
  private static let internet = [
    IPAddress(v4: 0xC629_0004), IPAddress(v6: 0x2001_0503_BA3E_0000_0000_0000_0002_0030),
  ]
}

extension NetlinkClient {
  /// The route that the kernel would use to a destination, or nil if there is none.
  func route(to destination: IPAddress) throws(NetlinkError) -> Route? {
    guard let way = try way(to: destination), let hop = way.nextHops.first else { return nil }
    return Route(
      to: destination, interface: hop.interface, source: way.source, gateway: hop.gateway,
      isLocal: way.fate == .local)
  }
}

extension PathFailure {
  init(_ error: NetlinkError) {
    self.init("cannot \(error.action)", systemCode: error.systemCode)
  }
}

extension DeviceFacts {
  /// Reads the files of an interface.
  ///
  /// If `/sys` was mounted in another network namespace, they describe other interfaces; they are then
  /// ignored.
  ///
  /// - Parameters:
  ///   - name: The interface's name.
  ///   - index: Its index, to verify that the files belong to it.
  ///   - hardwareAddress: Its hardware address, for the same purpose.
  init(reading name: String, index: Int, hardwareAddress: [UInt8]) {
    self.init()
    guard !name.contains("/"), !name.hasPrefix(".") else { return }
    let folder = "/sys/class/net/\(name)"
    let address = hardwareAddress.map { $0.hexText(atLeast: 2) }.joined(separator: ":")
    guard SmallFile.lines("\(folder)/ifindex").first == String(index),
      hardwareAddress.isEmpty || SmallFile.lines("\(folder)/address").first == address
    else { return }
    let word = "DEVTYPE="
    type = SmallFile.lines("\(folder)/uevent").first { $0.hasPrefix(word) }.map {
      String($0.dropFirst(word.count))
    }
    isWireless = ["phy80211", "wireless"].contains { SmallFile.exists("\(folder)/\($0)") }
    isVirtual = SmallFile.target(of: folder)?.contains("/devices/virtual/")
  }
}

/// Small files with system information.
enum SmallFile {
  private static let limit = 64 * 1024

  /// The lines of a file, or none if it cannot be read.
  static func lines(_ path: String) -> [String] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while text.count < limit {
      let count = unsafe read(file, &piece, piece.count)
      guard count > 0 else { break }
      text += piece.prefix(count)
    }
    return text.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  }

  static func exists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
  }

  /// The target of a symbolic link, or nil if it is none.
  static func target(of path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return -1 }
      return unsafe readlink(path, start.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
