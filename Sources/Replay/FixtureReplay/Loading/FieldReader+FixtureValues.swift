import ProbeCore
import ProbePipeline
import SourceDocuments

/// Readers for the smaller parts of a fixture.
extension FieldReader where Value == FixtureSource {
  static var source: FieldReader {
    .mapping { reader in
      let kind = reader.required(
        "kind", FieldReader<FixtureSource.Kind>.choice, example: "synthetic",
        summary:
          "the origin of the bytes: captured from a real network, source-derived from a program or its documentation, "
          + "specification from a standard, or synthetic")
      let reference = reader.required(
        "reference", .line, example: "\"RFC 6585 §6\"",
        summary: "the network, program, document or standard")
      let date = reader.optional("date", .date, summary: "the date, such as 2026-11-21")
      guard let kind, let reference else { return nil }
      return FixtureSource(kind: kind, reference: reference, date: date)
    }
  }
}

extension FieldReader where Value == FixtureExpectation {
  static var expectation: FieldReader {
    .mapping { reader in
      let verdicts = reader.required(
        "verdict", .oneOrMore(of: FieldReader<Verdict>.choice), example: "captivePortal",
        summary: "the expected verdict, or a list of possible ones")
      let loginURL = reader.optional("loginURL", .url, summary: "the expected login URL")
      return verdicts.map { FixtureExpectation($0, loginURL: loginURL) }
    }
  }
}

extension FieldReader where Value == [ReplayListener: ListenerMode] {
  static var listeners: FieldReader {
    .mapping { reader in
      var modes: [ReplayListener: ListenerMode] = [:]
      for listener in ReplayListener.allCases {
        modes[listener] = reader.optional(
          listener.rawValue, FieldReader<ListenerMode>.choice, default: "open",
          summary:
            "what happens to \(listener.rawValue) connections; blackhole: no answer at all; hold: accepted, and nothing is sent"
        )
      }
      return modes
    }
  }
}

extension FieldReader where Value == String {
  /// The network's announcement in DHCP option 114, even if it is not a URL: a network may announce nonsense.
  ///
  /// A DHCP option has at most 255 bytes (RFC 2132 §2).
  static var announcement: FieldReader {
    .text("a URL", schema: .text(pattern: "^[^\\s]{1,255}$")) { (text) throws(InvalidInput) in
      guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw InvalidInput(
          "\(Excerpt(text)) cannot be announced in a DHCP option",
          remedy: "write a URL of at most 255 bytes, with other characters percent-encoded")
      }
      return text
    }
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
    .text("a date", schema: .day) { (text) throws(InvalidInput) in
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      let isWritten =
        parts.map(\.utf8.count) == [4, 2, 2] && text.utf8.allSatisfy { $0 == 0x2D || $0.isASCIIDigit }
      let numbers = parts.compactMap { Int(text: $0) }
      guard isWritten, numbers.count == 3, isDay(numbers[2], month: numbers[1], year: numbers[0]) else {
        throw InvalidInput("\(Excerpt(text)) is not a date", remedy: "write it as 2026-11-21")
      }
      return text
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
    let rules = FieldReader<[(entry: SourceEntry, value: Item)]>.dictionary(of: item) { entry, findings in
      guard let mistake = HostPattern.mistake(in: entry.key) else { return true }
      findings.add(mistake.message, remedy: mistake.remedy, at: entry.keySpan.lowerBound)
      return false
    }
    return rules.map { pairs, _, _ in HostRules(pairs.map { (host: $0.entry.key, value: $0.value) }) }
  }
}

/// A host name or address in which `*` matches any part.
enum HostPattern {
  /// What is wrong with the pattern, or nil.
  static func mistake(in text: String) -> InvalidInput? {
    let quoted = Excerpt(text)
    let remedy = "write a host name, an address, or * for any"
    if text.isEmpty { return InvalidInput("a host is empty", remedy: remedy) }
    if text.utf8.contains(where: { $0 >= 0x80 }) {
      let ascii = try? ProbeURL("http://\(text)/").host
      return InvalidInput("\(quoted) is not in ASCII", remedy: ascii.map { "write it as \($0)" } ?? remedy)
    }
    if text.contains("/") { return InvalidInput("\(quoted) is not a host", remedy: remedy) }
    if text.hasPrefix("[") {
      return InvalidInput("\(quoted) is not a host", remedy: "write an IPv6 address without brackets")
    }
    if text.utf8.contains(UInt8(ascii: ":")) {
      let isAddress = text.utf8.allSatisfy { "0123456789abcdefABCDEF:.*".utf8.contains($0) }
      let hasPort = text.utf8.count { $0 == UInt8(ascii: ":") } == 1
      return isAddress && !hasPort ? nil : InvalidInput("\(quoted) is not a host", remedy: "omit the port")
    }
    let isName = text.utf8.allSatisfy { byte in
      byte.isASCIILetter || byte.isASCIIDigit || "-._*".utf8.contains(byte)
    }
    return isName ? nil : InvalidInput("\(quoted) is not a host", remedy: remedy)
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
        "limits", .stateLimits, default: "none",
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
      let name = reader.required(
        "cookie", .cookieName, example: "session", summary: "the name of the cookie")
      return name.map { .cookie($0) }
    }
    return anyOf(scalar: word, mapping: cookie)
  }
}

extension FieldReader where Value == String {
  /// The name of a cookie (RFC 6265 §4.1.1).
  fileprivate static var cookieName: FieldReader {
    .text("a name", schema: .text(pattern: "^\(ValueSchema.token)$")) { (text) throws(InvalidInput) in
      guard !text.isEmpty, text.utf8.allSatisfy(\.isTokenCharacter) else {
        throw InvalidInput(
          "\(Excerpt(text)) is not the name of a cookie",
          remedy: "use letters, digits and - or _, such as session")
      }
      return text
    }
  }
}

extension FieldReader where Value == [String: StateLimit] {
  /// The limits by the name of the state.
  fileprivate static var stateLimits: FieldReader {
    FieldReader<[(entry: SourceEntry, value: StateLimit)]>.dictionary(of: .stateLimit).map { pairs, _, _ in
      Dictionary(pairs.map { ($0.entry.key, $0.value) }) { first, _ in first }
    }
  }
}

extension FieldReader where Value == StateLimit {
  fileprivate static var stateLimit: FieldReader {
    .mapping { reader in
      let after = reader.optional(
        "after", .duration(in: .milliseconds(1) ... .seconds(366 * 86_400)),
        summary: "the time since the state was entered")
      let bytes = reader.optional(
        "bytes", .byteCount(in: 1...1 << 50),
        summary: "the bytes of requests and responses since the state was entered")
      let next = reader.required("goto", .line, example: "captive", summary: "the state that follows")
      if reader.node.entry("after") == nil, reader.node.entry("bytes") == nil, reader.node.isComplete,
        !reader.isAskedForSchema
      {
        reader.findings.add(
          "the limit has neither a time nor a number of bytes",
          remedy: "add after, such as after: 30m, or bytes, such as bytes: 100MB", at: reader.node)
      }
      return next.map { StateLimit(after: after, bytes: bytes, goto: $0) }
    }
  }
}
