import BundledPlugins
import ProbeServer
import ProbeCore

@testable import BlackboxExporter

/// An exporter that listens on loopback, as long as this object exists.
final class RunningExporter: Sendable {
  /// The parts of a response.
  struct Response {
    let status: Int
    let contentType: String?
    let text: String
    var location: String?

    var samples: Samples { Samples(text) }
  }

  private let service: HTTPService
  private let url: String

  /// Starts an exporter.
  ///
  /// - Parameters:
  ///   - modules: Its modules.
  ///   - text: Its configuration as text.
  ///   - settings: Its settings.
  ///   - rules: The rules for targets.
  ///   - reload: Reloads the configuration.
  /// - Throws: `InvalidInput` if it cannot listen.
  init(
    _ modules: [ExporterModule], text: String = "", settings: ExporterSettings = .init(),
    rules: TargetRules = TargetRules(allowsPrivate: true),
    reload: @escaping Exporter.Reload = { .failure(InvalidInput("there is no file")) }
  ) throws {
    let exporter = Exporter(
      Self.configuration(modules, text: text), prober: try .forTests(rules: rules), settings: settings,
      reload: reload)
    let routes = exporter.routes
    service = try HTTPService(on: .tcp(SocketAddress(IPAddress(v4: 0x7F00_0001), port: 0))) {
      (request) throws(HTTPServiceFailure) in try await routes.response(to: request)
    }
    url = "http://\(service.address)"
  }

  deinit { service.stop() }

  /// A configuration with these modules.
  static func configuration(_ modules: [ExporterModule], text: String = "") -> ExporterConfiguration {
    ExporterConfiguration(
      modules: Dictionary(modules.map { ($0.name, $0) }) { $1 }, text: text)
  }

  /// Sends a request.
  func response(
    to path: String, method: String = "GET", fields: HeaderFields = [:]
  ) async throws -> Response {
    var request = ProbeRequest(try ProbeURL(url + path))
    request.timeout = plenty
    request.http.method = method
    request.http.headers = fields
    request.maxBody = 1 << 20
    guard let transport = try PluginRegistry.bundled.transports[.http] else {
      throw InvalidInput("there is no transport for http")
    }
    let response = try await transport.probe(request)
    return Response(
      status: response.status ?? 0, contentType: response.head?.fields["Content-Type"],
      text: String(decoding: response.body, as: UTF8.self), location: response.head?.fields["Location"])
  }

  /// Probes a target.
  func probe(
    _ target: String, _ parameters: String = "", fields: HeaderFields = [:]
  ) async throws -> Response {
    try await response(to: "/probe?target=\(target)\(parameters)", fields: fields)
  }
}
