internal import ByteStreams
public import ProbeCore
package import ProbeSystem
import ProbeStreams

/// ICMP echo requests (ping), over sockets that require no privileges (icmp(7)), or over raw sockets where the
/// system does not permit these.
///
/// A response requires at least one reply. Its body is a summary of the replies, and `ProbeResponse.ping`
/// contains the times; the time to the first byte is the average round-trip time.
public struct ICMPTransport: ProbeTransport {
  private let datagrams: DatagramConnector

  /// Creates a transport with its own event loops.
  public init() {
    self.init(loops: EventLoops())
  }

  /// Creates a transport that shares event loops with others.
  package init(loops: EventLoops) {
    datagrams = DatagramConnector(loops: loops)
  }

  /// ICMP, without encryption.
  public var schemes: [URLScheme: Encryption] { [.icmp: .plaintext] }

  /// The threads of its sockets.
  public var executors: [any TaskExecutor] { datagrams.executors }

  /// Checks that the URL contains only a host, and that the options are valid.
  ///
  /// - Throws: `InvalidInput` naming the part.
  public func check(_ request: ProbeRequest) throws(InvalidInput) {
    let url = request.url
    guard url.explicitPort == nil, url.path.isEmpty || url.path == "/", url.query == nil else {
      throw InvalidInput("an icmp URL has no port, path or query", remedy: "write it as icmp://host")
    }
    try (request[PingOptions.self] ?? PingOptions()).check(within: request.timeout)
    try datagrams.check(request)
  }

  /// The keys for connections except `proxy`, and `count`, `interval` and `size`.
  public func requestKeys(for scheme: URLScheme) -> [RequestKey] {
    // ICMP has neither redirects nor proxies.
    (RequestKey.common + RequestKey.connection).filter { $0.name != "redirects" && $0.name != "proxy" }
      + PingOptions.keys
  }

  /// Sends the echo requests, and waits for the replies.
  ///
  /// - Throws: `ProbeFailure` with the reason and everything learned so far.
  public func probe(_ request: ProbeRequest) async throws -> ProbeResponse {
    try refuseInvalid(request)
    return try await probe(checked: request)
  }
}

extension ICMPTransport: CheckedTransport {
  package func probe(checked request: ProbeRequest) async throws -> ProbeResponse {
    let options = request[PingOptions.self] ?? PingOptions()
    let packets = PacketOptions(hopLimit: options.hopLimit, forbidsFragments: options.forbidsFragments)
    let result = try await datagrams.converse(PingConversation(options), over: .ping(packets), for: request)
    let ended = result.conversation
    var response = result.response
    let facts = ended.facts
    response.setPeer(result.addresses[min(ended.address, result.addresses.count - 1)], of: request)
    response.ping = facts
    guard facts.received > 0 else {
      if let error = ended.error {
        var result = result
        result.response = response
        throw result.failure(error)
      }
      throw ProbeFailure(.responseTimeout, "no echo reply in time: \(facts)", partial: response)
    }
    response.timings.firstByte = facts.averageRoundTrip
    let text = Array("\(facts)\n".utf8)
    response.body = Array(text.prefix(request.maxBody))
    response.bodyIsCut = text.count > request.maxBody
    return response
  }
}
