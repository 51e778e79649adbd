import ProbeCore
import SourceDocuments

/// A validator that leaves the judgement to a plugin in another process.
struct PluginValidator: ProgramValidator {
  let plugin: PluginProgram
  /// The options, as JSON; nil for none.
  let options: String?

  var programUse: String { "plugin \(plugin.name) \(options ?? "")" }

  func judgement(of response: ProbeResponse, to request: ProbeRequest) async -> Validation {
    let expected = "a response that the plugin \(plugin.name) accepts"
    guard let host = request[ProgramContext.self]?.host else {
      return .rejected(.pluginFailed, expected: expected, found: "no permission to run it")
    }
    var message = Array((options.map { "\"options\":\($0)," } ?? "").utf8)
    message += "\"response\":".utf8
    message += ResponseMessage.json(of: response, hasText: false)
    switch await host.query(plugin, message, within: plugin.timeout) {
    case .accepted(let captures): return .accepted(captures: captures)
    case .rejected(let reason, let detail):
      return .rejected(
        reason ?? .rejected, expected: expected, found: detail.isEmpty ? "one that it rejects" : detail)
    case .response, .failed:
      return .rejected(.pluginFailed, expected: expected, found: "the answer of a transport")
    case .none(let reason, let detail):
      return .rejected(reason, expected: expected, found: "no judgement: \(detail)")
    }
  }
}

/// A transport that leaves the exchange to a plugin in another process.
struct PluginTransport: ProgramTransport {
  let plugin: PluginProgram
  let schemes: [URLScheme: Encryption]
  /// The options, as JSON; nil for none.
  let options: String?

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    guard let host = request[ProgramContext.self]?.host else {
      throw ProbeFailure(.pluginFailed, "there is no permission to run the plugin \(plugin.name)")
    }
    var message = options.map { "\"options\":\($0)," } ?? ""
    message += "\"request\":{\"url\":\("\(request.url)".quotedInJSON),\"maxBody\":\(request.maxBody)}"
    // The plugin receives the time limit of the probe, and ends it itself, with what it learned.
    switch await host.query(plugin, Array(message.utf8), within: request.timeout) {
    case .response(var response):
      response.url = request.url
      if response.body.count > request.maxBody {
        response.body.removeLast(response.body.count - request.maxBody)
        response.bodyIsCut = true
      }
      return response
    case .failed(var failure):
      failure.partial?.url = request.url
      throw failure
    case .accepted, .rejected:
      throw ProbeFailure(.pluginFailed, "the plugin \(plugin.name) gave the answer of a validator")
    case .none(let reason, let detail):
      throw ProbeFailure(reason, "the plugin \(plugin.name): \(detail)")
    }
  }
}

extension DeclaredPlugin {
  /// The transport; nil for a validator.
  var transport: PluginTransport? {
    guard plugin.kind == .transport else { return nil }
    return PluginTransport(plugin: plugin, schemes: schemes, options: transportOptions)
  }
}

extension FieldReader where Value == any ResponseValidator {
  /// The options of a plugin, checked against its schema.
  static func plugin(_ declared: DeclaredPlugin, _ uses: ProgramUses) -> FieldReader {
    let schema = declared.options ?? OptionsSchema()
    return FieldReader(schema: declared.optionsText.map { .json($0) } ?? .anything) { node, field, findings in
      uses.note(node)
      return schema.option(of: node, field, findings).map {
        PluginValidator(plugin: declared.plugin, options: $0.text)
      }
    }
  }
}
