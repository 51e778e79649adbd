import OpenSSL
import ProbeCore

/// What a command line says of every request of pipelines, whatever their files say.
struct RequestOverrides: Sendable {
  /// Where to connect to instead; these rules come before a file's own.
  var connectTo: [ConnectTo] = []
  /// A PEM file of authorities to trust, in place of those a file names.
  var authorities: String?

  /// Whether there are any.
  var isEmpty: Bool { connectTo.isEmpty && authorities == nil }

  /// What of it has to be in a plan, too, so that no address that is named here is taken for what a name leads to.
  var settings: [RequestSetting] {
    let rules = connectTo
    return rules.isEmpty
      ? [] : [RequestSetting { request, _ in request.connectTo = rules + request.connectTo }]
  }

  /// What is wrong with the file of authorities, or nil when nothing is.
  var mistake: String? {
    guard let authorities else { return nil }
    do throws(TrustStoreError) {
      _ = try TrustStore(files: [authorities])
      return nil
    } catch {
      return "--cacert: \(Excerpt(authorities, limit: 200)): \(error.reason)"
    }
  }

  /// A request with what the command line says of it.
  func applied(to request: ProbeRequest) -> ProbeRequest {
    var request = request
    request.connectTo = connectTo + request.connectTo
    if let authorities { request.tls.additionalAuthorities = authorities }
    return request
  }
}

extension TransportRegistry {
  /// These transports, with what a command line says of every request.
  func overridden(by overrides: RequestOverrides) -> TransportRegistry {
    overrides.isEmpty ? self : wrapping { OverriddenTransport(transport: $0, overrides: overrides) }
  }
}

/// A transport whose every request is changed first, each hop of a redirect and the question to a portal's API too.
private struct OverriddenTransport: ProbeTransport {
  let transport: any ProbeTransport
  let overrides: RequestOverrides

  var schemes: [URLScheme: Encryption] { transport.schemes }

  var executors: [any TaskExecutor] { transport.executors }

  func check(_ request: ProbeRequest) throws(InvalidInput) {
    try transport.check(overrides.applied(to: request))
  }

  func checkFiles(of request: ProbeRequest) throws(InvalidInput) {
    try transport.checkFiles(of: overrides.applied(to: request))
  }

  func requestKeys(for scheme: URLScheme) -> [RequestKey] { transport.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    try await transport.probe(overrides.applied(to: request))
  }
}
