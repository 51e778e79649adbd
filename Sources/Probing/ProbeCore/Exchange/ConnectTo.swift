import ProbeBase

/// A rule that redirects connections for one host and port to another address, as curl's `--connect-to` does.
public struct ConnectTo: Hashable, Sendable {
  /// The host of the URL the rule is for, or nil for every host.
  public var host: String?
  /// The port of the URL the rule is for, or nil for every port.
  public var port: UInt16?
  /// The name or address to connect to, or nil for the URL's own.
  public var targetHost: String?
  /// The port to connect to, or nil for the URL's own.
  public var targetPort: UInt16?

  /// Creates a rule from its parts.
  public init(host: String?, port: UInt16?, targetHost: String?, targetPort: UInt16?) {
    self.host = host?.lowercased()
    self.port = port
    self.targetHost = targetHost?.lowercased()
    self.targetPort = targetPort
  }

  /// Whether the rule applies to this URL.
  public func applies(to url: ProbeURL) -> Bool {
    (host == nil || host == url.host) && (port == nil || port == url.port)
  }
}

extension ConnectTo {
  /// Parses a rule of the form `HOST:PORT:ADDR:PORT`; each part may be empty, and IPv6 addresses are in
  /// brackets.
  ///
  /// - Throws: ``InvalidInput`` naming the part that is not valid.
  public init(_ text: String) throws(InvalidInput) {
    let form = "write it as HOST:PORT:ADDR:PORT, with empty parts for any, and IPv6 addresses in brackets"
    let parts = Self.split(text)
    guard parts.count == 4 else {
      throw InvalidInput("\(Excerpt(text)) has \(parts.count) parts, not 4", remedy: form)
    }
    self.init(
      host: try Self.host(parts[0], remedy: form),
      port: try Self.port(parts[1], remedy: form),
      targetHost: try Self.host(parts[2], remedy: form),
      targetPort: try Self.port(parts[3], remedy: form)
    )
  }

  private static func split(_ text: String) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var inBrackets = false
    for index in text.indices {
      switch text[index] {
      case "[": inBrackets = true
      case "]": inBrackets = false
      case ":" where !inBrackets:
        parts.append(text[start..<index])
        start = text.index(after: index)
      default: break
      }
    }
    return parts + [text[start...]]
  }

  private static func host(_ part: Substring, remedy: String) throws(InvalidInput) -> String? {
    if part.isEmpty { return nil }
    do {
      return try Authority(Array(part.utf8)[...]).host
    } catch {
      throw InvalidInput("\(Excerpt(String(part))) is not a host name or address", remedy: remedy)
    }
  }

  private static func port(_ part: Substring, remedy: String) throws(InvalidInput) -> UInt16? {
    if part.isEmpty { return nil }
    guard part.utf8.allSatisfy(\.isASCIIDigit), let port = UInt16(text: part), port > 0 else {
      throw InvalidInput("\(Excerpt(String(part))) is not a port from 1 to 65535", remedy: remedy)
    }
    return port
  }
}
