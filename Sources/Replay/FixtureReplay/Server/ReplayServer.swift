internal import ProbeBase
package import ProbeTLS
public import ProbeCore
internal import ProbeSystem

/// Replays fixtures on this machine: a server that acts as every host of a network, as the fixtures
/// declare.
///
/// ```swift
/// let replay = try ReplayServer([fixture])
/// defer { replay.stop() }
/// let result = await PipelineRunner(plugins.transports.routed(to: replay)).run(plan)
/// try replay.journal.expect(.atLeast(1), route: "probe")
/// ```
/// Several fixtures are one network: their routes are tried in the order given, and each fixture has its own
/// state. A server has one thread, which ends on ``stop()`` or when the server is deinitialized.
///
/// Calls that change a running server, such as ``setMode(_:of:)``, take effect before they return: a request
/// that a client sends afterwards receives a response accordingly.
public final class ReplayServer: Sendable {
  struct State: Sendable {
    var fixtures: [Fixture]
    /// The modes that replace those of the fixtures.
    var givenModes: [ReplayListener: ListenerMode] = [:]
    /// The ports that are assigned to one endpoint each.
    var ports: [Endpoint: UInt16] = [:]
    var isStopped = false

    func mode(of listener: ReplayListener) -> ListenerMode {
      givenModes[listener] ?? fixtures.mode(of: listener)
    }
  }

  struct Endpoint: Hashable, Sendable {
    var listener: ReplayListener
    var destination: ReplayDestination
    var startsTLS: Bool
  }

  /// The received requests and their outcomes.
  public let journal: ReplayJournal
  /// The authority that signs the server's certificates; a client must trust it.
  package let authority: CertificateAuthority
  private let certificates: ReplayCertificates
  private let options: ReplayOptions
  /// The addresses of the listeners; only the loop has their sockets, so that they are closed when it ends.
  private let addresses: [ReplayListener: SocketAddress]
  /// The names of a transparent server, and its ports for DNS and for connections to all other ports.
  private let transparent: (names: ReplayedNames, dns: UInt16, other: UInt16)?
  private let thread = EventLoop(named: "probekit-replay")
  private let loop: ReplayLoop
  private let mailbox = Guarded<[ReplayLoop.Message]>([])
  private let state: Guarded<State>

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - fixtures: The fixtures to replay.
  ///   - options: The server's settings.
  /// - Throws: ``ReplayError`` if it cannot run, or two fixtures have conflicting modes for a listener.
  public init(_ fixtures: [Fixture], options: ReplayOptions = ReplayOptions()) throws(ReplayError) {
    if let conflict = fixtures.conflict { throw conflict }
    guard thread.start() else {
      throw ReplayError(.noResources, "cannot start: too many open files, or no memory or thread left")
    }
    self.options = options
    if let shared = options.certificates {
      certificates = shared
    } else {
      certificates = try ReplayCertificates(signedBy: options.authority)
    }
    authority = certificates.authority
    var ports: [ReplayPort] = []
    var addresses: [ReplayListener: SocketAddress] = [:]
    for listener in ReplayListener.allCases {
      let wanted = SocketAddress(options.address, port: options.ports[listener] ?? 0)
      let socket = try ListeningSocket(wanted, mode: fixtures.mode(of: listener))
      ports.append(ReplayPort(listener: listener, destination: nil, socket: socket))
      addresses[listener] = socket.address
    }
    self.addresses = addresses
    var dnsSockets: DNSSockets?
    if options.isTransparent {
      let socket = try ListeningSocket(
        SocketAddress(options.address, port: 0), mode: fixtures.modes.ofOthers)
      ports.append(ReplayPort(listener: nil, destination: nil, socket: socket))
      let sockets = try DNSSockets(at: options.address)
      dnsSockets = sockets
      transparent = (
        ReplayedNames(fixtures), dns: sockets.listener.address.port, other: socket.address.port
      )
    } else {
      transparent = nil
    }
    journal = ReplayJournal(capacity: options.journalCapacity, bytes: options.journalBytes)
    loop = ReplayLoop(
      fixtures, options: options, certificates: certificates, journal: journal,
      names: transparent?.names, mailbox: mailbox)
    state = Guarded(State(fixtures: fixtures))
    for port in ports { send(.listen(port)) }
    if let dnsSockets { send(.serveNames(dnsSockets)) }
  }

  deinit {
    stop()
  }

  /// Closes all connections and ports, and waits for the server's thread to end.
  public func stop() {
    let wasStopped = state.withLock { state in
      defer { state.isStopped = true }
      state.ports = [:]
      return state.isStopped
    }
    if wasStopped { return }
    send(.stop)
    thread.end()
  }
}

extension ReplayServer {
  /// The address of a listener; after ``stop()`` nothing listens there.
  public func address(of listener: ReplayListener) -> SocketAddress {
    addresses[listener] ?? SocketAddress(options.address, port: 0)
  }

  /// The ports that ``RedirectRules`` redirect traffic to, or nil unless the server is transparent.
  package var redirectTargets: RedirectTargets? {
    guard let transparent else { return nil }
    let fixtures = state.withLock { $0.fixtures }
    return RedirectTargets(
      dns: transparent.dns, http: port(of: .http), https: port(of: .https), tcp: port(of: .tcp),
      other: transparent.other, plainPorts: mode(of: .tcp).accepts ? [] : fixtures.plainPorts,
      repliesToPings: fixtures.allSatisfy { $0.pings == .responded })
  }

  /// The port of a listener.
  public func port(of listener: ReplayListener) -> UInt16 { address(of: listener).port }

  /// Assigns a port to exactly one destination, so that the server knows the destination of each connection
  /// to it.
  ///
  /// A client does not send its destination over plain TCP, nor in TLS to an IP address.
  ///
  /// - Returns: The port, always the same one for the same destination.
  /// - Throws: ``ReplayError`` when there is no port or descriptor left, or the server was stopped.
  public func assignPort(
    for listener: ReplayListener, host: String, port: UInt16
  ) throws(ReplayError) -> UInt16 {
    try assignPort(for: listener, host: host, port: port, startsTLS: false)
  }

  /// Assigns a port to one destination.
  ///
  /// - Parameters:
  ///   - listener: The listener.
  ///   - host: The host name or address.
  ///   - port: The port.
  ///   - startsTLS: Whether connections to a TCP listener start with a TLS handshake.
  /// - Returns: The port of the server.
  /// - Throws: ``ReplayError``, as ``assignPort(for:host:port:)``.
  package func assignPort(
    for listener: ReplayListener, host: String, port: UInt16, startsTLS: Bool
  ) throws(ReplayError) -> UInt16 {
    let shared = address(of: listener).port
    let endpoint = Endpoint(
      listener: listener, destination: ReplayDestination(host: host, port: port), startsTLS: startsTLS)
    return try state.withLock { (state: inout State) throws(ReplayError) -> UInt16 in
      guard !state.isStopped else { throw ReplayError(.stopped, "the replay server was stopped") }
      if let known = state.ports[endpoint] { return known }
      guard state.mode(of: listener).accepts else { return shared }
      let socket = try ListeningSocket(SocketAddress(options.address, port: 0), mode: .open)
      let port = ReplayPort(
        listener: listener, destination: endpoint.destination, startsTLS: startsTLS, socket: socket)
      state.ports[endpoint] = socket.address.port
      send(.listen(port))
      return socket.address.port
    }
  }

  /// The fixtures' answer to a DNS lookup, or nil if the name resolves and its address is unknown.
  package func dnsAnswer(for host: String) -> DNSAnswer? {
    let fixtures = state.withLock { $0.fixtures }
    return fixtures.lazy.compactMap { $0.dns[host] }.first
  }

  /// The authority's certificate in PEM form; a client must trust it.
  public var authorityPEM: String { authority.pem }

  /// A client certificate and its key for the TLS mode `client-cert`, in PEM form, certificates first.
  ///
  /// - Throws: ``ReplayError`` if it cannot be created.
  public func clientIdentityPEM() throws(ReplayError) -> String {
    do throws(TLSError) {
      let identity = try certificates.clientIdentity()
      return try identity.chainPEM() + identity.privateKeyPEM()
    } catch {
      throw ReplayError(.noCertificates, "cannot create a certificate: \(error.message)")
    }
  }

  /// Advances the time in the network, so that a test does not wait for the end of a session.
  ///
  /// It applies to the limits of states and to the time in templates, not to faults and connections. A
  /// request that a client sends after this call sees the new time.
  ///
  /// - Parameter duration: The time to advance by.
  public func advanceTime(by duration: Duration) {
    send(.perform { $0.world.clock.skip(duration) })
  }

  private func send(_ message: ReplayLoop.Message) {
    mailbox.withLock { $0.append(message) }
    thread.start(loop)
  }

  /// Changes the server on the loop's thread, and waits until that is done.
  ///
  /// - Parameter change: Changes the state that callers read, and returns the operation for the loop.
  /// - Returns: The result of the operation.
  /// - Throws: What `change` throws, an error of the loop, or ``ReplayError`` if the server was stopped; then
  ///   nothing has changed.
  func perform<Value: Sendable>(
    _ change: (inout State) throws(ReplayError) -> @Sendable (ReplayLoop) -> Result<Value, ReplayError>
  ) throws(ReplayError) -> Value {
    try state.withLock { (state: inout State) throws(ReplayError) -> Value in
      guard !state.isStopped else { throw ReplayError(.stopped, "the replay server was stopped") }
      let former = state
      let action = try change(&state)
      let promise = BlockingPromise<Result<Value, ReplayError>>()
      // Under the lock, so that all callers see the changes in the same order.
      send(.perform { promise.fulfill(action($0)) })
      let result = promise.wait()
      if case .failure = result { state = former }
      return try result.get()
    }
  }

  func read<Value>(_ body: (State) -> Value) -> Value {
    state.withLock { body($0) }
  }
}

/// A port of a replay server: a listener's own, or one assigned to a single destination.
struct ReplayPort: Sendable {
  /// The listener that determines the protocol, or nil if ``ProtocolChoice`` does.
  let listener: ReplayListener?
  /// The only destination that is reached by it, or nil for any.
  let destination: ReplayDestination?
  /// Whether connections to a TCP listener start with a TLS handshake.
  var startsTLS = false
  let socket: ListeningSocket
}

extension ListeningSocket {
  /// A socket that treats connections according to a mode.
  convenience init(_ wanted: SocketAddress, mode: ListenerMode) throws(ReplayError) {
    do throws(Failure) {
      try self.init(wanted)
      try start(mode.queue)
    } catch {
      throw ReplayError(error)
    }
  }
}

extension ReplayError {
  init(_ failure: ListeningSocket.Failure) {
    self.init(failure.isShortage ? .noResources : .cannotBind, failure.message)
  }
}

extension [Fixture] {
  /// The mode of a listener: that of the first fixture that has one.
  func mode(of listener: ReplayListener) -> ListenerMode {
    lazy.compactMap { $0.listeners[listener] }.first ?? .open
  }

  /// The error if two fixtures are in conflict.
  var conflict: ReplayError? {
    for listener in ReplayListener.allCases {
      let wanted = compactMap { fixture in fixture.listeners[listener].map { (fixture.name, $0) } }
      if let first = wanted.first, let other = wanted.first(where: { $0.1 != first.1 }) {
        return ReplayError(
          .conflict,
          "the listener \(listener.rawValue) is \(first.1.rawValue) in the fixture \(first.0) and "
            + "\(other.1.rawValue) in \(other.0): replay them separately")
      }
    }
    return nil
  }
}
