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

extension CapportResult {
  /// Queries the API of RFC 8908 once.
  ///
  /// Whatever the policy of the plan, the request uses only TLS (RFC 8908 §4), including redirects.
  init(
    requesting url: ProbeURL, by connection: ProbePlan.Connection, over transports: TransportRegistry,
    _ clock: any Clock<Duration>
  ) async {
    var request = ProbeRequest(url)
    request.connectTo = connection.rules
    request.resolver = connection.resolver
    request.tls.additionalAuthorities = connection.authorities
    request.redirects = 3
    if let timeout = connection.timeout { request.timeout = timeout }
    request.http.headers = ["Accept": CapportDocument.mediaType]
    do {
      let response = try await Prober(transports, policy: .httpsOnly, clock: clock).probe(request)
      self.init(of: url, try CapportDocument(response))
    } catch let failure as ProbeFailure {
      self.init(of: url, unavailable: failure.reason, failure.detail)
    } catch let mistake as InvalidInput {
      self.init(of: url, unavailable: .bodyMismatch, mistake.description)
    } catch {
      self.init(of: url, unavailable: .rejected, "\(error)".escapedForDisplay)
    }
  }
}

/// A network's announcement of its captive-portal API (RFC 8910 §2).
enum CapportAnnouncement {
  /// None, or one that this plan does not use.
  case none
  /// The network states that there is no captive portal.
  case unrestricted
  /// The URL of an API.
  case api(ProbeURL)
  /// Text that is not an https URL, as announced.
  case unusable(String)

  /// The value that states that there is no captive portal (RFC 8910 §2).
  private static let noPortal = "urn:ietf:params:capport:unrestricted"

  init(_ text: String) {
    if text == Self.noPortal {
      self = .unrestricted
    } else if let url = try? ProbeURL(text), url.scheme == .https {
      self = .api(url)
    } else {
      self = .unusable(text)
    }
  }
}

extension ProbePlan {
  /// The network's announcement, if this plan uses it.
  var announcement: CapportAnnouncement {
    guard asksAnnouncedCapport, capport == nil, let announcedCapport else { return .none }
    return CapportAnnouncement(announcedCapport)
  }

  /// The API to query, or nil for none.
  var requestedCapport: ProbeURL? {
    if let capport { return capport }
    guard case .api(let url) = announcement else { return nil }
    return url
  }
}

extension Evidence {
  /// Evidence for an announcement that does not name an API; nil for others.
  static func announcement(_ announcement: CapportAnnouncement) -> Evidence? {
    switch announcement {
    case .none, .api: nil
    case .unrestricted: Evidence(.capport, "the network announces that it has no captive portal", probes: [])
    case .unusable(let text):
      Evidence(
        .capport,
        "the network announces \(Excerpt(text)) as its captive-portal API, which is not an https URL and was not requested",
        probes: [])
    }
  }
}
