public import FoundationEssentials
public import ProbeCore

/// Accepts a response if no certificate of its chain expires too soon; `certificate` in a pipeline file.
///
/// The chain is the one that the server sent. If a probe fails, its certificates are judged too, and the
/// findings are reported in addition to the reason of the failure.
public struct CertificateValidator: ConfigurableValidator {
  /// The time for which certificates must remain valid: in a file `certificate: { expiresAfter: 14d }` or
  /// `certificate: 14d`.
  public struct Options: Hashable, Sendable {
    /// The time, as written, such as `14d`.
    public var expiresAfter: String

    /// Creates options.
    public init(expiresAfter: String) {
      self.expiresAfter = expiresAfter
    }
  }

  /// The key in a pipeline file.
  public static let name = "certificate"

  private let margin: Duration
  private let now: @Sendable () -> Date

  /// Creates a validator for a minimum remaining validity.
  ///
  /// - Parameters:
  ///   - expiresAfter: The minimum remaining validity; not negative.
  ///   - now: Returns the current time; tests replace it.
  public init(expiresAfter: Duration, now: @escaping @Sendable () -> Date = { Date() }) {
    margin = max(expiresAfter, .zero)
    self.now = now
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if the text is not a duration, or if it is longer than ten years.
  public init(options: Options) throws(InvalidInput) {
    let longest = Duration.seconds(3650 * 86_400)
    let margin = try InvalidInput.at("expiresAfter") { () throws(InvalidInput) in
      try ValueSyntax.duration(options.expiresAfter, in: .zero...longest)
    }
    self.init(expiresAfter: margin)
  }

  /// None: it judges the connection.
  public var judges: AnswerParts { [] }

  /// Judges the certificates.
  public func validate(_ response: ProbeResponse) -> Validation {
    guard let rejection = judge(response.tls?.chain ?? []) else { return .accepted }
    return .rejected(rejection.reason, expected: rejection.expected, found: rejection.found)
  }

  /// Judges the certificates that were received before the probe failed.
  public func findings(in failure: ProbeFailure) -> [Validation.Rejection] {
    guard let chain = failure.partial?.tls?.chain, !chain.isEmpty else { return [] }
    return judge(chain).map { [$0] } ?? []
  }

  private func judge(_ chain: [CertificateFacts]) -> Validation.Rejection? {
    let expected = "certificates that are valid for \(ValueSyntax.text(of: margin)) more"
    guard let first = chain.min(by: { $0.notAfter < $1.notAfter }) else {
      return Validation.Rejection(.noCertificate, expected: expected, found: "none to look at")
    }
    let now = now()
    // RFC 5280 §4.1.2.5: a certificate is valid up to and including its notAfter.
    guard first.notAfter < now.addingTimeInterval(margin.inSeconds) else { return nil }
    let verb = first.notAfter < now ? "expired" : "expires"
    let found = "\(Excerpt(first.subject)), which \(verb) on \(first.notAfter.formatted(.iso8601))"
    return Validation.Rejection(.certificateExpiresSoon, expected: expected, found: found)
  }
}

extension CertificateValidator.Options: SchemaProviding {
  /// A duration, or a mapping.
  public static let schema = ValueSchema.anyOf([
    .duration,
    .mapping([
      .key("expiresAfter", .duration, required: true, summary: "how much longer certificates must be valid")
    ]),
  ])
}

extension CertificateValidator.Options: Codable {
  private enum Key: CodingKey {
    case expiresAfter
  }

  /// Decodes a duration, or a mapping.
  public init(from decoder: any Decoder) throws {
    if let time = try? decoder.singleValueContainer().decode(String.self) {
      self.init(expiresAfter: time)
    } else {
      let container = try decoder.container(keyedBy: Key.self)
      self.init(expiresAfter: try container.decode(String.self, forKey: .expiresAfter))
    }
  }
}

extension Duration {
  fileprivate var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
