import ProbeCore
import ProbeText

/// Public sites that no portal runs, so none of their URLs is a login URL.
///
/// Gateways redirect there once a client is logged in, and pages link there for a search or an advertisement.
enum PublicSites {
  /// Whether a URL is one of theirs.
  static func contain(_ url: ProbeURL) -> Bool {
    let host = url.host.hasSuffix(".") ? url.host.dropLast() : url.host[...]
    let labels = host.utf8.split(separator: UInt8(ascii: "."))
    guard labels.count > 1 else { return false }
    return labels.dropLast().contains { label in
      let domain = host[label.startIndex...]
      return hosts.contains(String(domain))
        || label.count <= maximumLength && names.contains(String(Substring(label))) && isSite(domain)
    }
  }

  /// Whether a domain is registered directly below a suffix of a registry, as google.co.jp is.
  ///
  /// Anybody may have google.github.io.
  private static func isSite(_ domain: Substring) -> Bool {
    let suffix = domain.drop { $0 != "." }.dropFirst()
    return PublicSuffixes.standard.isPublicSuffix(String(suffix), ofRegistry: true)
      && !PublicSuffixes.standard.isPublicSuffix(String(domain))
  }

  private static let lines = PackageResources.public_sites_txt.split(separator: UInt8(ascii: "\n"))
    .filter { $0.first != UInt8(ascii: "#") }
    .map { String(decoding: $0, as: UTF8.self) }
  private static let names = Set(lines.filter { !$0.contains(".") })
  private static let maximumLength = names.map(\.utf8.count).max() ?? 0
  private static let hosts = Set(lines.filter { $0.contains(".") })
}
