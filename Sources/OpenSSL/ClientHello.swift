/// What a client says of itself before anything is agreed on (RFC 8446 §4.1.2).
public struct ClientHello: Hashable, Sendable {
  /// The host name the client asks for (SNI, RFC 6066 §3) in lower case, or nil when it names none, or none that
  /// can be a host name.
  public let serverName: String?

  init(serverName: String?) {
    self.serverName = serverName
  }

  /// The hello of a client whose server_name extension has these bytes, nil when it sent none.
  ///
  /// - Returns: nil when the bytes are no list of names (RFC 6066 §3).
  init?(serverNameExtension bytes: [UInt8]?) {
    guard let bytes else {
      self.init(serverName: nil)
      return
    }
    // ServerNameList: a length of two bytes; of the one entry a type, 0 for host_name, and a length of two bytes.
    // More entries have never been defined, and OpenSSL's handshake takes no more than one either.
    guard bytes.count >= 5, Int(bytes[0]) << 8 | Int(bytes[1]) == bytes.count - 2, bytes[2] == 0,
      Int(bytes[3]) << 8 | Int(bytes[4]) == bytes.count - 5
    else { return nil }
    self.init(serverName: HostName(bytes[5...])?.text)
  }
}
