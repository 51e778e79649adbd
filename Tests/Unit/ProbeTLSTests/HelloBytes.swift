/// A manually assembled ClientHello, which may be malformed.
struct HelloBytes {
  var extensions: [(type: Int, content: [UInt8])] = []

  /// A hello with this content in its server_name extension.
  static func withServerName(content: [UInt8]) -> HelloBytes {
    HelloBytes(extensions: [(0, content)])
  }

  /// A ClientHello with this server name.
  static func asking(for name: [UInt8]) -> HelloBytes {
    let entry = [0] + number(name.count, bytes: 2) + name
    return withServerName(content: number(entry.count, bytes: 2) + entry)
  }

  /// The handshake message, starting with its type (RFC 8446 §4).
  var message: [UInt8] {
    let list = extensions.flatMap {
      Self.number($0.type, bytes: 2) + Self.number($0.content.count, bytes: 2) + $0.content
    }
    let random = [UInt8](repeating: 7, count: 32)
    let ciphers: [UInt8] = [0, 4, 0x13, 0x01, 0xC0, 0x2B]
    let body = [3, 3] + random + [0] + ciphers + [1, 0] + Self.number(list.count, bytes: 2) + list
    return [1] + Self.number(body.count, bytes: 3) + body
  }

  /// The records of the message, each with at most this many bytes of it.
  func records(of size: Int = 16384) -> [UInt8] {
    var rest = message[...]
    var records: [UInt8] = []
    while !rest.isEmpty {
      let part = rest.prefix(size)
      records += [22, 3, 1] + Self.number(part.count, bytes: 2) + part
      rest = rest.dropFirst(size)
    }
    return records
  }

  static func number(_ value: Int, bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
