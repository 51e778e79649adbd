import ProbeCore

/// The hosts for which no proxy is used, in the format of the environment variable `NO_PROXY` in Go.
///
/// An entry is `*`, an address, a block, or a domain: `example.com` with its subdomains, or `.example.com`
/// for the subdomains only; a domain or an address may have a port.
struct NoProxy {
  private let entries: [String]

  init(_ entries: [String]) {
    self.entries = entries.flatMap { $0.split(separator: ",") }.map { entry in
      entry.filter { !$0.isWhitespace }.lowercased()
    }
  }

  /// Whether the host of a URL is one of them.
  func includes(_ url: ProbeURL) -> Bool {
    entries.contains { entry in
      if entry == "*" { return true }
      if entry.contains("/") {
        guard let address = url.address, let block = try? AddressBlock(entry) else { return false }
        return block.contains(address)
      }
      let (host, port) = Self.parts(entry)
      guard port == nil || port == url.port else { return false }
      if let address = IPAddress(host) { return address == url.address }
      let domain = host.hasPrefix("*.") ? host.dropFirst(1) : host[...]
      if domain.hasPrefix(".") { return url.host.hasSuffix(domain) }
      return !domain.isEmpty && (url.host == domain || url.host.hasSuffix("." + domain))
    }
  }

  private static func parts(_ entry: String) -> (host: String, port: UInt16?) {
    if IPAddress(entry) != nil { return (entry, nil) }
    let bare = { (host: Substring) in String(host.drop { $0 == "[" }.prefix { $0 != "]" }) }
    guard let colon = entry.lastIndex(of: ":"), let port = UInt16(text: entry[entry.index(after: colon)...])
    else {
      return (bare(entry[...]), nil)
    }
    return (bare(entry[..<colon]), port)
  }
}
