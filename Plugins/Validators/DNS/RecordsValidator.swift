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
