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
