/// A fact that a verdict is based on, with the probes that it comes from.
public struct Evidence: Hashable, Sendable {
  /// The kind of fact.
  public var kind: EvidenceKind
  /// The fact for a person: one line, safe to print.
  public var summary: String
  /// The URLs of the probes that it comes from, as their author wrote them.
  public var probes: [String]

  /// Creates a fact.
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

  /// Creates a kind from its written form.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The rule of `decide` that determines the verdict.
  public static let rule = EvidenceKind(rawValue: "rule")
  /// How many probes of a set were accepted.
  public static let accepted = EvidenceKind(rawValue: "accepted")
  /// The login URL of a captive portal.
  public static let portal = EvidenceKind(rawValue: "portal")
  /// The response of the captive-portal API (RFC 8908).
  public static let capport = EvidenceKind(rawValue: "capport")
  /// Probes to which a third party responded.
  public static let intercepted = EvidenceKind(rawValue: "intercepted")
  /// A sign in a third party's response of what it is: a portal, a block page or an error.
  public static let sign = EvidenceKind(rawValue: "sign")
  /// Unrelated operators gave the same response, so it is from a third party.
  public static let sameResponse = EvidenceKind(rawValue: "sameAnswer")
  /// Public names resolved to addresses that no public host has.
  public static let address = EvidenceKind(rawValue: "address")
  /// Certificates whose dates contradict this machine's clock.
  public static let clock = EvidenceKind(rawValue: "clock")
  /// Certificates that are not the servers' own: a third party intercepts TLS.
  public static let certificates = EvidenceKind(rawValue: "certificates")
  /// A refused certificate that is the fault of its server only.
  public static let serverCertificate = EvidenceKind(rawValue: "serverCertificate")
  /// Probes that this machine itself received, because the names in their URLs resolve to its own addresses;
  /// they are no evidence about the network.
  public static let responseOfThisMachine = EvidenceKind(rawValue: "answeredByThisMachine")
  /// Some kinds of traffic pass, others do not.
  public static let traffic = EvidenceKind(rawValue: "traffic")
  /// A set of services that is not met, and why.
  public static let unmet = EvidenceKind(rawValue: "unmet")
  /// No server could be reached, so the network of this machine is the likely cause.
  public static let unreached = EvidenceKind(rawValue: "unreached")
  /// Probes that failed, by their reason.
  public static let failed = EvidenceKind(rawValue: "failed")
  /// The delay that a server requests before the next request.
  public static let retryAfter = EvidenceKind(rawValue: "retryAfter")
  /// Probes that were no longer needed, or never started.
  public static let skipped = EvidenceKind(rawValue: "skipped")
  /// Without an unencrypted probe, a portal cannot be distinguished from an outage.
  public static let httpsOnly = EvidenceKind(rawValue: "httpsOnly")
  /// The machine has no route to the Internet, so a monitor does not probe.
  public static let noRoute = EvidenceKind(rawValue: "noRoute")
  /// Whether UDP port 443 passes, which HTTP/3 needs; never the reason for a verdict.
  public static let udp443 = EvidenceKind(rawValue: "udp443")
  /// IPv4 servers are reached through NAT64 (RFC 7050); never the reason for a verdict.
  public static let nat64 = EvidenceKind(rawValue: "nat64")
  /// What the network asks of its clients by names in DNS; never the reason for a verdict.
  public static let dnsPolicy = EvidenceKind(rawValue: "dnsPolicy")
  /// The network gives IPv6 addresses, and no connection by IPv6 succeeds; never the reason for a verdict.
  public static let ipv6 = EvidenceKind(rawValue: "ipv6")
}

extension EvidenceKind: CustomStringConvertible {
  /// The kind as written in reports.
  public var description: String { rawValue }
}
