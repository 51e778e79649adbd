import PortalAnalysis
import ProbeBase
import ProbeCore

/// The redactors of a run, each created once, because creating one is more work than using it.
///
/// A server may know what another server received, so every response is searched for the secrets of all
/// probes. If there are too many secrets to keep in memory, a response is searched only for those of its own
/// probe.
package final class Redactors: Sendable {
  /// The maximum number of redactors to keep; a run with more secrets recreates the others.
  private static let capacity = 64
  /// The maximum total size in bytes of the secrets that are searched for in every response.
  private static let maximumTotalSecretBytes = 64 * 1024

  /// The secrets of all probes, or nil if there are too many.
  private let shared: [Secret]?
  private let made = Guarded<[[Secret]: Redactor]>([:])

  package init(_ probes: [PlannedProbe]) {
    var all: Set<Secret> = []
    var bytes = 0
    for probe in probes where bytes <= Self.maximumTotalSecretBytes {
      for secret in (try? probe.request.get())?.secrets ?? []
      where !secret.withText(ReferenceSyntax.mayReferToStep) && all.insert(secret).inserted {
        bytes += secret.withText(\.utf8.count)
      }
    }
    shared = bytes <= Self.maximumTotalSecretBytes ? Array(all) : nil
  }

  /// A redactor for the secrets of all probes, or nil if there are none or too many.
  var ofAll: Redactor? { shared.flatMap(redactor) }

  /// A redactor for the response to a request; nil if there are no secrets.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - others: Secrets that only became known during the run.
  /// - Returns: The redactor.
  func redactor(for request: ProbeRequest, and others: [Secret] = []) -> Redactor? {
    let secrets = shared ?? request.secrets
    guard !others.isEmpty else { return redactor(of: secrets) }
    // They belong to this response alone.
    let redactor = Redactor(secrets + others)
    return redactor.isEmpty ? nil : redactor
  }

  /// Whether redacting a response takes so long that it must run on another thread.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - response: The response, or nil for none.
  ///   - others: Secrets that only became known during the run.
  /// - Returns: Whether it takes long.
  func takeLong(for request: ProbeRequest, _ response: ProbeResponse?, and others: [Secret] = []) -> Bool {
    let secrets = shared ?? request.secrets
    guard others.isEmpty else { return request.takesLongToRedact(response, by: secrets + others) }
    guard !secrets.isEmpty else { return false }
    let isMade = made.withLock { $0[secrets] != nil }
    return request.takesLongToRedact(response, by: isMade ? [] : secrets)
  }

  private func redactor(of secrets: [Secret]) -> Redactor? {
    guard !secrets.isEmpty else { return nil }
    if let known = made.withLock({ $0[secrets] }) { return known.isEmpty ? nil : known }
    let redactor = Redactor(secrets)
    made.withLock { if $0.count < Self.capacity { $0[secrets] = redactor } }
    return redactor.isEmpty ? nil : redactor
  }
}

extension ProbeResult {
  /// The result without the secrets of the run, in any spelling, so that it can be shown.
  ///
  /// The outcome stays, because the original response was judged. The requested URL stays too, because its
  /// author wrote it. The detail is that of the redacted response if that differs, because an excerpt of the
  /// original may contain a part of a secret. Texts extracted from the response are redacted separately,
  /// because a secret that a page assembles from parts is complete only there.
  ///
  /// - Parameters:
  ///   - redactor: The redactor for the secrets.
  ///   - url: The requested URL, or nil if it contains a secret.
  ///   - isPart: Whether the analysed response had more of its body than the result.
  ///   - judgedAgain: Returns the result for the redacted response.
  /// - Returns: The redacted result.
  func redacted(
    by redactor: Redactor, requested url: ProbeURL?, isPart: Bool = false, _ judgedAgain: () -> ProbeResult
  ) -> ProbeResult {
    var result = self
    let shown = response.map(redactor.redacted)
    if isPart || shown != response || detail.map(redactor.redacted) != detail {
      let again = judgedAgain()
      result.response = shown
      if let url, response?.url == url { result.response?.url = url }
      result.captures =
        again.outcome == .accepted ? again.captures : captures.mapValues { _ in Secret.placeholder }
      if outcome != .accepted {
        result.detail =
          again.outcome == outcome
          ? again.detail
          : "the answer was rejected, and cannot be quoted because it holds a secret of the request"
      }
      if let analysis, again.analysis?.kind == analysis.kind {
        result.analysis?.signs = again.analysis?.signs ?? []
      }
    }
    result.captures = result.captures.mapValues(redactor.redacted)
    result.detail = result.detail.map(redactor.redacted)
    if let analysis = result.analysis { result.analysis = redactor.redacted(analysis) }
    return result
  }
}

extension CapportResult {
  /// The response of the API without secrets, so that it can be shown.
  func redacted(by redactor: Redactor) -> CapportResult {
    var result = self
    result.document?.userPortalURL = document?.userPortalURL.map(redactor.redacted)
    result.document?.venueInfoURL = document?.venueInfoURL.map(redactor.redacted)
    result.detail = detail.map(redactor.redacted)
    return result
  }
}

extension Redactor {
  /// The analysis of a response without secrets; its kind stays.
  func redacted(_ analysis: ResponseAnalysis) -> ResponseAnalysis {
    var shown = analysis
    shown.signs = analysis.signs.map { ResponseSign($0.role, $0.weight, redacted($0.words), isFor: $0.isFor) }
    shown.portal = analysis.portal.map(redacted)
    shown.refusedPortal = analysis.refusedPortal.map(redacted)
    return shown
  }

  private func redacted(_ portal: Portal) -> Portal {
    var shown = portal
    shown.loginURL = redacted(portal.loginURL)
    for index in portal.candidates.indices {
      shown.candidates[index].url = redacted(portal.candidates[index].url)
    }
    for text in WISPrMessage.texts {
      shown.wispr?[keyPath: text] = portal.wispr?[keyPath: text].map { redacted($0) }
    }
    return shown
  }
}

extension WISPrMessage {
  /// The texts that a gateway chooses.
  fileprivate static var texts: [WritableKeyPath<WISPrMessage, String?>] {
    [
      \.loginURL, \.abortLoginURL, \.logoffURL, \.loginResultsURL, \.nextURL, \.redirectionURL,
      \.accessProcedure,
      \.accessLocation, \.locationName, \.replyMessage,
    ]
  }
}
