public import ProbeCore
public import ProbePipeline

/// A small network to replay: the responses of its servers, the faults of its connections, and the right
/// verdict.
public struct Fixture: Hashable, Sendable {
  /// The name, such as `coova-chilli`.
  public var name: String
  /// The vendor of the replayed product, or nil.
  public var vendor: String?
  /// The origin of the replayed data.
  public var source: FixtureSource
  /// The expected result of a check of this network, or nil if unspecified.
  public var expectation: FixtureExpectation?
  /// How each listener treats connections; an unlisted listener is open.
  public var listeners: [ReplayListener: ListenerMode]
  /// The initial state, or nil if the fixture has no states.
  public var initialState: String?
  /// The owner of the state and the limits that end a state; nil for the server's state without limits.
  public var session: SessionRules?
  /// The routes; the first one that matches a request responds to it.
  public var routes: [ReplayRoute]
  /// The TLS mode by host; ``TLSMode/valid`` for an unlisted host.
  public var tls: HostRules<TLSMode>
  /// The DNS answer by host; the name of an unlisted host resolves, and its address is unknown.
  public var dns: HostRules<DNSAnswer>
  /// The captive-portal API that the network announces, as in DHCP option 114 (RFC 8910 §2), or nil.
  public var capport: String?
  /// How pings (ICMP echo requests) are treated.
  public var pings: PingMode

  /// Creates a fixture; an omitted part has its default.
  public init(
    name: String, vendor: String? = nil,
    source: FixtureSource = FixtureSource(kind: .synthetic, reference: "made in code"),
    expectation: FixtureExpectation? = nil, listeners: [ReplayListener: ListenerMode] = [:],
    initialState: String? = nil, session: SessionRules? = nil, routes: [ReplayRoute],
    tls: HostRules<TLSMode> = [:], dns: HostRules<DNSAnswer> = [:], capport: String? = nil,
    pings: PingMode = .responded
  ) {
    self.name = name
    self.vendor = vendor
    self.source = source
    self.expectation = expectation
    self.listeners = listeners
    self.initialState = initialState
    self.session = session
    self.routes = routes
    self.tls = tls
    self.dns = dns
    self.capport = capport
    self.pings = pings
  }
}

/// The origin of the data that a fixture replays.
public struct FixtureSource: Hashable, Sendable {
  /// How close a fixture is to the real product.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Bytes that were received on a real network.
    case captured
    /// Derived from the source code or the documentation of the real product.
    case sourceDerived = "source-derived"
    /// Derived from a standard.
    case specification
    /// Made up.
    case synthetic
  }

  /// How close the fixture is to the real product.
  public var kind: Kind
  /// The source of the fixture, such as the name of a standard or of a project.
  public var reference: String
  /// The date it was taken, `YYYY-MM-DD`, or nil.
  public var date: String?

  /// Creates a source.
  public init(kind: Kind, reference: String, date: String? = nil) {
    self.kind = kind
    self.reference = reference
    self.date = date
  }
}

/// The expected result of a check of a fixture.
public struct FixtureExpectation: Hashable, Sendable {
  /// The correct verdicts; at least one.
  public var verdicts: [Verdict]
  /// The expected login URL, or nil if unspecified.
  public var loginURL: String?

  /// Creates an expectation.
  public init(_ verdicts: [Verdict], loginURL: String? = nil) {
    self.verdicts = verdicts
    self.loginURL = loginURL
  }
}

/// The kind of connections that a listener of a replay server accepts.
public enum ReplayListener: String, Hashable, Sendable, CaseIterable {
  /// Plain HTTP.
  case http
  /// HTTP inside TLS.
  case https
  /// Plain TCP without HTTP.
  case tcp
}

/// How a listener treats connections.
public enum ListenerMode: String, Hashable, Sendable, CaseIterable {
  /// Accepts them and responds to their requests.
  case open
  /// Refuses them, like a closed port.
  case refused
  /// Does not react at all, like a firewall that drops packets.
  case blackhole
  /// Accepts them and resets them at once.
  case rst
  /// Accepts them, reads all input, and never sends anything.
  case hold
}

/// How a replayed network treats pings.
public enum PingMode: String, Hashable, Sendable, CaseIterable {
  /// Every address responds.
  case responded = "answered"
  /// No address responds.
  case ignored
}

/// The result of a DNS lookup.
public enum DNSAnswer: Hashable, Sendable {
  /// An address.
  case address(IPAddress)
  /// The name does not exist (RFC 1035 §4.1.1, RCODE 3).
  case nxdomain
  /// The server could not answer (RCODE 2).
  case servfail
  /// No response arrives.
  case timeout
}

/// The owner of a fixture's state, and the limits that end a state.
public struct SessionRules: Hashable, Sendable {
  /// The owner of a state.
  public enum Owner: Hashable, Sendable {
    /// The server: one state for all clients.
    case server
    /// Each client address.
    case address
    /// Each value of the cookie with this name; the server sets it if a client has none (RFC 6265).
    case cookie(String)
  }

  /// The owner of each state.
  public var owner: Owner
  /// The limits that end a state, by the name of the state.
  public var limits: [String: StateLimit]

  /// Creates rules.
  public init(by owner: Owner = .server, limits: [String: StateLimit] = [:]) {
    self.owner = owner
    self.limits = limits
  }
}

/// A limit that ends a state: a time, a number of bytes, or whichever is reached first.
public struct StateLimit: Hashable, Sendable {
  /// The time since the state was entered, or nil for no limit.
  public var after: Duration?
  /// The bytes of requests and responses since the state was entered, or nil for no limit.
  public var bytes: Int?
  /// The state that follows.
  public var next: String

  /// Creates a limit.
  public init(after: Duration? = nil, bytes: Int? = nil, goto next: String) {
    self.after = after
    self.bytes = bytes
    self.next = next
  }
}

/// Values by host name, in which `*` matches any part of a name.
///
/// A name without `*` takes precedence over every pattern, and a pattern with more literal bytes over one
/// with fewer.
public struct HostRules<Value: Hashable & Sendable>: Hashable, Sendable {
  /// One name or pattern with its value.
  public struct Rule: Hashable, Sendable {
    /// The host name, in any case.
    public var host: Glob
    /// The value for this host.
    public var value: Value
  }

  /// The rules in order of precedence.
  public let rules: [Rule]

  /// Creates rules from patterns and their values.
  public init(_ pairs: [(host: String, value: Value)]) {
    let rules = pairs.map { Rule(host: Glob($0.host, isCaseSensitive: false), value: $0.value) }
    // Patterns with equally many literal bytes keep the order in which they were written.
    let patterns = rules.filter(\.host.hasWildcard).enumerated()
      .sorted { ($1.element.host.literalCount, $0.offset) < ($0.element.host.literalCount, $1.offset) }
    self.rules = rules.filter { !$0.host.hasWildcard } + patterns.map(\.element)
  }

  /// The value for a host, or nil if no rule matches.
  public subscript(host: String) -> Value? {
    rules.first { $0.host.matches(host) }?.value
  }
}

extension HostRules: ExpressibleByDictionaryLiteral {
  /// Creates rules from a dictionary literal, in its order.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init(elements.map { (host: $0.0, value: $0.1) })
  }
}
