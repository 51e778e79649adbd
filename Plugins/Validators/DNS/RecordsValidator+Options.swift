public import ProbeCore
internal import ProbeStreams

extension RecordsValidator {
  /// The section of a response whose records are judged.
  public enum Section: String, Hashable, Sendable, Codable, CaseIterable, SchemaProviding {
    /// The answer to the question.
    case answer
    /// The authorities for the name.
    case authority
    /// Further records.
    case additional
  }

  /// The bounds of times to live, such as `1m`.
  public struct TimeBounds: Hashable, Sendable, Codable, SchemaProviding {
    /// The bounds.
    public static let schema = ValueSchema.mapping([
      .key("min", .duration, summary: "the shortest time to live"),
      .key("max", .duration, summary: "the longest time to live"),
    ])

    /// The minimum time, as written; nil for no bound.
    public var min: String?
    /// The maximum time, as written; nil for no bound.
    public var max: String?

    /// Creates bounds.
    public init(min: String? = nil, max: String? = nil) {
      self.min = min
      self.max = max
    }
  }

  /// The requirements: in a file `records: 192.0.2.1`, a list of values, or a mapping.
  public struct Options: Hashable, Sendable {
    /// The data of required records.
    public var values: [String]
    /// Whether other records are rejected.
    public var exactly: Bool
    /// The response codes to accept, such as `NXDOMAIN`; empty for NOERROR.
    public var rcodes: [String]
    /// The type of the records to judge; nil for the type in the question or, outside the answer, any type.
    public var type: String?
    /// The section whose records are judged.
    public var section: Section
    /// The pattern that at least one record must match, as a line of a zone file.
    public var matches: MatchesValidator.Options?
    /// The pattern that all records must match.
    public var allMatch: MatchesValidator.Options?
    /// The pattern that no record may match.
    public var noneMatches: MatchesValidator.Options?
    /// The bounds of the times to live of all records.
    public var ttl: TimeBounds?
    /// Whether the server must have verified the records with DNSSEC (AD); nil to ignore the flag.
    public var authenticated: Bool?

    /// Creates options; omitted ones require nothing.
    public init(
      values: [String] = [], exactly: Bool = false, rcodes: [String] = [], type: String? = nil,
      section: Section = .answer, matches: MatchesValidator.Options? = nil,
      allMatch: MatchesValidator.Options? = nil, noneMatches: MatchesValidator.Options? = nil,
      ttl: TimeBounds? = nil, authenticated: Bool? = nil
    ) {
      self.values = values
      self.exactly = exactly
      self.rcodes = rcodes
      self.type = type
      self.section = section
      self.matches = matches
      self.allMatch = allMatch
      self.noneMatches = noneMatches
      self.ttl = ttl
      self.authenticated = authenticated
    }
  }
}

extension RecordsValidator.Options {
  /// Whether to reject a response without records.
  ///
  /// Options with response codes accept it, unless they also require records.
  var requiresRecords: Bool {
    let lacksRequirements =
      values.isEmpty && type == nil && matches == nil && allMatch == nil && ttl == nil && section == .answer
    return !lacksRequirements || rcodes.isEmpty
  }

  func checkedCodes() throws(InvalidInput) -> [DNSResponseCode] {
    let known = DNSResponseCode.all
    let codes = try rcodes.mapItems(at: "rcode") { name throws(InvalidInput) in
      if let code = known.first(where: { $0.description == name.uppercased() }) { return code }
      let nearest = nearestName(to: name.uppercased(), among: known.map(\.description))
      throw InvalidInput(
        "\(Excerpt(name)) is not a DNS response code",
        remedy: nearest.map { "did you mean \($0)?" } ?? "use one such as NOERROR, NXDOMAIN or SERVFAIL")
    }
    return codes.isEmpty ? [.noError] : codes
  }

  func checkedType() throws(InvalidInput) -> String? {
    guard let type else { return nil }
    guard let known = RecordType(type) else {
      throw InvalidInput(
        "\(Excerpt(type)) is not a DNS record type", remedy: "use one such as A, AAAA, MX, TXT or TYPE65"
      ).at("type")
    }
    return known.description
  }

  func checkedValues(of type: String?) throws(InvalidInput) -> [RecordValue] {
    if exactly, values.isEmpty {
      throw InvalidInput("exactly requires values", remedy: "add values, or remove it").at("exactly")
    }
    let family: IPFamily? = type == "A" ? .v4 : type == "AAAA" ? .v6 : nil
    return try values.mapItems(at: "values") { value throws(InvalidInput) in
      if let family, IPAddress(value)?.family != family {
        throw InvalidInput(
          "\(Excerpt(value)) is not an IP\(family) address, which records of type \(type ?? "") contain",
          remedy: "correct it, or give another type")
      }
      return RecordValue(value)
    }
  }

  func checkedTimes() throws(InvalidInput) -> ClosedRange<Duration>? {
    guard let ttl else { return nil }
    // RFC 2181 §8.
    let all = Duration.zero ... .seconds(1 << 31)
    func time(_ text: String?, _ key: String, else usual: Duration) throws(InvalidInput) -> Duration {
      guard let text else { return usual }
      return try InvalidInput.at(key: key, ValueSyntax.duration(text, in: all))
    }
    return try InvalidInput.at("ttl") { () throws(InvalidInput) in
      let minimum = try time(ttl.min, "min", else: all.lowerBound)
      let maximum = try time(ttl.max, "max", else: all.upperBound)
      guard ttl.min != nil || ttl.max != nil, minimum <= maximum else {
        throw InvalidInput(
          "no time to live is within these bounds",
          remedy: "give min, max or both, with a max of at least min")
      }
      return minimum...maximum
    }
  }
}

extension RecordsValidator.Options: DeclaredOptions {
  /// One value, a list of them, or a mapping.
  public static let declaration = OptionsDeclaration(
    Self(), short: .value(\.values.oneOrMore),
    [
      OptionField(
        "values", \.values.oneOrMore, summary: "the data of records that must be there, such as 192.0.2.1"),
      OptionField("exactly", \.exactly, default: "false", summary: "whether other records are rejected"),
      OptionField(
        "rcode", \.rcodes.oneOrMore, .oneOrMore(of: code), default: "NOERROR",
        summary: "the response codes to accept; if nothing else is given, an empty response is accepted too"),
      OptionField(
        "type", \.type, .text(canBeNumber: false, canBeBoolean: false, examples: ["A", "MX"]),
        default: "that of the question", summary: "the type of the records to check"),
      OptionField(
        "section", \.section, default: "answer", summary: "the section of the response to check"),
      OptionField(
        "matches", \.matches, summary: "a pattern that a record matches, as a line of a zone file with tabs"),
      OptionField("allMatch", \.allMatch, summary: "a pattern that all records match"),
      OptionField("noneMatches", \.noneMatches, summary: "a pattern that no record matches"),
      OptionField("ttl", \.ttl, summary: "the bounds of the times to live of all records"),
      OptionField(
        "authenticated", \.authenticated,
        summary: "whether the server must have verified the response by DNSSEC (the AD flag)"),
    ])

  private static let code = ValueSchema.checkedWhenDecoded(.choice(DNSResponseCode.all.map(\.description)))
}
