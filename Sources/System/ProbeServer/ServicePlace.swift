package import ProbeBase

extension HTTPService.Address {
  /// An address to listen on: `127.0.0.1:8089`, `[::1]:0` or `unix:PATH`.
  ///
  /// - Throws: `InvalidInput` if it is not an address.
  package init(_ text: String) throws(InvalidInput) {
    if text.hasPrefix("unix:"), text.utf8.count > 5 {
      self = .unix(String(text.dropFirst(5)))
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text: text[text.index(after: colon)...])
    else {
      throw Self.mistake(text)
    }
    var host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    if isBracketed { host = host.dropFirst().dropLast() }
    guard let address = IPAddress(String(host)), isBracketed == (address.family == .v6) else {
      throw Self.mistake(text)
    }
    self = .tcp(SocketAddress(address, port: port))
  }

  /// Whether it is reachable from other machines.
  package var isReachable: Bool {
    if case .tcp(let address) = self { !address.address.isLoopback } else { false }
  }

  private static func mistake(_ text: String) -> InvalidInput {
    InvalidInput(
      "\(Excerpt(text)) is not an address to listen on",
      remedy: "write it as 127.0.0.1:8089, with port 0 for a free one, or as unix:PATH")
  }
}
