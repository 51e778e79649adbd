public import FoundationEssentials
public import ProbeCore

/// Accepts a response whose certificates meet the requirements; `certificate` in a pipeline file.
///
/// The validator judges the chain that the server sent. Every certificate of the chain must remain valid for
/// long enough; names, issuer, key and signature are those of the server's own certificate. If redirects were
/// followed, the chain of each server that was reached over TLS is judged; only the names are those of the last
/// server. If a probe fails, its certificates are judged too, and the findings are reported in addition to the
/// reason for the failure.
public struct CertificateValidator: ConfigurableValidator {
  /// The key in a pipeline file.
  public static let name = "certificate"
  /// A summary of the accepted responses.
  public static let summary: String? =
    "the certificates remain valid for this time, and the server's own has the names, issuer, key and signature"

  private let margin: ExpiryMargin?
  private let ownTests: [CertificateTest]
  private let now: @Sendable () -> Date

  /// Creates a validator for a minimum remaining validity.
  ///
  /// - Parameters:
  ///   - expiresAfter: The minimum remaining validity; not negative.
  ///   - now: Returns the current time; tests replace it.
  public init(expiresAfter: Duration, now: @escaping @Sendable () -> Date = { Date() }) {
    margin = ExpiryMargin(expiresAfter)
    ownTests = []
    self.now = now
  }

  /// Creates a validator with options.
  ///
  /// - Throws: `InvalidInput` if there is no requirement, or if one of them is invalid: a text that is neither a
  ///   duration nor a percentage, a duration of more than ten years, a name that no certificate can have, or an unknown
  ///   algorithm.
  public init(options: Options) throws(InvalidInput) {
    try self.init(options: options, now: { Date() })
  }

  /// Creates a validator with options and another clock.
  package init(options: Options, now: @escaping @Sendable () -> Date) throws(InvalidInput) {
    margin = try InvalidInput.at("expiresAfter") { () throws(InvalidInput) in
      guard let text = options.expiresAfter else { return nil }
      return try ExpiryMargin(text)
    }
    ownTests = try CertificateTest.all(options)
    self.now = now
    guard margin != nil || !ownTests.isEmpty else {
      throw InvalidInput(
        "the certificate has no requirement", remedy: "add expiresAfter, names, issuer, keyBits or signature")
    }
  }

  /// None: it judges the connection.
  public var judges: ResponseParts { [] }

  /// Judges the certificates.
  public func validate(_ response: ProbeResponse) -> Validation {
    let earlier = findings(in: response.redirectSessions)
    guard let rejection = (earlier + findings(in: response.tls?.chain ?? [])).first else { return .accepted }
    return .rejected(rejection.reason, expected: rejection.expected, found: rejection.found)
  }

  /// Judges the certificates that were received before the probe failed.
  public func findings(in failure: ProbeFailure) -> [Validation.Rejection] {
    guard let partial = failure.partial else { return [] }
    let chain = partial.tls?.chain ?? []
    return findings(in: partial.redirectSessions) + (chain.isEmpty ? [] : findings(in: chain))
  }

  /// The findings about the servers that sent redirects, each with its URL.
  private func findings(in sessions: [RedirectSession]) -> [Validation.Rejection] {
    sessions.flatMap { session in
      findings(in: session.tls.chain, isLast: false).map {
        Validation.Rejection(
          $0.reason, expected: $0.expected,
          found: "\($0.found), at \(Excerpt(session.url.string, limit: 200))")
      }
    }
  }

  private func findings(in chain: [CertificateFacts], isLast: Bool = true) -> [Validation.Rejection] {
    let ownTests = isLast ? ownTests : ownTests.filter { !$0.isAboutNames }
    guard isLast || margin != nil || !ownTests.isEmpty else { return [] }
    guard let own = chain.first else {
      let expected = margin?.words(for: nil) ?? ownTests.first?.expected ?? "a certificate"
      return [Validation.Rejection(.noCertificate, expected: expected, found: "none to look at")]
    }
    let expiry = margin.flatMap { margin in self.expiry(of: chain, own, margin) }
    return (expiry.map { [$0] } ?? []) + ownTests.compactMap { $0.rejection(of: own) }
  }

  private func expiry(
    of chain: [CertificateFacts], _ own: CertificateFacts, _ margin: ExpiryMargin
  ) -> Validation.Rejection? {
    guard let first = chain.min(by: { $0.notAfter < $1.notAfter }) else { return nil }
    let now = now()
    // RFC 5280 §4.1.2.5: a certificate is valid up to and including its notAfter.
    guard first.notAfter < now.addingTimeInterval(margin.seconds(for: own)) else { return nil }
    let verb = first.notAfter < now ? "expired" : "expires"
    let found = "\(Excerpt(first.subject)), which \(verb) on \(first.notAfter.inUTC)"
    return Validation.Rejection(.certificateExpiresSoon, expected: margin.words(for: own), found: found)
  }
}
