import BundledPlugins
import ProbeCore

/// Accepts a health document that reports a service as up.
struct HealthValidator: ConfigurableValidator {
  struct Options: Codable, SchemaProviding {
    static let schema = ValueSchema.mapping([
      .key("service", .text, required: true, summary: "the name of the service")
    ])
    var service: String
  }

  static let name = "health"
  static let examples = [
    ValidatorExample(Options(service: "shop"), accepts: "shop: up", rejects: "shop: down")
  ]
  private let line: String

  init(options: Options) throws {
    guard !options.service.isEmpty else {
      throw InvalidInput("the service has no name", remedy: "write it as health: { service: shop }")
    }
    line = "\(options.service): up"
  }

  func validate(_ response: ProbeResponse) -> Validation {
    if String(decoding: response.body, as: UTF8.self).contains(line) { return .accepted }
    return .rejectedBody(of: response, expected: "the line \"\(line)\"")
  }
}

/// Serves `memory://host/` URLs with the text stored for the host.
struct MemoryTransport: ProbeTransport {
  let responses: [String: String]

  var schemes: [URLScheme: Encryption] { ["memory": .encrypted] }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    guard let text = responses[request.url.host] else {
      throw ProbeFailure(.noSuchHost, "nothing is stored under \(request.url.host)")
    }
    let body = Array(text.utf8.prefix(request.maxBody))
    return ProbeResponse(url: request.url, body: body, bodyIsCut: body.count < text.utf8.count)
  }
}

/// Probes with own plugins, registered like the bundled ones.
func isShopUp() async throws -> Bool {
  var plugins = try PluginRegistry.bundled
  try plugins.register(MemoryTransport(responses: ["shop": "shop: up\nstock: down\n"]))
  try plugins.register(HealthValidator.self)

  let request = ProbeRequest(try ProbeURL("memory://shop/"))
  let response = try await Prober(plugins.transports).probe(request)
  let validator = SuccessfulStatus.guarding(try HealthValidator(options: .init(service: "shop")))
  return validator.validate(response).isAccepted
}
