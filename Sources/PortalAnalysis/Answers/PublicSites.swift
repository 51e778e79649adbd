import ProbeCore

/// Public sites that no portal runs, so none of their URLs is a login URL.
///
/// Gateways redirect there once a client is logged in, and pages link there for a search or an advertisement.
enum PublicSites {
  /// Whether a URL is one of theirs.
  static func contain(_ url: ProbeURL) -> Bool {
    let labels = url.host.utf8.split(separator: UInt8(ascii: "."))
    guard labels.count > 1 else { return false }
    // A country's suffix may have two labels, as in google.co.jp.
    if names.contains(labels[labels.count - 2])
      || labels.count > 2 && labels[labels.count - 2].count <= 3 && names.contains(labels[labels.count - 3])
    {
      return true
    }
    return labels.indices.contains { hosts.contains(url.host.utf8[labels[$0].startIndex...]) }
  }

  private static let lines = PackageResources.public_sites_txt.split(separator: UInt8(ascii: "\n"))
    .filter { $0.first != UInt8(ascii: "#") }
    .map { String(decoding: $0, as: UTF8.self) }
  private static let names = Set(lines.filter { !$0.contains(".") })
  private static let hosts = Set(lines.filter { $0.contains(".") })
}

extension Set<String> {
  fileprivate func contains(_ text: Substring.UTF8View) -> Bool { contains(String(Substring(text))) }
}
