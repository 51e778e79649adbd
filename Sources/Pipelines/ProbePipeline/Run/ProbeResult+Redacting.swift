import PortalAnalysis
import ProbeCore

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
    by redactor: Redactor, asked url: ProbeURL?, isPart: Bool = false, _ judgedAgain: () -> ProbeResult
  ) -> ProbeResult {
    var result = self
    let shown = response.map(redactor.response)
    if isPart || shown != response || detail.map(redactor.text) != detail {
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
    result.captures = result.captures.mapValues(redactor.text)
    result.detail = result.detail.map(redactor.text)
    if let analysis = result.analysis { result.analysis = redactor.analysis(analysis) }
    return result
  }
}

extension CapportResult {
  /// The response of the API without secrets, so that it can be shown.
  func redacted(by redactor: Redactor) -> CapportResult {
    var result = self
    result.document?.userPortalURL = document?.userPortalURL.map(redactor.url)
    result.document?.venueInfoURL = document?.venueInfoURL.map(redactor.url)
    result.detail = detail.map(redactor.text)
    return result
  }
}

extension Redactor {
  /// The analysis of a response without secrets; its kind stays.
  func analysis(_ analysis: ResponseAnalysis) -> ResponseAnalysis {
    var shown = analysis
    shown.signs = analysis.signs.map { ResponseSign($0.role, $0.weight, text($0.words), isFor: $0.isFor) }
    shown.portal = analysis.portal.map(portal)
    shown.withheld = analysis.withheld.map(portal)
    return shown
  }

  private func portal(_ portal: Portal) -> Portal {
    var shown = portal
    shown.loginURL = url(portal.loginURL)
    for index in portal.candidates.indices {
      shown.candidates[index].url = url(portal.candidates[index].url)
    }
    for text in WISPrMessage.texts {
      shown.wispr?[keyPath: text] = portal.wispr?[keyPath: text].map(self.text)
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
