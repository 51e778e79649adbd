extension SocketAddress {
  /// Parses the address of a DNS server, such as `192.0.2.53`, `192.0.2.53:5353`, `2001:db8::53` or
  /// `[2001:db8::53]:5353`; the port is 53 unless it is given.
  ///
  /// - Throws: ``InvalidInput`` if it is no address, which includes the name of a server.
  public init(resolver text: String) throws(InvalidInput) {
    guard let (address, port) = Self.parts(of: text) else {
      throw InvalidInput(
        "\(Excerpt(text)) is not the address of a DNS server",
        remedy: "write it as 192.0.2.53, 192.0.2.53:5353, 2001:db8::53 or [2001:db8::53]:5353")
    }
    guard let port else {
      self.init(address, port: 53)
      return
    }
    guard port.utf8.allSatisfy(\.isASCIIDigit), let number = UInt16(text: port), number > 0 else {
      throw InvalidInput("\(Excerpt(String(port))) is not a port from 1 to 65535", remedy: "omit it for 53")
    }
    self.init(address, port: number)
  }

  private static func parts(of text: String) -> (address: IPAddress, port: Substring?)? {
    if let address = IPAddress(text) { return (address, nil) }
    guard text.first == "[" else {
      guard let colon = text.lastIndex(of: ":"), let address = IPAddress(String(text[..<colon])),
        address.family == .v4
      else { return nil }
      return (address, text[colon...].dropFirst())
    }
    guard let end = text.firstIndex(of: "]"), let address = IPAddress(String(text[..<end].dropFirst())),
      address.family == .v6
    else { return nil }
    let rest = text[end...].dropFirst()
    if rest.isEmpty { return (address, nil) }
    return rest.first == ":" ? (address, rest.dropFirst()) : nil
  }
}
