package import FoundationEssentials
package import EngineProfiles
package import PortalAnalysis
package import ProbeCore
package import ProbePipeline

/// The observations of a network and its portal at one time.
package struct PortalFacts: Sendable {
  /// The start time of the survey.
  package var time: Date
  /// The run of ProbeKit's own profile, which gives the verdict and the login URL.
  package var probeKitRun: RunResult
  /// The runs of the other engines.
  package var engines: [EngineRun] = []
  /// The responses to unencrypted probes that are not from the probed server, with their bodies; one for each URL.
  package var intercepted: [InterceptedProbe] = []
  /// The known announcements of a captive-portal API.
  package var announcements: [Announcement] = []
  /// The captive-portal API, or nil if none is known.
  package var api: APIExchange?
  /// The login page, or nil if there is no login URL.
  package var login: FetchedPage?
  /// The host names, and whether requests for them pass.
  package var names: [NameAccess] = []
  /// Name lookups of probed hosts; empty in a replay.
  package var lookups: [NameLookup] = []
  /// Attempts to bypass the portal; empty unless the user specified a server for them.
  package var bypassAttempts: [BypassAttempt] = []
  /// The settings of this machine that hide a portal.
  package var machine = MachineFacts()
  /// The URLs of systems without a profile whose true response arrived, although the network has a portal.
  package var passingEndpoints: [KnownEndpoint] = []
  /// The runs of ProbeKit's own profile over one address family each; empty in a replay.
  package var families: [FamilyRun] = []
  /// What else the network does to traffic; empty in a replay.
  package var conditions: [Evidence] = []

  /// Creates facts with a verdict only.
  package init(time: Date, probeKitRun: RunResult) {
    self.time = time
    self.probeKitRun = probeKitRun
  }
}

/// The run of an engine's profile.
package struct EngineRun: Sendable {
  package var profile: EngineProfile
  /// The result of its network check.
  package var result: RunResult
  /// The response to the URL that the engine opens, without following redirects; nil if it opens none, or one whose
  /// response is already known.
  package var opened: FetchedPage?
}

/// A run of ProbeKit's own profile over IPv4 or IPv6 alone.
package struct FamilyRun: Sendable {
  package var family: IPFamily
  package var result: RunResult

  /// Whether this machine could not send anything over the family, or no probed host has an address of it.
  package var isFamilyUnavailable: Bool {
    result.sets.flatMap(\.probes).allSatisfy { probe in
      probe.outcome != .accepted && probe.outcome != .intercepted
        && (probe.failed(with: .lookup) || probe.reason == .connectUnreachable
          || probe.failed(with: .thisMachine))
    }
  }
}

/// An unencrypted probe to which the network responded instead of the server.
package struct InterceptedProbe: Sendable {
  /// The URL as written in its profile.
  package var url: String
  package var response: ProbeResponse
  package var analysis: ResponseAnalysis
}

/// Requests to a captive-portal API.
package struct APIExchange: Sendable {
  package var url: ProbeURL
  /// The response, or the reason why there is none.
  package var response: Result<ProbeResponse, ProbeFailure>
  /// A later response; nil unless the first one states a remaining time or volume.
  package var later: ProbeResponse?
  /// The time from before the first request until the later response.
  package var interval = Duration.zero
}

/// The request for a page, as a browser makes it, without cookies: the login page, or one that an engine opens.
package struct FetchedPage: Sendable {
  /// The requested URL.
  package var url: ProbeURL
  /// The page, or the reason why there is none.
  package var response: Result<ProbeResponse, ProbeFailure>
  /// The analysis of the page; nil if there is none.
  package var analysis: ResponseAnalysis?
  /// What the page requests besides pages that it opens, with the addresses of the hosts; known of the login page only.
  package var requests: [PageRequest] = []
  /// Whether ``requests`` are those of a live network; in a replay, most of their names have no address.
  package var isLiveNetwork = false
}

/// A request that a page makes without the user's action: for a file, for a frame, or by a script.
package struct PageRequest: Hashable, Sendable {
  /// Why the page makes it.
  package enum Purpose: String, Hashable, Sendable {
    /// A script, a style sheet, an image or another file.
    case file
    /// A page in a frame.
    case frame
    /// A script of the page makes it.
    case script
    /// A script of the page opens a socket; the URL has http or https instead of ws or wss.
    case socket
  }

  package var url: ProbeURL
  package var purpose: Purpose
  /// The addresses of its host; empty if they are not known.
  package var addresses: [IPAddress] = []

  /// Creates a request to a host whose addresses are not known, unless the URL has one.
  package init(_ url: ProbeURL, _ purpose: Purpose) {
    self.url = url
    self.purpose = purpose
    addresses = [url.address].compactMap(\.self)
  }
}

/// Whether requests for a name pass.
package struct NameAccess: Hashable, Sendable {
  /// The result of a request.
  package enum Access: String, Hashable, Sendable {
    /// The server itself responds.
    case passes
    /// The network intercepts the request.
    case intercepted
    /// Nothing responds.
    case blocked
    /// It was not tried, or the result is inconclusive.
    case unknown
  }

  /// The host name.
  package var name: String
  /// The result of a request over HTTP.
  package var http = Access.unknown
  /// The result of a request over HTTPS.
  package var https = Access.unknown
  /// The result of a DNS query.
  package var dns = Access.unknown
}

/// The lookup of a host name that engines probe.
package struct NameLookup: Hashable, Sendable {
  package var name: String
  package var addresses: [IPAddress]
  /// The shortest time to live of the records.
  package var timeToLive: Duration
}

/// An attempt to reach the user's own server before the login.
///
/// Options, checks and reports call one that passes a leak: `--probe-leaks`, `garden.leaks`.
package struct BypassAttempt: Hashable, Sendable {
  /// The URL, which names the protocol and the port.
  package var url: String
  /// Whether the server responded; nil if this machine could not try, or if the network accepts connections to
  /// addresses that no host has.
  package var hasPassed: Bool?
}
