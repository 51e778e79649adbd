/// A fact that a verdict rests on, with the probes it came from.
public struct Evidence: Hashable, Sendable {
  /// What kind of fact it is.
  public var kind: EvidenceKind
  /// The fact in words: one line, safe to print.
  public var summary: String
  /// The URLs of the probes it came from, as their author wrote them.
  public var probes: [String]

  /// A fact.
  public init(_ kind: EvidenceKind, _ summary: String, probes: [String]) {
    self.kind = kind
    self.summary = summary
    self.probes = probes
  }
}

/// A kind of evidence; the set is open and grows.
public struct EvidenceKind: RawRepresentable, Hashable, Sendable, Codable {
  /// The kind as written in reports.
  public let rawValue: String

  /// A kind from its written form.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The rule of `decide` that says the verdict.
  public static let rule = EvidenceKind(rawValue: "rule")
  /// How many probes of a set were accepted.
  public static let accepted = EvidenceKind(rawValue: "accepted")
  /// Where a captive portal wants to be logged in to.
  public static let portal = EvidenceKind(rawValue: "portal")
  /// What the API of a captive portal (RFC 8908) said.
  public static let capport = EvidenceKind(rawValue: "capport")
  /// Probes that somebody else answered.
  public static let intercepted = EvidenceKind(rawValue: "intercepted")
  /// What an answer in place of the true one says of itself: what speaks for a portal, a wall or an error.
  public static let sign = EvidenceKind(rawValue: "sign")
  /// Operators that have nothing to do with each other gave the same answer, which is then nobody's own.
  public static let sameAnswer = EvidenceKind(rawValue: "sameAnswer")
  /// Public names led to addresses that no public host has.
  public static let address = EvidenceKind(rawValue: "address")
  /// Certificates whose dates contradict this machine's clock.
  public static let clock = EvidenceKind(rawValue: "clock")
  /// Certificates that are not the servers' own: somebody stands within the encryption.
  public static let certificates = EvidenceKind(rawValue: "certificates")
  /// A certificate that only its server can be blamed for.
  public static let serverCertificate = EvidenceKind(rawValue: "serverCertificate")
  /// Some kinds of traffic pass, others do not.
  public static let traffic = EvidenceKind(rawValue: "traffic")
  /// Probes that failed, by their reason.
  public static let failed = EvidenceKind(rawValue: "failed")
  /// How long a server wants to be left alone.
  public static let retryAfter = EvidenceKind(rawValue: "retryAfter")
  /// Probes that were not needed any more, or never started.
  public static let skipped = EvidenceKind(rawValue: "skipped")
  /// Without an unencrypted probe a portal cannot be told from an outage.
  public static let httpsOnly = EvidenceKind(rawValue: "httpsOnly")
  /// The machine has no way to the Internet, so that a monitor asks nothing.
  public static let noRoute = EvidenceKind(rawValue: "noRoute")
}

extension EvidenceKind: CustomStringConvertible {
  /// The kind as written in reports.
  public var description: String { rawValue }
}
