import BundledPlugins
import ByteStreams
import LoopbackServer
import ProbeCore

@testable import BlackboxExporter

extension ExporterProber {
  private static let shared = Result { try forTests(names: [:]) }

  /// A prober that may connect to every address.
  static var forTests: ExporterProber { get throws { try shared.get() } }

  /// A prober with rules and additional host names.
  static func forTests(
    names: [String: [String]] = [:], rules: TargetRules = TargetRules(allowsPrivate: true)
  ) throws -> ExporterProber {
    var transports = try PluginRegistry.bundled.transports
    if !names.isEmpty {
      let base = transports
      transports = TransportRegistry()
      let addresses = names.mapValues { $0.compactMap { IPAddress($0) } }
      for scheme in [URLScheme.https, .tcp, .dns, .icmp] {
        guard let transport = base[scheme] else { throw InvalidInput("there is no transport for \(scheme)") }
        try transports.register(NamingTransport(base: transport, names: addresses))
      }
    }
    return try ExporterProber(transports, connector: StreamConnector(), targets: rules)
  }
}

/// A transport with host names that no resolver knows.
struct NamingTransport: AddressFinding {
  let base: any ProbeTransport
  let names: [String: [IPAddress]]

  var schemes: [URLScheme: Encryption] { base.schemes }

  func check(_ request: ProbeRequest) throws(InvalidInput) { try base.check(request) }

  func requestKeys(for scheme: URLScheme) -> [RequestKey] { base.requestKeys(for: scheme) }

  func addresses(for request: ProbeRequest) async throws(ProbeFailure) -> FoundAddresses? {
    if let known = known(for: request) { return known }
    return try await (base as? any AddressFinding)?.addresses(for: request)
  }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    var request = request
    request.knownAddresses = request.knownAddresses ?? known(for: request)
    return try await base.probe(request)
  }

  private func known(for request: ProbeRequest) -> FoundAddresses? {
    names[request.url.host].map { addresses in
      FoundAddresses(
        host: request.url.host,
        addresses: addresses.map { NamedAddress(address: $0, timeToLive: .seconds(60)) })
    }
  }
}

/// A timeout for tests that do not test timeouts.
let plenty = Duration.seconds(600)

/// Probes a target with an HTTP module.
func probeHTTP(
  _ target: String, hostname: String? = nil, timeout: Duration = plenty, by prober: ExporterProber? = nil,
  _ adjust: (inout HTTPModule) throws -> Void = { _ in }
) async throws -> ProbeReport {
  try await (prober ?? .forTests).probe(
    target, with: try .http(adjust: adjust), hostname: hostname, timeout: timeout)
}

/// Probes a target with a TCP module.
func probeTCP(
  _ target: String, hostname: String? = nil, timeout: Duration = plenty, by prober: ExporterProber? = nil,
  _ adjust: (inout TCPModule) throws -> Void = { _ in }
) async throws -> ProbeReport {
  try await (prober ?? .forTests).probe(
    target, with: try .tcp(adjust: adjust), hostname: hostname, timeout: timeout)
}

extension ExporterModule {
  /// An HTTP module.
  static func http(
    _ name: String = "http_2xx", text: String = "", timeout: Duration? = nil,
    adjust: (inout HTTPModule) throws -> Void = { _ in }
  ) throws -> ExporterModule {
    var module = HTTPModule()
    try adjust(&module)
    return ExporterModule(name: name, prober: "http", timeout: timeout, probe: .http(module), text: text)
  }

  /// A TCP module.
  static func tcp(
    _ name: String = "tcp_connect", adjust: (inout TCPModule) throws -> Void = { _ in }
  ) throws -> ExporterModule {
    var module = TCPModule()
    try adjust(&module)
    return ExporterModule(name: name, prober: "tcp", probe: .tcp(module))
  }
}

extension AddressChoice {
  /// IPv4, on which the servers of the tests listen.
  static var ipv4: AddressChoice {
    var choice = AddressChoice()
    choice.preferred = .v4
    return choice
  }
}

extension LoopbackServer {
  /// The address and the port, as a target of a TCP module.
  var hostAndPort: String { "\(address.urlHost):\(port)" }
  /// The URL of this server with `https` and a name that its certificate has.
  var secureURL: String { "https://localhost:\(port)/" }
  /// The first request.
  var firstRequest: LoopbackRequest? { requests.first.map { LoopbackRequest($0) } }
}
