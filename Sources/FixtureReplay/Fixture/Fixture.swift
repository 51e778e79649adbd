public import ProbeCore
public import ProbePipeline

/// A small network to be replayed: what its servers answer, how its connections fail, and what a check of it should find.
public struct Fixture: Hashable, Sendable {
  /// The name, such as `coova-chilli`.
  public var name: String
  /// Who makes what is replayed, or nil.
  public var vendor: String?
  /// Where what is replayed comes from.
  public var source: FixtureSource
  /// What a check of this network should find, or nil when that is not said.
  public var expectation: FixtureExpectation?
  /// How connections are received; a listener that is not named is open.
  public var listeners: [ReplayListener: ListenerMode]
  /// The state at the start, or nil when there are no states.
  public var initialState: String?
  /// What is answered to whom; the first that matches answers.
  public var routes: [ReplayRoute]
  /// How TLS is spoken, by host; valid where nothing is said.
  public var tls: HostRules<TLSMode>
  /// What a client is told a name resolves to, by host; where nothing is said, names resolve and their addresses mean
  /// nothing.
  public var dns: HostRules<DNSAnswer>

  /// A fixture; what is not given is at its default.
  public init(
    name: String, vendor: String? = nil,
    source: FixtureSource = FixtureSource(kind: .synthetic, reference: "made in code"),
    expectation: FixtureExpectation? = nil, listeners: [ReplayListener: ListenerMode] = [:],
    initialState: String? = nil, routes: [ReplayRoute], tls: HostRules<TLSMode> = [:],
    dns: HostRules<DNSAnswer> = [:]
  ) {
    self.name = name
    self.vendor = vendor
    self.source = source
    self.expectation = expectation
    self.listeners = listeners
    self.initialState = initialState
    self.routes = routes
    self.tls = tls
    self.dns = dns
  }
}

/// Where what a fixture replays comes from.
public struct FixtureSource: Hashable, Sendable {
  /// How near to the real thing it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Bytes that were received on a real network.
    case captured
    /// Written after the source code or the documentation of the real thing.
    case sourceDerived = "source-derived"
    /// Written after a standard.
    case specification
    /// Made up.
    case synthetic
  }

  /// How near to the real thing it is.
  public var kind: Kind
  /// What it was taken from, such as the name of a standard or of a project.
  public var reference: String
  /// The day it was taken, `YYYY-MM-DD`, or nil.
  public var date: String?

  /// A source.
  public init(kind: Kind, reference: String, date: String? = nil) {
    self.kind = kind
    self.reference = reference
    self.date = date
  }
}

/// What a check of a fixture should find.
public struct FixtureExpectation: Hashable, Sendable {
  /// The verdicts that are right; at least one.
  public var verdicts: [Verdict]
  /// Where to log in, or nil when that is not said.
  public var loginURL: String?

  /// An expectation.
  public init(_ verdicts: [Verdict], loginURL: String? = nil) {
    self.verdicts = verdicts
    self.loginURL = loginURL
  }
}

/// One of the three kinds of connections that a replay server receives.
public enum ReplayListener: String, Hashable, Sendable, CaseIterable {
  /// Plain HTTP.
  case http
  /// HTTP inside TLS.
  case https
  /// Plain TCP, on which no HTTP is spoken.
  case tcp
}

/// How connections to a listener are received.
public enum ListenerMode: String, Hashable, Sendable, CaseIterable {
  /// They are accepted, and requests on them answered.
  case open
  /// They are refused, as by a closed port.
  case refused
  /// They are not answered at all, as by a firewall that drops packets.
  case blackhole
  /// They are accepted, and reset at once.
  case rst
  /// They are accepted, what comes is read, and nothing is ever sent.
  case hold
}

/// What a client is told when it looks a name up.
public enum DNSAnswer: Hashable, Sendable {
  /// An address.
  case address(IPAddress)
  /// The name does not exist (RFC 1035 §4.1.1, RCODE 3).
  case nxdomain
  /// The server could not answer (RCODE 2).
  case servfail
  /// No answer comes.
  case timeout
}
