public import FoundationEssentials
public import EngineProfiles
public import PortalAnalysis
public import ProbeCore
public import ProbePipeline

/// The observations of a network and its portal at one time.
public struct PortalFacts: Sendable {
  /// The start time of the survey.
  public var time: Date
  /// The run of ProbeKit's own profile, which gives the verdict and the login URL.
  public var own: RunResult
  /// The runs of the other engines.
  public var engines: [EngineRun] = []
  /// The responses to unencrypted probes that are not from the probed server, with their bodies; one for each URL.
  public var intercepted: [InterceptedProbe] = []
  /// The known announcements of a captive-portal API.
  public var announcements: [Announcement] = []
  /// The captive-portal API, or nil if none is known.
  public var api: APIExchange?
  /// The login page, or nil if there is no login URL.
  public var login: LoginPage?
  /// The host names, and whether requests for them pass.
  public var names: [NamePassage] = []
  /// Name lookups of probed hosts; empty in a replay.
  public var lookups: [NameLookup] = []
  /// Attempts to bypass the portal; empty unless the user specified a server for them.
  public var leaks: [LeakProbe] = []
  /// The settings of this machine that hide a portal.
  public var machine = MachineFacts()
  /// The URLs of systems without a profile whose true response arrived, although the network has a portal.
  public var passingEndpoints: [KnownEndpoint] = []
  /// The runs of ProbeKit's own profile over one address family each; empty in a replay.
  public var families: [FamilyRun] = []
  /// What else the network does to traffic; empty in a replay.
  public var conditions: [Evidence] = []

  /// Creates facts with a verdict only.
  public init(time: Date, own: RunResult) {
    self.time = time
    self.own = own
  }
}

/// The run of an engine's profile.
public struct EngineRun: Sendable {
  /// The profile.
  public var profile: EngineProfile
  /// The result of its network check.
  public var result: RunResult
  /// The response to the URL that the engine opens, without following redirects; nil if it opens none, or one whose
  /// response is already known.
  public var opened: LoginPage?

  /// Creates a run.
  public init(_ profile: EngineProfile, _ result: RunResult) {
    self.profile = profile
    self.result = result
  }
}

/// A run of ProbeKit's own profile over IPv4 or IPv6 alone.
public struct FamilyRun: Sendable {
  /// The family.
  public var family: IPFamily
  /// The result.
  public var result: RunResult

  /// Creates a run.
  public init(_ family: IPFamily, _ result: RunResult) {
    self.family = family
    self.result = result
  }

  /// Whether this machine could not send anything over the family, or no probed host has an address of it.
  public var isAbsent: Bool {
    result.sets.flatMap(\.probes).allSatisfy { probe in
      probe.outcome != .accepted && probe.outcome != .intercepted
        && (probe.failed(with: .lookup) || probe.reason == .connectUnreachable
          || probe.failed(with: .thisMachine))
    }
  }
}

/// An unencrypted probe to which the network responded instead of the server.
public struct InterceptedProbe: Sendable {
  /// The URL as written in its profile.
  public var url: String
  /// The response.
  public var response: ProbeResponse
  /// The analysis of the response.
  public var analysis: ResponseAnalysis

  /// Creates a probe.
  public init(url: String, response: ProbeResponse, analysis: ResponseAnalysis) {
    self.url = url
    self.response = response
    self.analysis = analysis
  }
}

/// Requests to a captive-portal API.
public struct APIExchange: Sendable {
  /// The URL.
  public var url: ProbeURL
  /// The response, or the reason why there is none.
  public var response: Result<ProbeResponse, ProbeFailure>
  /// A later response; nil unless the first one states a remaining time or volume.
  public var later: ProbeResponse?
  /// The time between the two responses.
  public var interval = Duration.zero

  /// Creates an exchange.
  public init(_ url: ProbeURL, _ response: Result<ProbeResponse, ProbeFailure>) {
    self.url = url
    self.response = response
  }
}

/// The request for the login URL, as a browser makes it, without cookies.
public struct LoginPage: Sendable {
  /// The login URL.
  public var url: ProbeURL
  /// The page, or the reason why there is none.
  public var response: Result<ProbeResponse, ProbeFailure>
  /// The analysis of the page; nil if there is none.
  public var analysis: ResponseAnalysis?
  /// What the page requests besides pages that it opens, with the addresses of the hosts.
  public var requests: [PageRequest] = []
  /// Whether the addresses of the hosts in ``requests`` were looked up; in a replay, most names have none.
  public var looksUpHosts = false

  /// Creates a page.
  public init(
    _ url: ProbeURL, _ response: Result<ProbeResponse, ProbeFailure>, _ analysis: ResponseAnalysis? = nil
  ) {
    self.url = url
    self.response = response
    self.analysis = analysis
  }
}

/// A request that a page makes without the user's action: for a file, for a frame, or by a script.
public struct PageRequest: Hashable, Sendable {
  /// Why the page makes it.
  public enum Purpose: String, Hashable, Sendable {
    /// A script, a style sheet, an image or another file.
    case file
    /// A page in a frame.
    case frame
    /// A script of the page makes it.
    case script
    /// A script of the page opens a socket; the URL has http or https instead of ws or wss.
    case socket
  }

  /// The URL.
  public var url: ProbeURL
  /// The purpose.
  public var purpose: Purpose
  /// The addresses of its host; empty if they are not known.
  public var addresses: [IPAddress] = []

  /// Creates a request to a host whose addresses are not known, unless the URL has one.
  public init(_ url: ProbeURL, _ purpose: Purpose) {
    self.url = url
    self.purpose = purpose
    addresses = [url.address].compactMap(\.self)
  }
}

/// Whether requests for a name pass.
public struct NamePassage: Hashable, Sendable {
  /// The result of a request.
  public enum Passage: String, Hashable, Sendable {
    /// The server itself responds.
    case passes
    /// The network responds instead of the server.
    case intercepted
    /// Nothing responds.
    case blocked
    /// It was not tried, or the result is inconclusive.
    case unknown
  }

  /// The host name.
  public var name: String
  /// Over HTTP.
  public var http = Passage.unknown
  /// Over HTTPS.
  public var https = Passage.unknown
  /// By DNS.
  public var dns = Passage.unknown

  /// Creates a name without known results.
  public init(_ name: String) {
    self.name = name
  }
}

/// The lookup of a host name that engines probe.
public struct NameLookup: Hashable, Sendable {
  /// The name.
  public var name: String
  /// The addresses.
  public var addresses: [IPAddress]
  /// The shortest time to live of the records.
  public var timeToLive: Duration

  /// Creates a lookup.
  public init(_ name: String, _ addresses: [IPAddress], timeToLive: Duration) {
    self.name = name
    self.addresses = addresses
    self.timeToLive = timeToLive
  }
}

/// An attempt to reach the tester's own server before the login.
public struct LeakProbe: Hashable, Sendable {
  /// The URL, which names the protocol and the port.
  public var url: String
  /// Whether the server responded; nil if this machine could not try, or if the network accepts connections to
  /// addresses that no host has.
  public var passes: Bool?

  /// Creates an attempt.
  public init(url: String, passes: Bool?) {
    self.url = url
    self.passes = passes
  }
}
