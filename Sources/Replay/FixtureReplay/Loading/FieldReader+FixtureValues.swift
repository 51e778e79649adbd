import ProbeCore
import ProbePipeline
import SourceDocuments

/// Readers for the smaller parts of a fixture.
extension FieldReader where Value == FixtureSource {
  static var source: FieldReader {
    .mapping(into: FixtureSource(kind: .synthetic, reference: "")) { source, reader in
      reader.required(
        into: &source.kind, "kind", .choice, example: "synthetic",
        summary:
          "the origin of the bytes: captured from a real network, source-derived from a program or its documentation, "
          + "specification from a standard, or synthetic")
      reader.required(
        into: &source.reference, "reference", .line, example: "\"RFC 6585 §6\"",
        summary: "the network, program, document or standard")
      source.date = reader.optional("date", .date, summary: "the date, such as 2026-11-21")
    }
  }
}

extension FieldReader where Value == FixtureExpectation {
  static var expectation: FieldReader {
    .mapping(into: FixtureExpectation([])) { expectation, reader in
      reader.required(
        into: &expectation.verdicts, "verdict", .oneOrMore(of: .choice), example: "captivePortal",
        summary: "the expected verdict, or a list of possible ones")
      expectation.loginURL = reader.optional("loginURL", .url, summary: "the expected login URL")
    }
  }
}

extension FieldReader where Value == [ReplayListener: ListenerMode] {
  static var listeners: FieldReader {
    .mapping(into: [:]) { modes, reader in
      for listener in ReplayListener.allCases {
        modes[listener] = reader.optional(
          listener.rawValue, .choice, default: "open",
          summary:
            "what happens to \(listener.rawValue) connections; blackhole: no answer at all; hold: accepted, and nothing is sent"
        )
      }
    }
  }
}

extension FieldReader where Value == String {
  /// The network's announcement in DHCP option 114, even if it is not a URL: a network may announce nonsense.
  ///
  /// A DHCP option has at most 255 bytes (RFC 2132 §2).
  static var announcement: FieldReader {
    .text(
      "a URL", schema: .text(pattern: "^[^\\s]{1,255}$"), otherwise: "cannot be announced in a DHCP option",
      remedy: "write a URL of at most 255 bytes, with other characters percent-encoded"
    ) { text in (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
  }

  /// An absolute URL, kept as written.
  static var url: FieldReader {
    .text("a URL", schema: .absoluteURL) { (text) throws(InvalidInput) in
      _ = try ProbeURL(text)
      return text
    }
  }

  /// A calendar date, `YYYY-MM-DD` (ISO 8601).
  static var date: FieldReader {
    .text("a date", schema: .day, otherwise: "is not a date", remedy: "write it as 2026-11-21") { text in
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      let isWritten =
        parts.map(\.utf8.count) == [4, 2, 2] && text.utf8.allSatisfy { $0 == 0x2D || $0.isASCIIDigit }
      let numbers = parts.compactMap { Int(text: $0) }
      return isWritten && numbers.count == 3 && isDay(numbers[2], month: numbers[1], year: numbers[0])
    }
  }

  private static func isDay(_ day: Int, month: Int, year: Int) -> Bool {
    guard (1...12).contains(month) else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    return (1...days).contains(day)
  }
}

extension FieldReader where Value == DNSAnswer {
  static var dnsAnswer: FieldReader {
    let words: [String: DNSAnswer] = ["nxdomain": .nxdomain, "servfail": .servfail, "timeout": .timeout]
    let schema = ValueSchema.anyOf([.address, .choice(words.keys.sorted())])
    return .text("an address", schema: schema) { (text) throws(InvalidInput) in
      if let address = IPAddress(text) { return .address(address) }
      if let known = words[text] { return known }
      let nearest = nearestName(to: text, among: words.keys.sorted()).map { "did you mean \($0)?" }
      throw InvalidInput(
        "\(Excerpt(text)) is not a DNS answer",
        remedy: nearest ?? "use an address such as 192.0.2.1, nxdomain, servfail or timeout")
    }
  }
}

extension FieldReader {
  /// Values by host name or pattern.
  static func hostRules<Item>(of item: FieldReader<Item>) -> FieldReader where Value == HostRules<Item> {
    FieldReader<[(entry: SourceEntry, value: Item)]>.dictionary(of: item, check: HostPattern.check)
      .map { pairs, _, _ in HostRules(pairs.map { (host: $0.entry.key, value: $0.value) }) }
  }
}

/// A host name or address in which `*` matches any part.
enum HostPattern {
  /// Checks a pattern.
  ///
  /// - Throws: `InvalidInput` if it matches no host.
  static func check(_ text: String) throws(InvalidInput) {
    let quoted = Excerpt(text)
    let remedy = "write a host name, an address, or * for any"
    if text.isEmpty { throw InvalidInput("a host is empty", remedy: remedy) }
    if text.utf8.contains(where: { $0 >= 0x80 }) {
      let ascii = try? ProbeURL("http://\(text)/").host
      throw InvalidInput("\(quoted) is not in ASCII", remedy: ascii.map { "write it as \($0)" } ?? remedy)
    }
    if text.contains("/") { throw InvalidInput("\(quoted) is not a host", remedy: remedy) }
    if text.hasPrefix("[") {
      throw InvalidInput("\(quoted) is not a host", remedy: "write an IPv6 address without brackets")
    }
    if text.utf8.contains(UInt8(ascii: ":")) {
      let isAddress = text.utf8.allSatisfy { "0123456789abcdefABCDEF:.*".utf8.contains($0) }
      let hasPort = text.utf8.count { $0 == UInt8(ascii: ":") } == 1
      guard !isAddress || hasPort else { return }
      throw InvalidInput("\(quoted) is not a host", remedy: "omit the port")
    }
    let isName = text.utf8.allSatisfy { byte in
      byte.isASCIILetter || byte.isASCIIDigit || "-._*".utf8.contains(byte)
    }
    if !isName { throw InvalidInput("\(quoted) is not a host", remedy: remedy) }
  }
}

extension FieldReader where Value == SessionRules {
  /// The owner of the state, and the limits that end a state.
  static var session: FieldReader {
    .mapping { reader in
      let owner = reader.optional(
        "by", .sessionOwner, default: "server",
        summary:
          "whose state it is: server, one for all clients; address, one for each client address; or cookie with a name, one for "
          + "each value of the cookie, which the server sets")
      let limits = reader.optional(
        "limits", .byName(of: .stateLimit), default: "none",
        summary: "the limits that end a state, by the name of the state")
      // Nil after an error in the limits, because they name states.
      if limits == nil, reader.node.entry("limits") != nil { return nil }
      return SessionRules(by: owner ?? .server, limits: limits ?? [:])
    }
  }
}

extension FieldReader where Value == SessionRules.Owner {
  /// `server`, `address` or `{ cookie: NAME }`.
  fileprivate static var sessionOwner: FieldReader {
    let words: [String: SessionRules.Owner] = ["server": .server, "address": .address]
    let word = FieldReader.text("a word or a mapping", schema: .choice(words.keys.sorted())) {
      (text) throws(InvalidInput) in
      if let owner = words[text] { return owner }
      let nearest = nearestName(to: text, among: words.keys.sorted()).map { "did you mean \($0)?" }
      throw InvalidInput(
        "\(Excerpt(text)) cannot own states",
        remedy: nearest ?? "use server, address, or { cookie: NAME }")
    }
    let cookie = FieldReader.mapping { reader in
      let name = reader.required("cookie", .cookieName, example: "session", summary: "the name of the cookie")
      return name.map { .cookie($0) }
    }
    return anyOf(scalar: word, mapping: cookie)
  }
}

extension FieldReader where Value == String {
  /// The name of a cookie (RFC 6265 §4.1.1).
  fileprivate static var cookieName: FieldReader {
    .text(
      "a name", schema: .text(pattern: "^\(ValueSchema.token)$"), otherwise: "is not the name of a cookie",
      remedy: "use letters, digits and - or _, such as session"
    ) { !$0.isEmpty && $0.utf8.allSatisfy(\.isTokenCharacter) }
  }
}

extension FieldReader where Value == StateLimit {
  fileprivate static var stateLimit: FieldReader {
    .mapping(into: StateLimit(goto: "")) { limit, reader in
      limit.after = reader.optional(
        "after", .duration(in: .milliseconds(1) ... .seconds(366 * 86_400)),
        summary: "the time since the state was entered")
      limit.bytes = reader.optional(
        "bytes", .byteCount(in: 1...1 << 50),
        summary: "the bytes of requests and responses since the state was entered")
      reader.required(into: &limit.next, "goto", .line, example: "captive", summary: "the state that follows")
      if reader.node.entry("after") == nil, reader.node.entry("bytes") == nil, reader.node.isComplete,
        !reader.isAskedForSchema
      {
        reader.findings.add(
          "the limit has neither a time nor a number of bytes",
          remedy: "add after, such as after: 30m, or bytes, such as bytes: 100MB", at: reader.node)
      }
    }
  }
}
