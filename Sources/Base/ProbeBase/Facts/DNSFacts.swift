/// The contents of a DNS response (RFC 1035 §4.1).
public struct DNSFacts: Hashable, Sendable {
  /// The name in the question, with a dot at its end.
  public var name: String
  /// The record type in the question, such as `A`.
  public var type: String
  /// The response code.
  public var code: DNSResponseCode
  /// Whether the server is an authority for the name (AA).
  public var isAuthoritative = false
  /// Whether the server has verified the records by DNSSEC (AD, RFC 4035 §3.2.3).
  public var isAuthenticated = false
  /// Whether the server offers recursion (RA).
  public var offersRecursion = false
  /// The records that answer the question, including aliases.
  public var answer: [DNSRecord] = []
  /// The records about authorities for the name.
  public var authority: [DNSRecord] = []
  /// Further records; the pseudo-record of EDNS is not one of them.
  public var additional: [DNSRecord] = []

  /// Creates the contents of a response without records.
  public init(name: String, type: String, code: DNSResponseCode = .noError) {
    self.name = name
    self.type = type
    self.code = code
  }
}

/// A record of a DNS response, in the text form of zone files (RFC 1035 §5.1).
public struct DNSRecord: Hashable, Sendable {
  /// The owner name, with a dot at its end.
  public var name: String
  /// How long the record may be cached.
  public var timeToLive: Duration
  /// The class, such as `IN`.
  public var recordClass: String
  /// The type, such as `A`; `TYPE65534` if it has no name (RFC 3597 §5).
  public var type: String
  /// The data, such as `192.0.2.1` or `10 mail.example.com.`.
  public var data: String

  /// Creates a record.
  public init(
    name: String, timeToLive: Duration, recordClass: String = "IN", type: String, data: String
  ) {
    self.name = name
    self.timeToLive = timeToLive
    self.recordClass = recordClass
    self.type = type
    self.data = data
  }
}

extension DNSRecord: CustomStringConvertible {
  /// The line of a zone file, with a tab between the fields.
  public var description: String {
    "\(name)\t\(timeToLive.components.seconds)\t\(recordClass)\t\(type)\t\(data)"
  }
}

/// A response code of DNS (RFC 6895 §2.3).
public struct DNSResponseCode: RawRepresentable, Hashable, Sendable {
  /// The number, including the bits from EDNS.
  public let rawValue: UInt16

  /// Creates a code from its number.
  public init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Success.
  public static let noError = DNSResponseCode(rawValue: 0)
  /// The server could not read the query.
  public static let formatError = DNSResponseCode(rawValue: 1)
  /// The server failed.
  public static let serverFailure = DNSResponseCode(rawValue: 2)
  /// The name does not exist.
  public static let noSuchName = DNSResponseCode(rawValue: 3)
  /// The server refused to answer.
  public static let refused = DNSResponseCode(rawValue: 5)

  /// The names in the registry of IANA, by number.
  private static let names: [UInt16: String] = [
    0: "NOERROR", 1: "FORMERR", 2: "SERVFAIL", 3: "NXDOMAIN", 4: "NOTIMP", 5: "REFUSED", 6: "YXDOMAIN",
    7: "YXRRSET", 8: "NXRRSET", 9: "NOTAUTH", 10: "NOTZONE", 11: "DSOTYPENI", 16: "BADVERS", 17: "BADKEY",
    18: "BADTIME", 19: "BADMODE", 20: "BADNAME", 21: "BADALG", 22: "BADTRUNC", 23: "BADCOOKIE",
  ]

  /// The codes with a name, by number.
  public static let all: [DNSResponseCode] = names.keys.sorted().map { DNSResponseCode(rawValue: $0) }
}

extension DNSResponseCode: CustomStringConvertible {
  /// The name, such as `NXDOMAIN`, or `RCODE12` if it has none.
  public var description: String { Self.names[rawValue] ?? "RCODE\(rawValue)" }
}
