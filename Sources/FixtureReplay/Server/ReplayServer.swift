internal import ProbeLocking
package import ProbeOpenSSL
public import ProbeCore
internal import ProbeThreading

/// Replays fixtures on this machine: a network in a box, which answers for every host as the fixtures say.
///
/// ```swift
/// let replay = try ReplayServer([fixture])
/// defer { replay.stop() }
/// let result = await PipelineRunner(plugins.transports.routed(to: replay)).run(plan)
/// try replay.journal.expect(.atLeast(1), route: "probe")
/// ```
/// Several fixtures are one world: their routes are tried in the order given, and each keeps a state of its own. A
/// server has one thread. ``stop()`` ends it, and so does the end of the server's life.
public final class ReplayServer: Sendable {
  private struct State: Sendable {
    var fixtures: [Fixture]
    var places: [Place: UInt16] = [:]
    var isStopped = false
  }

  /// Where a listener is.
  ///
  /// Its socket belongs to the loop alone, so that it is closed when that has ended.
  private struct Acceptor: Sendable {
    var address: SocketAddress
    var mode: ListenerMode
  }

  private struct Place: Hashable, Sendable {
    var listener: ReplayListener
    var destination: ReplayDestination
  }

  /// What the server was asked, and what came of it.
  public let journal: ReplayJournal
  /// The authority whose certificates the server shows; a client must trust it.
  package let authority: CertificateAuthority
  private let certificates: ReplayCertificates
  private let options: ReplayOptions
  private let acceptors: [ReplayListener: Acceptor]
  private let thread = EventLoop(named: "probekit-replay")
  private let loop: ReplayLoop
  private let mailbox = Guarded<[ReplayLoop.Message]>([])
  private let state: Guarded<State>

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - fixtures: What to replay.
  ///   - options: Where and how.
  /// - Throws: ``ReplayError`` when it cannot run, or two fixtures want different things of a listener.
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
    var acceptors: [ReplayListener: Acceptor] = [:]
    for listener in ReplayListener.allCases {
      let mode = fixtures.mode(of: listener)
      let wanted = SocketAddress(options.address, port: options.ports[listener] ?? 0)
      let socket = try ListeningSocket(wanted, mode: mode)
      ports.append(ReplayPort(listener: listener, destination: nil, mode: mode, socket: socket))
      acceptors[listener] = Acceptor(address: socket.address, mode: mode)
    }
    self.acceptors = acceptors
    journal = ReplayJournal(capacity: options.journalCapacity, bytes: options.journalBytes)
    loop = ReplayLoop(
      fixtures, options: options, certificates: certificates, journal: journal, mailbox: mailbox)
    state = Guarded(State(fixtures: fixtures))
    for port in ports { send(.listen(port)) }
  }

  deinit {
    stop()
  }

  /// Ends all connections, closes the ports, and waits for the server's thread.
  public func stop() {
    let wasStopped = state.withLock { state in
      defer { state.isStopped = true }
      state.places = [:]
      return state.isStopped
    }
    if wasStopped { return }
    send(.stop)
    thread.end()
  }
}

extension ReplayServer {
  /// Where a listener is; after ``stop()`` nobody is there any more.
  public func address(of listener: ReplayListener) -> SocketAddress {
    acceptors[listener]?.address ?? SocketAddress(options.address, port: 0)
  }

  /// The port of a listener.
  public func port(of listener: ReplayListener) -> UInt16 { address(of: listener).port }

  /// A port by which exactly one destination is reached, so that the server knows it without being told: a plain TCP
  /// client names none, and neither does TLS to an address.
  ///
  /// - Returns: The port, the same one each time for the same destination.
  /// - Throws: ``ReplayError`` when there is no port or descriptor left, or the server was stopped.
  public func place(_ listener: ReplayListener, host: String, port: UInt16) throws(ReplayError) -> UInt16 {
    let shared = address(of: listener).port
    guard acceptors[listener]?.mode.accepts ?? false else { return shared }
    let place = Place(listener: listener, destination: ReplayDestination(host: host, port: port))
    return try state.withLock { (state: inout State) throws(ReplayError) -> UInt16 in
      guard !state.isStopped else { throw ReplayError(.stopped, "the replay server was stopped") }
      if let known = state.places[place] { return known }
      let socket = try ListeningSocket(SocketAddress(options.address, port: 0), mode: .open)
      let port = ReplayPort(listener: listener, destination: place.destination, mode: .open, socket: socket)
      state.places[place] = socket.address.port
      send(.listen(port))
      return socket.address.port
    }
  }

  /// What a client is told when it looks a name up, or nil when names resolve and their addresses mean nothing.
  public func dnsAnswer(for host: String) -> DNSAnswer? {
    let fixtures = state.withLock { $0.fixtures }
    return fixtures.lazy.compactMap { $0.dns[host] }.first
  }

  /// The authority's certificate in PEM form: what a client must trust.
  public var authorityPEM: String { authority.pem }

  /// A certificate with its key that lets a client in where the fixture's TLS mode is `client-cert`, in PEM form, the
  /// certificates before the key.
  ///
  /// - Throws: ``ReplayError`` when it cannot be made.
  public func clientIdentityPEM() throws(ReplayError) -> String {
    do throws(TLSError) {
      let identity = try certificates.clientIdentity()
      return try identity.chainPEM() + identity.privateKeyPEM()
    } catch {
      throw ReplayError(.noCertificates, "cannot make a certificate: \(error.message)")
    }
  }

  /// Replays other fixtures from now on, from their initial states; connections stay.
  ///
  /// - Throws: ``ReplayError`` when the fixtures are in conflict, or want a listener to be one that accepts connections
  ///   where it is not, or the reverse; then nothing changes.
  public func replace(with fixtures: [Fixture]) throws(ReplayError) {
    if let conflict = fixtures.conflict { throw conflict }
    for (listener, acceptor) in acceptors {
      let wanted = fixtures.mode(of: listener)
      guard wanted == acceptor.mode || wanted.accepts && acceptor.mode.accepts else {
        throw ReplayError(
          .conflict,
          "the listener \(listener.rawValue) cannot turn from \(acceptor.mode.rawValue) to \(wanted.rawValue): start anew"
        )
      }
    }
    // Both under the lock: what is said of names and what the loop answers must be of the same replacement.
    state.withLock { state in
      state.fixtures = fixtures
      send(.replace(fixtures))
    }
  }

  private func send(_ message: ReplayLoop.Message) {
    mailbox.withLock { $0.append(message) }
    thread.start(loop)
  }
}

/// A port of a replay server: the one of a listener, or one that was made for a single destination.
struct ReplayPort: Sendable {
  /// What is spoken there.
  let listener: ReplayListener
  /// The only destination that is reached by it, or nil when any is.
  let destination: ReplayDestination?
  /// How it was set up.
  let mode: ListenerMode
  let socket: ListeningSocket

  /// How connections are received now: a reload may have changed that between modes that accept.
  func modeNow(_ fixtures: [Fixture]) -> ListenerMode {
    let now = fixtures.mode(of: listener)
    return now.accepts ? now : mode
  }
}

extension [Fixture] {
  /// How connections to a listener are received: as the fixture says that says anything.
  func mode(of listener: ReplayListener) -> ListenerMode {
    lazy.compactMap { $0.listeners[listener] }.first ?? .open
  }

  /// What two fixtures cannot have both.
  var conflict: ReplayError? {
    for listener in ReplayListener.allCases {
      let wanted = compactMap { fixture in fixture.listeners[listener].map { (fixture.name, $0) } }
      if let first = wanted.first, let other = wanted.first(where: { $0.1 != first.1 }) {
        return ReplayError(
          .conflict,
          "the fixture \(first.0) wants the listener \(listener.rawValue) \(first.1.rawValue), and \(other.0) wants it "
            + "\(other.1.rawValue): replay them one by one")
      }
    }
    return nil
  }
}
