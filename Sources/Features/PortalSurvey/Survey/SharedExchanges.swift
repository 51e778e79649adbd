import ProbeBase
import ProbeCore

/// The HTTP exchanges of several runs, each distinct one made once, and none with this machine or its link.
///
/// The rule about addresses is for redirects that a profile follows and for names that the network resolves: a local
/// service often trusts every local client.
///
/// Requests are equal if the URL, the options of HTTP and TLS, the address family, the limit of the body and the rules
/// about addresses are the same. Proxy, source and replaced addresses are those of the user for all requests of a
/// survey. Of equal requests, the time limits of the first one apply.
final class SharedExchanges: Sendable {
  private struct Key: Hashable {
    let url: String
    let http: HTTPRequestOptions
    let tls: TLSRequestOptions
    let family: IPFamily?
    let maxBody: Int
    let hasRules: Bool

    init(_ request: ProbeRequest) {
      url = request.url.string
      http = request.http
      tls = request.tls
      family = request.family
      maxBody = request.maxBody
      hasRules = !request.addressRules.isEmpty
    }
  }

  private typealias Exchange = Task<Result<ProbeResponse, ProbeFailure>, Never>

  private struct State: Sendable {
    var exchanges: [Key: Exchange] = [:]
    var isCancelled = false
  }

  private let state = Guarded(State())

  /// Wraps transports so that they share their HTTP exchanges.
  private func sharing(_ transports: TransportRegistry) -> TransportRegistry {
    transports.wrapping {
      $0.schemes.keys.contains(.http) ? SharingTransport(transport: $0, exchanges: self) : $0
    }
  }

  /// Makes an exchange, or waits for an equal one.
  fileprivate func exchange(
    _ request: ProbeRequest, over transport: any ProbeTransport
  ) async throws(ProbeFailure) -> ProbeResponse {
    let exchange = state.withLock { state in
      let key = Key(request)
      if let exchange = state.exchanges[key] { return exchange }
      let exchange = Exchange {
        do {
          return .success(try await transport.probe(request))
        } catch let failure as ProbeFailure {
          return .failure(failure)
        } catch {
          return .failure(ProbeFailure(.transportFailure, "\(error)"))
        }
      }
      state.exchanges[key] = exchange
      if state.isCancelled { exchange.cancel() }
      return exchange
    }
    return try await exchange.value.get()
  }

  /// Runs a body over transports that share their exchanges; if the task is cancelled, so are all of these.
  static func during<Result>(
    _ transports: TransportRegistry, _ body: (TransportRegistry) async -> Result
  ) async -> Result {
    let shared = SharedExchanges()
    return await withTaskCancellationHandler {
      await body(shared.sharing(transports))
    } onCancel: {
      shared.cancel()
    }
  }

  private func cancel() {
    let exchanges = state.withLock { state in
      state.isCancelled = true
      return Array(state.exchanges.values)
    }
    for exchange in exchanges { exchange.cancel() }
  }
}

/// A transport that makes each distinct exchange once.
private struct SharingTransport: ProbeTransport {
  let transport: any ProbeTransport
  let exchanges: SharedExchanges

  var schemes: [URLScheme: Encryption] { transport.schemes }

  func check(_ request: ProbeRequest) throws(InvalidInput) { try transport.check(request) }

  func checkFiles(of request: ProbeRequest) throws(InvalidInput) { try transport.checkFiles(of: request) }

  func requestKeys(for scheme: URLScheme) -> [RequestKey] { transport.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    var request = request
    request.staysOffThisMachine = true
    return try await exchanges.exchange(request, over: transport)
  }
}

/// A transport that uses addresses of one family only, whatever the request specifies.
struct OneFamilyTransport: ProbeTransport {
  let transport: any ProbeTransport
  let family: IPFamily

  var schemes: [URLScheme: Encryption] { transport.schemes }

  var executors: [any TaskExecutor] { transport.executors }

  func check(_ request: ProbeRequest) throws(InvalidInput) { try transport.check(request) }

  func checkFiles(of request: ProbeRequest) throws(InvalidInput) { try transport.checkFiles(of: request) }

  func requestKeys(for scheme: URLScheme) -> [RequestKey] { transport.requestKeys(for: scheme) }

  func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    var request = request
    request.family = family
    return try await transport.probe(request)
  }
}
