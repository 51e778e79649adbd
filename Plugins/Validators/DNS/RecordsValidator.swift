internal import ProbeStreams
public import ProbeCore

/// Accepts a DNS response with the expected code and records; `records` in a pipeline file.
///
/// Unless a type is given, only records of the type in the question are judged, so that intermediate aliases
/// are ignored.
public struct RecordsValidator: ConfigurableValidator {
  /// The key in a pipeline file.
  public static let name = "records"
  /// A summary of the accepted responses.
  public static let summary: String? = "the DNS response has this response code and these records"

  private let options: Options
  private let codes: [DNSResponseCode]
  private let type: String?
  private let values: [RecordValue]
  private let patterns: RecordPatterns
  private let times: ClosedRange<Duration>?

  /// Creates a validator for records with these values, and no further requirements.
  ///
  /// - Throws: `InvalidInput` if there is no value.
  public init(_ values: String...) throws(InvalidInput) {
    try self.init(options: Options(values: values))
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` for an unknown code or type, an invalid value, pattern or time, and options
  ///   that cannot be combined.
  public init(options: Options) throws(InvalidInput) {
    self.options = options
    codes = try options.checkedCodes()
    type = try options.checkedType()
    values = try options.checkedValues(of: type)
    times = try options.checkedTimes()
    patterns = try RecordPatterns(options)
  }

  /// The content of a DNS response, and its code.
  public var judges: ResponseParts { [.content, .dns] }

  /// Judges the code, then the flag, then the records.
  public func validate(_ response: ProbeResponse) -> Validation {
    guard let dns = response.dns else {
      return .rejected(.recordMismatch, expected: "a DNS response", found: "another one")
    }
    guard codes.contains(dns.code) else {
      let names = codes.map(\.description).joined(separator: " or ")
      return .rejected(
        dns.code == .noError ? .recordMismatch : dns.code.reason, expected: "the response code \(names)",
        found: "\(dns.code)")
    }
    if let expected = options.authenticated, expected != dns.isAuthenticated {
      return .rejected(
        .recordMismatch, expected: "a response with the AD flag \(expected ? "set" : "clear")",
        found: "one with it \(expected ? "clear" : "set")")
    }
    let judged = judgedRecords(of: dns)
    return judgeExistence(of: judged, in: dns) ?? judgeValues(judged) ?? patterns.judge(judged)
      ?? judgeTimes(judged) ?? .accepted
  }
}

extension RecordsValidator: Compiled {
  package var compiledSize: Int { patterns.compiledSize }
}

extension RecordsValidator {
  private func judgedRecords(of dns: DNSFacts) -> [DNSRecord] {
    let records =
      switch options.section {
      case .answer: dns.answer
      case .authority: dns.authority
      case .additional: dns.additional
      }
    let type = type ?? (options.section == .answer && dns.type != "ANY" ? dns.type : nil)
    return type.map { type in records.filter { $0.type == type } } ?? records
  }

  private func judgeExistence(of records: [DNSRecord], in dns: DNSFacts) -> Validation? {
    guard options.requiresRecords, records.isEmpty else { return nil }
    let kind = type ?? (options.section == .answer ? dns.type : "other")
    let found = options.section == .answer && !dns.answer.isEmpty ? dns.answer.map(\.shortText).shown : "none"
    return .rejected(
      dns.answer.isEmpty ? .noSuchHost : .recordMismatch,
      expected: "\(kind) records in the \(options.section) section", found: found)
  }

  private func judgeValues(_ records: [DNSRecord]) -> Validation? {
    if let missing = values.first(where: { value in !records.contains { value.equals($0) } }) {
      return .rejected(
        .recordMismatch, expected: "the record \(Excerpt(missing.text))", found: records.map(\.data).shown)
    }
    guard options.exactly,
      let other = records.first(where: { record in !values.contains { $0.equals(record) } })
    else { return nil }
    return .rejected(
      .recordMismatch, expected: "no records but \(values.map(\.text).shown)",
      found: "also \(Excerpt(other.data))")
  }

  private func judgeTimes(_ records: [DNSRecord]) -> Validation? {
    guard let times, let record = records.first(where: { !times.contains($0.timeToLive) }) else { return nil }
    let bounds = [options.ttl?.min.map { "at least \($0)" }, options.ttl?.max.map { "at most \($0)" }]
    return .rejected(
      .recordMismatch, expected: "a time to live of \(bounds.compactMap { $0 }.joined(separator: " and "))",
      found: "\(ValueSyntax.text(of: record.timeToLive)) of \(Excerpt(record.data))")
  }
}

extension DNSRecord {
  /// The type and the data.
  fileprivate var shortText: String { "\(type) \(data)" }
}

extension [String] {
  /// The first few of the texts, quoted, as a list.
  fileprivate var shown: String {
    let few = prefix(4).map { "\(Excerpt($0))" }.joined(separator: ", ")
    return count > 4 ? "\(few) and \(count - 4) more" : few
  }
}

extension RecordsValidator {
  /// A value, a response code, and records of another type with bounds of their times to live.
  public static var examples: [ValidatorExample<Options>] {
    let address = DNSRecord(name: "www.example.", timeToLive: .seconds(300), type: "A", data: "192.0.2.1")
    let exchange = DNSRecord(
      name: "example.", timeToLive: .seconds(3600), type: "MX", data: "10 mail.example.")
    let other = DNSRecord(
      name: "example.", timeToLive: .seconds(3600), type: "MX", data: "20 mail.example.")
    return [
      ValidatorExample(
        Options(values: ["192.0.2.1"]), accepts: .example("www.example.", "A", [address]),
        rejects: .example("www.example.", "A", [])),
      ValidatorExample(
        Options(rcodes: ["NXDOMAIN"]), accepts: .example("no.example.", "A", [], .noSuchName),
        rejects: .example("no.example.", "A", [address])),
      ValidatorExample(
        Options(
          values: ["10 mail.example"], exactly: true, type: "MX",
          matches: MatchesValidator.Options(pattern: "IN\\tMX"),
          ttl: TimeBounds(min: "1m", max: "1d"), authenticated: false),
        accepts: .example("example.", "MX", [exchange]),
        rejects: .example("example.", "MX", [exchange, other])),
    ]
  }
}

extension ProbeResponse {
  fileprivate static func example(
    _ name: String, _ type: String, _ records: [DNSRecord], _ code: DNSResponseCode = .noError
  ) -> ProbeResponse {
    var response = example()
    response.head = nil
    response.dns = DNSFacts(name: name, type: type, code: code)
    response.dns?.answer = records
    response.body = Array(records.map { "\($0)\n" }.joined().utf8)
    return response
  }
}

/// The patterns of a ``RecordsValidator``, for the records as lines of a zone file.
struct RecordPatterns {
  private let any: TextPattern?
  private let all: TextPattern?
  private let none: TextPattern?

  /// Compiles the patterns of the options; those that are not given judge nothing.
  ///
  /// - Throws: `InvalidInput` for an invalid pattern.
  init(_ options: RecordsValidator.Options) throws(InvalidInput) {
    any = try Self.pattern(options.matches, "matches")
    all = try Self.pattern(options.allMatch, "allMatch")
    none = try Self.pattern(options.noneMatches, "noneMatches")
  }

  private static func pattern(
    _ options: MatchesValidator.Options?, _ key: String
  ) throws(InvalidInput) -> TextPattern? {
    guard let options else { return nil }
    return try InvalidInput.at(key: key, TextPattern(options))
  }

  var compiledSize: Int { [any, all, none].reduce(0) { $0 + ($1?.compiledSize ?? 0) } }

  /// Judges records.
  ///
  /// - Returns: The rejection, or nil.
  func judge(_ records: [DNSRecord]) -> Validation? {
    let lines = records.map(\.description)
    if let any,
      let rejection = judge(
        lines, any, expected: "a record that matches \(any)", accepts: { $0.contains(true) })
    {
      return rejection
    }
    if let all,
      let rejection = judge(
        lines, all, expected: "only records that match \(all)", accepts: { !$0.contains(false) })
    {
      return rejection
    }
    return none.flatMap { none in
      judge(lines, none, expected: "no record that matches \(none)", accepts: { !$0.contains(true) })
    }
  }

  private func judge(
    _ lines: [String], _ pattern: TextPattern, expected: String, accepts: ([Bool]) -> Bool
  ) -> Validation? {
    var matches: [Bool] = []
    for (line, found) in zip(lines, pattern.search(each: lines)) {
      switch found {
      case .match: matches.append(true)
      case .noMatch: matches.append(false)
      case .limit:
        return .rejected(
          .matchLimit, expected: expected,
          found: "that the pattern needs more work on \(Excerpt(line)) than it may have")
      }
    }
    guard !accepts(matches) else { return nil }
    // The first record with the wrong result.
    let isWanted = !expected.hasPrefix("no ")
    let line = zip(lines, matches).first { $0.1 != isWanted }?.0
    return .rejected(.recordMismatch, expected: expected, found: line.map { "\(Excerpt($0))" } ?? "none")
  }
}

/// The expected data of a record, as written in a pipeline file.
struct RecordValue {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// Whether the data of a record is equal, regardless of its notation: any form of an address, names in any
  /// case or without the final dot, a TXT record without quotes.
  func equals(_ record: DNSRecord) -> Bool {
    if record.data == text { return true }
    if record.data.first == "\"", Self.strings(record.data) == text { return true }
    guard let expected = RecordData(text, type: record.type) else { return false }
    return expected == RecordData(record.data, type: record.type)
  }

  /// The contents of quoted strings, concatenated (RFC 7208 §3.3) and without the escapes of zone files.
  private static func strings(_ data: String) -> String {
    var bytes: [UInt8] = []
    var rest = data.utf8[...]
    var isInside = false
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): isInside.toggle()
      case UInt8(ascii: "\\"):
        if let number = UInt8(text: String(decoding: rest.prefix(3), as: UTF8.self)), rest.count >= 3 {
          bytes.append(number)
          rest = rest.dropFirst(3)
        } else if let next = rest.popFirst() {
          bytes.append(next)
        }
      default: if isInside { bytes.append(byte) }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
