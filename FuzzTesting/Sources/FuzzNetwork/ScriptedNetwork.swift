@testable import Transports
@testable public import ProbeCore
@testable import ProbeTLS
@testable import ProbeBase

/// A network whose servers send given bytes: a connection to a server that has none is refused.
///
/// Responses are read as those of a connection are, without one.
public struct ScriptedNetwork: Sendable {
  /// A server that has a response of its own.
  public enum Server: Int, Hashable, Sendable, CaseIterable {
    /// Every host over HTTP but the next ones.
    case plain
    /// Every host over HTTPS but the next ones.
    case secure
    /// The API of the captive portal (RFC 8908), `https://api.example/capport`.
    case api
    /// The host of the login page, `portal.example`, over HTTP and HTTPS.
    case login

    init(_ url: ProbeURL) {
      self =
        switch (url.host, url.scheme) {
        case ("portal.example", _): .login
        case ("api.example", _): .api
        case (_, .https): .secure
        default: .plain
        }
    }
  }

  /// The bytes of each server.
  public let responses: [Server: [UInt8]]
  /// What is known of a TLS session.
  private let session: TLSFacts
  private let executor: InlineExecutor

  /// The address of every server.
  private static let address = IPAddress(v4: 0xC000_0201)
  /// The line between the parts of an input.
  private static let separator = Array("====\n".utf8)
  /// The number of bytes that arrive together.
  private static let piece = 1024

  /// Creates a network from the parts of an input: the responses in the order of ``Server``, and a certificate as DER.
  public init(_ bytes: [UInt8], on executor: InlineExecutor) {
    let parts = Self.parts(of: bytes)
    responses = Dictionary(zip(Server.allCases, parts).filter { !$1.isEmpty }) { $1 }
    session = Self.session(parts.count > Server.allCases.count ? parts[Server.allCases.count] : [])
    self.executor = executor
  }

  /// The parts of an input, with a line of equals signs between them.
  public static func parts(of bytes: [UInt8]) -> [[UInt8]] {
    var parts: [[UInt8]] = []
    var (start, end) = (0, 0)
    while end <= bytes.count - separator.count {
      guard bytes[end] == separator[0], bytes[end..<(end + separator.count)].elementsEqual(separator) else {
        end += 1
        continue
      }
      parts.append(Array(bytes[start..<end]))
      end += separator.count
      start = end
    }
    return parts + [Array(bytes[start...])]
  }

  private static func session(_ certificate: [UInt8]) -> TLSFacts {
    let chain = (try? CertificateFacts(der: certificate)).map { [$0] } ?? []
    return TLSFacts(version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", chain: chain)
  }

  /// The transports of this network.
  public var transports: TransportRegistry {
    get throws(InvalidInput) {
      var transports = TransportRegistry()
      try transports.register(ScriptedTransport(network: self))
      return transports
    }
  }
}

extension ScriptedNetwork {
  /// The transport of a network for HTTP and HTTPS.
  private struct ScriptedTransport: AddressFinding {
    let network: ScriptedNetwork

    var schemes: [URLScheme: Encryption] { [.http: .plaintext, .https: .encrypted] }
    var executors: [any TaskExecutor] { [network.executor] }

    func requestKeys(for scheme: URLScheme) -> [RequestKey] {
      HTTPTransport().requestKeys(for: scheme)
    }

    func probe(_ request: ProbeRequest) async throws -> ProbeResponse { try network.response(to: request) }

    /// Every name has the same address.
    func addresses(for request: ProbeRequest) async throws(ProbeFailure) -> FoundAddresses? {
      let address = IPAddress(request.url.host) ?? ScriptedNetwork.address
      return FoundAddresses(
        host: request.url.host, addresses: [NamedAddress(address: address, timeToLive: .seconds(60))])
    }
  }

  /// The response to a request: that of the client, for the bytes of its server.
  public func response(to request: ProbeRequest) throws(ProbeFailure) -> ProbeResponse {
    guard let bytes = responses[Server(request.url)] else {
      throw ProbeFailure(.connectRefused, "the port is closed: the connection was refused")
    }
    var response = ProbeResponse(
      url: request.url, remoteAddress: SocketAddress(Self.address, port: 80),
      timings: ProbeTimings(connect: .milliseconds(1), firstByte: .milliseconds(2), total: .milliseconds(3)))
    if request.url.scheme == .https { response.tls = session }
    var reader = DecodedResponseReader(to: request)
    var responseError: ResponseError?
    do throws(ResponseError) {
      var (rest, isWhole) = (bytes[...], false)
      while !rest.isEmpty, !isWhole {
        isWhole = try reader.take(Array(rest.prefix(Self.piece)), on: response)
        rest = rest.dropFirst(Self.piece)
      }
      if !isWhole { try reader.end(wasNotified: true) }
    } catch {
      responseError = error
    }
    response.head = reader.headSoFar
    response.body = reader.body.isEmpty ? reader.evidence : reader.body
    response.bodyIsCut = reader.bodyIsCut
    response.deviations = reader.deviations
    response.retryAfter = reader.head?.fields.retryAfter()
    guard let responseError else { return response }
    // As in the client: the rest of a long body does not matter, and neither does the body of a redirect.
    let isCut =
      reader.responseAtLimit != nil || RedirectHop(of: response.head, from: request.url)?.target != nil
    guard isCut else { throw ProbeFailure(.httpProtocol, "\(responseError)", partial: response) }
    response.bodyIsCut = true
    return response
  }
}
