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
