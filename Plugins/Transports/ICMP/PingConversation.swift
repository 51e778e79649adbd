internal import ByteStreams
internal import ProbeCore
import ProbeStreams

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
