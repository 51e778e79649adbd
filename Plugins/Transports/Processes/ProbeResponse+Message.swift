import FoundationEssentials
package import ProbeCore
package import ProbeJSON

extension ProbeResponse {
  /// Parses the response from a transport in another process, which may be incomplete.
  ///
  /// The members are those of the response in a message to a validator: `status` with `reasonPhrase`, `headers`,
  /// `bodyBase64` or `text`, `bodyIsCut`, `remoteAddress`, `timings` and `captures`. All are optional.
  ///
  /// - Throws: ``PluginProtocolError``.
  package init(message value: JSONValue) throws(PluginProtocolError) {
    guard case .object = value else { throw PluginProtocolError("gave a response that is not an object") }
    // The transport sets the URL, which is that of the request.
    self = .example()
    head = nil
    if let status = value["status"], status != .null {
      guard let number = status.wholeNumber, (100...999).contains(number) else {
        throw PluginProtocolError("gave a status that is not a number from 100 to 999")
      }
      head = HTTPResponseHead(
        status: number, reasonPhrase: value["reasonPhrase"]?.string ?? "",
        fields: try HeaderFields(message: value["headers"]))
    }
    if let text = value["bodyBase64"], text != .null {
      guard let bytes = text.string.flatMap({ Data(base64Encoded: $0) }) else {
        throw PluginProtocolError("gave a bodyBase64 that is not Base64 (RFC 4648)")
      }
      body = Array(bytes)
    } else if let text = value["text"]?.string {
      body = Array(text.utf8)
    }
    bodyIsCut = value["bodyIsCut"]?.bool ?? false
    if let address = value["remoteAddress"]?.string {
      guard let address = SocketAddress(message: address) else {
        throw PluginProtocolError(
          "gave a remoteAddress that is not an address with a port: \(Excerpt(address))")
      }
      remoteAddress = address
    }
    timings = ProbeTimings(message: value["timings"])
    captures = try PluginResponse.captures(value["captures"])
  }
}

extension SocketAddress {
  /// Parses `192.0.2.1:80` or `[2001:db8::1]:80`.
  fileprivate init?(message text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text: text[text.index(after: colon)...])
    else {
      return nil
    }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard let address = IPAddress(host) else { return nil }
    self.init(address, port: port)
  }
}

extension HeaderFields {
  /// Parses a list of pairs, or an object whose values are strings or lists of strings.
  fileprivate init(message value: JSONValue?) throws(PluginProtocolError) {
    var fields: [(name: String, value: String)] = []
    let error = PluginProtocolError("gave headers that are not a list of [name, value]")
    switch value {
    case nil, .null?: break
    case .array(let pairs)?:
      for pair in pairs {
        guard case .array(let parts) = pair, parts.count == 2, let name = parts[0].string,
          let value = parts[1].string
        else { throw error }
        fields.append((name, value))
      }
    case .object(let members)?:
      for member in members {
        switch member.value {
        case .string(let value): fields.append((member.name, value))
        case .array(let values):
          for value in values {
            guard let value = value.string else { throw error }
            fields.append((member.name, value))
          }
        default: throw error
        }
      }
    default: throw error
    }
    self.init(fields)
  }
}

extension ProbeTimings {
  /// Parses the durations of phases in seconds; missing ones are nil.
  fileprivate init(message value: JSONValue?) {
    func seconds(_ name: String) -> Duration? {
      value?[name]?.double.flatMap { (0...86_400).contains($0) ? .seconds($0) : nil }
    }
    self.init(
      resolve: seconds("resolve"), connect: seconds("connect"), tls: seconds("tls"),
      firstByte: seconds("firstByte"),
      total: seconds("total"))
  }
}
