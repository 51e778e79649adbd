import PortalAnalysis
import ProbeCore

/// Judges whether a response is from the server itself, by comparison with known responses of the portal.
struct AccessClassifier: Sendable {
  private let likenesses: Set<UInt64>
  private let portalHosts: Set<String>
  private let portalAddresses: Set<IPAddress>

  init(_ facts: PortalFacts) {
    likenesses = Set(facts.intercepted.map(\.analysis.likeness))
    portalHosts = Set(
      facts.intercepted.flatMap { $0.response.redirects.compactMap(\.target?.host) }
        + [facts.loginURL?.host].compactMap(\.self))
    portalAddresses = Set(
      facts.intercepted.compactMap(\.response.remoteAddress?.address).filter(\.isSpecialPurpose))
  }

  /// Judges an unencrypted request.
  func http(
    _ response: Result<ProbeResponse, ProbeFailure>, encryption: (URLScheme) -> Encryption?
  ) -> NameAccess.Access {
    switch response {
    case .failure: return .blocked
    case .success(let received):
      let analysis = ResponseAnalysis(of: received, asked: received.url, encryption: encryption)
      let isPortal =
        likenesses.contains(analysis.likeness) || analysis.isStated
        || received.redirects.contains { $0.target.map { portalHosts.contains($0.host) } ?? false }
      return isPortal ? .intercepted : .passes
    }
  }

  /// Judges an encrypted request: a verified certificate is the server's.
  func https(_ response: Result<ProbeResponse, ProbeFailure>) -> NameAccess.Access {
    switch response {
    case .success: .passes
    case .failure(let failure): failure.reason.isForeignTLS ? .intercepted : .blocked
    }
  }

  /// Judges a lookup.
  func dns(_ response: Result<ProbeResponse, ProbeFailure>) -> NameAccess.Access {
    guard case .success(let received) = response, let records = received.dns?.answer else {
      if case .failure(let failure) = response, failure.reason == .invalidRequest { return .unknown }
      return .blocked
    }
    let addresses = records.filter { $0.type == "A" }.compactMap { IPAddress($0.data) }
    guard !addresses.isEmpty else { return .blocked }
    return addresses.contains(where: portalAddresses.contains) ? .intercepted : .passes
  }
}

extension ReasonCode {
  /// Whether something other than the requested server responded to a TLS handshake.
  var isForeignTLS: Bool {
    !traits.isDisjoint(with: .badCertificate) || self == .notTLS || self == .tlsInjected
  }
}
