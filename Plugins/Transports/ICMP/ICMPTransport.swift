internal import ByteStreams
internal import ProbeStreams
package import ProbeSystem
public import ProbeCore

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
    try request.ping.check(within: request.timeout)
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
    let options = request.ping
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

/// Sends echo requests to the first reachable address, and matches the replies; no I/O.
///
/// A reply has the sequence number and the data of a request; everything else is ignored. The socket checks
/// the identifier and the checksum.
struct PingConversation: DatagramConversation {
  let options: PingOptions
  /// The data of all requests.
  private let data: [UInt8]
  /// The position of the current address; past the last one if no address is reachable.
  private(set) var address = 0
  /// The time at which each request was sent.
  private(set) var sent: [Duration] = []
  /// The round-trip times, by the position of the request; nil without a reply.
  private(set) var roundTrips: [Duration?] = []
  /// The remaining hop limit of the latest reply.
  private var hopLimit: Int?
  /// The number of requests for which the network reported an error.
  private var failures = 0
  /// The last such error.
  private(set) var error: Int32?
  private var families: [IPFamily] = []
  private var nextSend = Duration.zero

  /// Creates a conversation.
  ///
  /// - Parameters:
  ///   - options: The options.
  ///   - seed: Unpredictable bytes for the start of the data.
  init(_ options: PingOptions, seed: UInt64 = .random(in: 0 ... .max)) {
    self.options = options
    let start = (0..<8).map { UInt8(truncatingIfNeeded: seed >> (8 * $0)) }
    data = (0..<options.size).map { $0 < 8 ? start[$0] : UInt8(truncatingIfNeeded: $0) }
  }

  mutating func begin(with addresses: [SocketAddress], at now: Duration) {
    families = addresses.map(\.address.family)
    nextSend = now
  }

  mutating func next(at now: Duration) -> DatagramAction {
    guard address < families.count else { return .finished }
    if sent.count == options.count {
      let completed = roundTrips.count { $0 != nil } + failures
      return completed >= sent.count ? .finished : .wait(until: nil)
    }
    guard now >= nextSend else { return .wait(until: nextSend) }
    nextSend = now + options.interval
    sent.append(now)
    roundTrips.append(nil)
    return .send(request(sent.count), to: address)
  }

  mutating func received(_ bytes: [UInt8], hopLimit: Int? = nil, from address: Int, at now: Duration) {
    let reply: UInt8 = families[address] == .v4 ? 0 : 129
    guard address == self.address, bytes.count == 8 + data.count, bytes[0] == reply, bytes[1] == 0,
      bytes[8...].elementsEqual(data)
    else { return }
    let position = Int(widening: bytes[6]) << 8 + Int(widening: bytes[7]) - 1
    guard sent.indices.contains(position), roundTrips[position] == nil else { return }
    roundTrips[position] = now - sent[position]
    if let hopLimit { self.hopLimit = hopLimit }
  }

  mutating func failed(_ address: Int, _ error: Int32, wasSent: Bool, at now: Duration) {
    guard address == self.address else { return }
    self.error = error
    if wasSent {
      failures += 1
    } else {
      // There may be a route to the next address.
      self.address += 1
      (sent, roundTrips, nextSend) = ([], [], now)
    }
  }

  /// The message of a request: its type, sequence number and data; the system fills in the rest.
  private func request(_ number: Int) -> [UInt8] {
    let type: UInt8 = families[address] == .v4 ? 8 : 128
    return [type, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
      + data
  }
}

extension PingConversation {
  /// The number of requests, and the times of the replies.
  var facts: PingFacts {
    var facts = PingFacts(sent: sent.count, roundTrips: roundTrips.compactMap { $0 })
    facts.hopLimit = hopLimit
    return facts
  }
}
