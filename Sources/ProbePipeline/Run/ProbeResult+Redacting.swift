import PortalAnalysis
import ProbeCore

extension ProbeResult {
  /// The result fit to be shown: without the secrets of the run, however an answer spells them.
  ///
  /// What was judged stays, because the true answer was; so does the URL that was asked, which is its author's own. The
  /// words are those for the redacted answer where that is another one: an excerpt of the true one may hold a part of a
  /// secret. What was read out of the answer is looked through besides: only there stands in one piece what a page puts
  /// together.
  ///
  /// - Parameters:
  ///   - redactor: What takes the secrets out.
  ///   - url: The URL that was asked.
  ///   - judgedAgain: The result for the redacted answer.
  /// - Returns: The result without them.
  func redacted(by redactor: Redactor, asked url: ProbeURL, _ judgedAgain: () -> ProbeResult) -> ProbeResult {
    var result = self
    let shown = response.map(redactor.response)
    if shown != response || detail.map(redactor.text) != detail {
      let again = judgedAgain()
      result.response = shown
      if let response, response.url == url { result.response?.url = url }
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
  /// What the API said, fit to be shown.
  func redacted(by redactor: Redactor) -> CapportResult {
    var result = self
    result.document?.userPortalURL = document?.userPortalURL.map(redactor.url)
    result.document?.venueInfoURL = document?.venueInfoURL.map(redactor.url)
    result.detail = detail.map(redactor.text)
    return result
  }
}

extension Redactor {
  /// What an answer tells, without the secrets; what it is stays.
  fileprivate func analysis(_ analysis: AnswerAnalysis) -> AnswerAnalysis {
    var shown = analysis
    shown.signs = analysis.signs.map { AnswerSign($0.kind, $0.weight, text($0.words)) }
    shown.portal = analysis.portal.map(portal)
    shown.withheld = analysis.withheld.map(portal)
    return shown
  }

  private func portal(_ portal: Portal) -> Portal {
    var shown = portal
    shown.loginURL = url(portal.loginURL)
    for text in WISPrMessage.texts {
      shown.wispr?[keyPath: text] = portal.wispr?[keyPath: text].map(self.text)
    }
    return shown
  }
}

extension WISPrMessage {
  /// What a gateway writes in its own words.
  fileprivate static var texts: [WritableKeyPath<WISPrMessage, String?>] {
    [
      \.loginURL, \.abortLoginURL, \.logoffURL, \.loginResultsURL, \.nextURL, \.redirectionURL,
      \.accessProcedure,
      \.accessLocation, \.locationName, \.replyMessage,
    ]
  }
}
