public import PortalAnalysis
public import ProbeCore

/// The response of a captive-portal API (RFC 8908).
public struct CapportResult: Hashable, Sendable {
  /// The URL of the API.
  public var url: ProbeURL
  /// The state that it reports.
  public var state: CapportState
  /// Its response, or nil if there was none that is usable.
  public var document: CapportDocument?
  /// The reason why it is unavailable, or nil if it is available.
  public var reason: ReasonCode?
  /// The reason why it is unavailable, for a person: one line, safe to print; nil if it is available.
  public var detail: String?

  /// Creates a result from the response of the API.
  public init(of url: ProbeURL, _ document: CapportDocument) {
    self.url = url
    state = document.captive ? .captive : .open
    self.document = document
  }

  /// Creates a result without a usable response.
  public init(of url: ProbeURL, unavailable reason: ReasonCode?, _ detail: String) {
    self.url = url
    state = .unavailable
    self.reason = reason
    self.detail = detail
  }
}

extension CapportResult {
  /// The login page that the API names; nil if there is none, or if it is not safe to open.
  var loginURL: ProbeURL? {
    document?.userPortalURL.flatMap { url.mayRedirect(to: $0) ? $0 : nil }
  }
}

/// The parts of an API's response that rules can refer to.
struct CapportResponse: Hashable {
  /// The state that the API reports.
  let state: CapportState
  /// Whether the API named a login page.
  let hasUserPortalURL: Bool

  /// Creates a response; without an API, its state is unavailable.
  init(_ result: CapportResult?) {
    state = result?.state ?? .unavailable
    hasUserPortalURL = result?.loginURL != nil
  }
}
