import FixtureReplay
import ProbeTLS
import ProbeCore

/// The servers of all kinds of trouble: one with every response, and one for each way to refuse connections.
struct Worlds: Sendable {
  private let servers: [ListenerMode: ReplayServer]
  /// All troubles of these servers.
  let troubles = Trouble.all
  /// The certificate of the authority of all of them, in PEM form.
  let authority: [UInt8]

  /// Starts the servers.
  init(authority: CertificateAuthority) throws {
    var options = ReplayOptions()
    options.authority = authority
    self.authority = Array(authority.pem.utf8)
    var servers: [ListenerMode: ReplayServer] = [:]
    for mode in ListenerMode.allCases {
      servers[mode] = try ReplayServer([Self.fixture(mode, troubles)], options: options)
    }
    self.servers = servers
  }

  /// Stops the servers.
  func stop() {
    for server in servers.values { server.stop() }
  }

  /// The server of a trouble.
  func server(of trouble: Trouble) -> ReplayServer? {
    if case .listener(let mode) = trouble.cause { return servers[mode] }
    return servers[.open]
  }

  /// The transports of a network in which the server with every response handles everything.
  func routed(_ transports: TransportRegistry) -> TransportRegistry {
    servers[.open].map { transports.routed(to: $0) } ?? transports
  }

  private static func fixture(_ mode: ListenerMode, _ troubles: [Trouble]) -> Fixture {
    guard mode == .open else {
      let modes = ReplayListener.allCases.map { ($0, mode) }
      return Fixture(
        name: mode.rawValue, listeners: Dictionary(uniqueKeysWithValues: modes), routes: [])
    }
    var tls: [(host: String, value: TLSMode)] = []
    var dns: [(host: String, value: DNSAnswer)] = []
    var routes: [ReplayRoute] = []
    for trouble in troubles {
      switch trouble.cause {
      case .response(let response, let fault, let end):
        let listener: ReplayListener? = trouble.endings[.tcp] == nil ? nil : .tcp
        routes.append(
          ReplayRoute(
            trouble.name, when: RouteCondition(listener: listener, host: trouble.hosts), response: response,
            end: end, fault: fault))
      case .tls(let mode): tls.append((trouble.hosts, mode))
      case .lookup(let dnsAnswer): dns.append((trouble.hosts, dnsAnswer))
      case .listener: break
      }
    }
    let page = ComposedResponse(body: Array("\(Trouble.word)\n".utf8))
    return Fixture(
      name: "everything", routes: routes + [ReplayRoute("rest", response: .respond(page))],
      tls: HostRules(tls), dns: HostRules(dns))
  }
}
