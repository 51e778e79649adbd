public import PortalAnalysis
public import ProbeCore

/// What the API of a captive portal (RFC 8908) said.
public struct CapportResult: Hashable, Sendable {
  /// The API that was asked.
  public var url: ProbeURL
  /// What it said.
  public var state: CapportState
  /// Its answer, or nil when it gave none that can be used.
  public var document: CapportDocument?
  /// Why it is unavailable, or nil when it is not.
  public var reason: ReasonCode?
  /// Why it is unavailable, in words: one line, safe to print; nil when it is not.
  public var detail: String?

  /// What the API said.
  public init(of url: ProbeURL, _ document: CapportDocument) {
    self.url = url
    state = document.captive ? .captive : .open
    self.document = document
  }

  /// That the API said nothing that can be used.
  public init(of url: ProbeURL, unavailable reason: ReasonCode?, _ detail: String) {
    self.url = url
    state = .unavailable
    self.reason = reason
    self.detail = detail
  }
}

extension CapportResult {
  /// The page to log in at that it names; nil also where that is one nobody is sent to.
  var loginURL: ProbeURL? {
    document?.userPortalURL.flatMap { url.mayLead(to: $0) ? $0 : nil }
  }
}

/// What rules ask of what an API said.
struct CapportAnswer: Hashable {
  /// What it said.
  let state: CapportState
  /// Whether it named a page to log in at.
  let hasUserPortalURL: Bool

  /// What was said, or that nothing was when no API was asked.
  init(_ result: CapportResult?) {
    state = result?.state ?? .unavailable
    hasUserPortalURL = result?.loginURL != nil
  }
}
