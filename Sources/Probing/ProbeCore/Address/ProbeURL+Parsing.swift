import ProbeBase
private import ProbeText

/// Reading a URL that a person wrote.
extension ProbeURL {
  /// The maximum length of a URL, in bytes: 64 KiB, as that of the head of a response by default
  /// (``ProbeRequest/maxHead``), so that no Location that is received is too long.
  ///
  /// RFC 9110 §4.1 recommends support for at least 8000; browsers support more than a million.
  public static let maximumLength = 64 * 1024

  /// Parses an absolute URL, strictly.
  ///
  /// - Throws: ``InvalidInput`` naming the problem and its position. The text of the error never contains
  ///   credentials.
  public init(_ text: String) throws(InvalidInput) {
    let bytes = Array(text.utf8)
    try Self.checkWhole(bytes)

    guard let name = URLScheme.prefix(of: bytes) else {
      throw InvalidInput("the URL has no scheme", remedy: "start it with one, as in https://example.com/")
    }
    let afterScheme = name.count + 1
    let scheme = URLScheme(String(decoding: bytes[..<name.count], as: UTF8.self))
    var parts = ReferenceParts(bytes[afterScheme...])
    if parts.authority == nil {
      guard scheme == .dns else {
        throw Self.missingSlashes(after: bytes[..<name.count], rest: bytes[afterScheme...])
      }
      // RFC 4501 §3: `dns:example.com` has no server.
      if parts.path.first != UInt8(ascii: "/") {
        parts.path.insert(UInt8(ascii: "/"), at: parts.path.startIndex)
      }
    }
    // The server of a dns URL may be omitted, and is then the system's.
    let hasNoServer = scheme == .dns && parts.authority?.isEmpty != false
    let authority = hasNoServer ? nil : try Self.authority(of: parts)
    self.init(
      scheme: scheme,
      host: authority?.host ?? "",
      explicitPort: authority?.port,
      path: parts.path.percentEncoded(.path),
      query: parts.query?.percentEncoded(scheme.query),
      fragment: parts.fragment?.percentEncoded(.fragment)
    )
    guard string.utf8.count <= Self.maximumLength else {
      throw InvalidInput(
        "the URL is \(string.utf8.count) bytes long when percent-encoded, more than \(Self.maximumLength)")
    }
  }

  private static func authority(of parts: ReferenceParts) throws(InvalidInput) -> Authority {
    do {
      return try Authority(parts.authority ?? [])
    } catch {
      // In `http://user:pass/word@host/` the password looks like a port and a path, so don't quote any of it.
      let rest = [parts.path, parts.query ?? [], parts.fragment ?? []]
      guard rest.contains(where: { $0.contains(UInt8(ascii: "@")) }) else { throw error }
      throw InvalidInput(
        "the URL's host or port cannot be used",
        remedy: "write it as scheme://host:port/path, without credentials")
    }
  }

  private static func checkWhole(_ bytes: [UInt8]) throws(InvalidInput) {
    guard !bytes.isEmpty else {
      throw InvalidInput("the URL is empty", remedy: "give one such as https://example.com/")
    }
    guard bytes.count <= maximumLength else {
      throw InvalidInput("the URL is \(bytes.count) bytes long, more than \(maximumLength)")
    }
    var offset = 0
    while offset < bytes.count, bytes[offset] > 0x20, bytes[offset] != 0x7F { offset += 1 }
    if offset < bytes.count {
      let isSpace = bytes[offset] == 0x20
      throw InvalidInput(
        isSpace ? "the URL contains a space" : "the URL contains a control character",
        remedy: isSpace ? "write it as %20" : "remove it, or write it percent-encoded",
        offset: offset
      )
    }
    // In a query a backslash is an ordinary character.
    offset = 0
    // A question mark, a number sign and a backslash.
    while offset < bytes.count, bytes[offset] != 0x3F, bytes[offset] != 0x23 {
      if bytes[offset] == 0x5C {
        throw InvalidInput("the URL contains a backslash", remedy: "use / or write it as %5C", offset: offset)
      }
      offset += 1
    }
  }

  private static func missingSlashes(after scheme: ArraySlice<UInt8>, rest: ArraySlice<UInt8>) -> InvalidInput
  {
    // `example.com:8080/x` parses as a scheme named `example.com`; suggest what its author most likely meant.
    if rest.first?.isASCIIDigit == true {
      return InvalidInput(
        "the URL has no scheme", remedy: "start it with one, as in https://example.com:8080/")
    }
    return InvalidInput("the URL has no // after its scheme", remedy: "write it as scheme://host/path")
  }
}

/// The validated authority of a URL (RFC 3986 §3.2).
struct Authority {
  let host: String
  let port: UInt16?

  init(_ bytes: ArraySlice<UInt8>) throws(InvalidInput) {
    guard bytes.position(of: UInt8(ascii: "@")) == nil else {
      throw InvalidInput(
        "the URL contains credentials, which are not allowed because URLs appear in logs and reports",
        remedy: "send them as a request header instead"
      )
    }
    var (hostPart, portPart) = try Self.split(bytes)
    // An empty port is the default one (RFC 3986 §3.2.3, WHATWG URL §4.4 "port state").
    if portPart?.isEmpty == true { portPart = nil }
    guard !hostPart.isEmpty else {
      throw InvalidInput(
        "the URL has an empty host", remedy: "write it as scheme://host/path", offset: bytes.startIndex)
    }
    host = try Self.checkedHost(hostPart)
    port = try portPart.map { part throws(InvalidInput) in try Self.checkedPort(part) }
  }

  private static func split(
    _ bytes: ArraySlice<UInt8>
  ) throws(InvalidInput) -> (host: ArraySlice<UInt8>, port: ArraySlice<UInt8>?) {
    if bytes.first == UInt8(ascii: "[") {
      guard let close = bytes.firstIndex(of: UInt8(ascii: "]")) else {
        throw InvalidInput("the URL's IPv6 address has no closing ]", offset: bytes.startIndex)
      }
      let rest = bytes[(close + 1)...]
      guard rest.isEmpty || rest.first == UInt8(ascii: ":") else {
        throw InvalidInput("the URL has text between ] and its port", offset: close + 1)
      }
      return (bytes[...close], rest.isEmpty ? nil : rest.dropFirst())
    }
    guard let colon = bytes.position(of: UInt8(ascii: ":")) else { return (bytes, nil) }
    if bytes[(colon + 1)...].contains(UInt8(ascii: ":")) {
      throw InvalidInput(
        "the URL's host has more than one colon",
        remedy: "put an IPv6 address in brackets, as in http://[::1]/",
        offset: colon
      )
    }
    return (bytes[..<colon], bytes[(colon + 1)...])
  }

  private static func checkedPort(_ bytes: ArraySlice<UInt8>) throws(InvalidInput) -> UInt16 {
    let text = String(decoding: bytes, as: UTF8.self)
    let remedy = "a port is a number from 1 to 65535"
    guard !bytes.isEmpty, bytes.allSatisfy(\.isASCIIDigit) else {
      throw InvalidInput("\(Excerpt(text)) is not a port", remedy: remedy, offset: bytes.startIndex)
    }
    guard let port = UInt16(text: text), port > 0 else {
      throw InvalidInput(
        "port \(Excerpt(text, limit: 12)) cannot be used", remedy: remedy, offset: bytes.startIndex)
    }
    return port
  }

  private static func checkedHost(_ bytes: ArraySlice<UInt8>) throws(InvalidInput) -> String {
    let start = bytes.startIndex
    if bytes.first == UInt8(ascii: "[") {
      let inner = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
      guard let address = IPAddress(inner), address.family == .v6 else {
        throw InvalidInput(
          "[\(inner.escapedForDisplay)] is not an IPv6 address", remedy: zoneRemedy(inner), offset: start)
      }
      return address.description
    }
    return try checkedName(try asciiName(bytes), offset: start)
  }

  /// How to write an IPv6 address with a zone (RFC 6874), which URLs of browsers do not have; nil for other text.
  private static func zoneRemedy(_ inner: String) -> String? {
    guard let mark = inner.firstIndex(of: "%"), IPAddress(inner[..<mark])?.family == .v6 else { return nil }
    return "write [\(inner[..<mark])], and name the interface with the option interface"
  }

  /// The name as it is sent: percent-decoded and in ASCII, as browsers read it (WHATWG URL §3.5).
  private static func asciiName(_ bytes: ArraySlice<UInt8>) throws(InvalidInput) -> String {
    let decoded = bytes.percentDecoded()
    if let offset = decoded.firstIndex(where: { $0 < 0x80 && !$0.isHostCharacter }) {
      throw InvalidInput(
        "the URL's host contains \(Excerpt(decoded[offset...offset])), which no host name does",
        offset: decoded.count == bytes.count ? bytes.startIndex + offset : bytes.startIndex)
    }
    guard decoded.contains(where: { $0 >= 0x80 }) else {
      return String(decoding: decoded, as: UTF8.self).lowercased()
    }
    guard let name = String(validating: decoded, as: UTF8.self) else {
      throw InvalidInput("the URL's host is not valid UTF-8", offset: bytes.startIndex)
    }
    let ascii: String
    do {
      ascii = try DomainName.ascii(name)
    } catch {
      let part = invalidPart(of: name)
      throw InvalidInput(
        "the URL's host has no ASCII form: \(Excerpt(part.map(String.init) ?? name)) \(error)",
        offset: bytes.startIndex
          + (part.map { decoded.count == bytes.count ? $0.utf8Offset(in: name) : 0 } ?? 0))
    }
    if let character = ascii.utf8.first(where: { !$0.isHostCharacter }) {
      throw InvalidInput(
        "the URL's host \(Excerpt(name)) becomes \(Excerpt(ascii)), and no host name contains "
          + "\(Excerpt([character]))", offset: bytes.startIndex)
    }
    return ascii.lowercased()
  }

  /// The first part between dots that has no ASCII form, or nil when all have one.
  private static func invalidPart(of name: String) -> Substring? {
    // The dots of UTS #46.
    name.split { ".。．｡".contains($0) }.first { (try? DomainName.ascii(String($0))) == nil }
  }

  private static func checkedName(_ host: String, offset start: Int) throws(InvalidInput) -> String {
    // Splits bytes rather than characters, which is much slower, because every line of a list is parsed here.
    let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isRooted = labels.last?.isEmpty == true
    let named = isRooted ? labels.dropLast() : labels[...]
    guard !named.isEmpty, named.allSatisfy({ (1...63).contains($0.count) }),
      host.utf8.count <= (isRooted ? 254 : 253)
    else {
      throw InvalidInput(
        "\(Excerpt(host)) is not a host name", remedy: "each part between dots has 1 to 63 characters",
        offset: start)
    }
    // As in browsers (WHATWG URL §3.5), a name that ends in a number must be an IPv4 address.
    if let last = named.last, last.allSatisfy(\.isASCIIDigit) || last.isHexadecimalNumber,
      IPAddress(host) == nil
    {
      throw InvalidInput(
        "\(Excerpt(host)) is not an IPv4 address", remedy: "write four numbers from 0 to 255", offset: start)
    }
    return host
  }
}

/// The five parts of a reference, not validated (RFC 3986 appendix B); the input starts after the scheme's
/// colon.
struct ReferenceParts {
  var authority: ArraySlice<UInt8>?
  var path: ArraySlice<UInt8>
  var query: ArraySlice<UInt8>?
  var fragment: ArraySlice<UInt8>?

  init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    if let mark = rest.position(of: UInt8(ascii: "#")) {
      fragment = rest[(mark + 1)...]
      rest = rest[..<mark]
    }
    if let mark = rest.position(of: UInt8(ascii: "?")) {
      query = rest[(mark + 1)...]
      rest = rest[..<mark]
    }
    if rest.starts(with: "//".utf8) {
      let start = rest.dropFirst(2)
      let end = start.position(of: UInt8(ascii: "/")) ?? start.endIndex
      authority = start[..<end]
      rest = start[end...]
    }
    path = rest
  }
}

extension UInt8 {
  fileprivate var isHostCharacter: Bool {
    // A hyphen, a full stop and a low line.
    isASCIILetter || isASCIIDigit || self == 0x2D || self == 0x2E || self == 0x5F
  }
}

extension ArraySlice<UInt8> {
  /// The position of the first such byte, found without the generic search, which is slow in a debug build.
  fileprivate func position(of byte: UInt8) -> Int? {
    var index = startIndex
    while index < endIndex, self[index] != byte { index += 1 }
    return index < endIndex ? index : nil
  }
}

extension Substring {
  /// The offset of its start in the text, in bytes.
  fileprivate func utf8Offset(in text: String) -> Int {
    text.utf8.distance(from: text.startIndex, to: startIndex)
  }
}

extension Substring.UTF8View {
  fileprivate var isHexadecimalNumber: Bool {
    starts(with: "0x".utf8) && dropFirst(2).allSatisfy { $0.hexDigitValue != nil }
  }
}

/// A part of a URL, which determines the characters that must be percent-encoded.
///
/// The sets are those of browsers (WHATWG URL §1.3), because portals compare the bytes they receive with
/// those they sent.
enum URLPart: CaseIterable {
  case path
  case query
  /// The query of an http or https URL.
  case specialQuery
  case fragment
}

extension URLScheme {
  /// Whether browsers parse URLs of this scheme by the lenient rules (WHATWG URL §3.1).
  var isSpecial: Bool { self == .http || self == .https }

  /// The kind of part that the query of its URLs is.
  var query: URLPart { isSpecial ? .specialQuery : .query }
}

extension UInt8 {
  fileprivate func mayStay(in part: URLPart) -> Bool {
    if isASCIILetter { return true }
    guard self > 0x20, self < 0x7F else { return false }
    return switch self {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"): false
    case UInt8(ascii: "#"): part == .fragment
    case UInt8(ascii: "`"): part == .query || part == .specialQuery
    case UInt8(ascii: "'"): part != .specialQuery
    case UInt8(ascii: "?"), UInt8(ascii: "^"), UInt8(ascii: "{"), UInt8(ascii: "}"): part != .path
    default: true
    }
  }
}

extension Collection<UInt8> {
  /// The text with every byte that the part cannot contain percent-encoded; existing percent-encoding is
  /// kept.
  func percentEncoded(_ part: URLPart) -> String { percentEncodedText(where: { !$0.mayStay(in: part) }) }

  /// The text with non-ASCII bytes percent-encoded, and everything else unchanged.
  var asciiReference: String { percentEncodedText(where: { $0 >= 0x80 }) }
}
