internal import ByteStreams
internal import ProbeCore
internal import ProbeStreams
internal import ProbeSystem

/// Queries the addresses of a DNS server one after the other, and waits for a response; no I/O.
///
/// Every address receives the same message, from a separate port. Anything but a response to this message is
/// ignored, because anyone can send it (RFC 5452 §9).
struct DNSConversation: DatagramConversation {
  /// The time between the first and the second message; it doubles with each further message.
  static let firstWait = Duration.seconds(1)
  /// The maximum number of datagrams to read; any program on this machine can send an unlimited number.
  private static let maximumDatagrams = 100

  enum Ending {
    /// A response from the address at this position.
    case response(DNSResponse, from: Int)
    /// A truncated response from the address at this position.
    case truncated(by: Int)
  }

  let query: DNSQuery
  let message: [UInt8]
  let id: UInt16
  private(set) var ending: Ending?
  /// The time from the last message to the address until its response.
  private(set) var responseTime: Duration?
  /// The reason why the last ignored datagram was ignored; nil if none was.
  private(set) var ignored: String?
  /// The errors by address; nil for those without one.
  private(set) var errors: [Int32?] = []
  private var read = 0
  private var sent = 0
  /// The time of the last message to each address; nil if there was none.
  private var lastSent: [Duration?] = []
  private var nextSend = Duration.zero
  private var nextAddress = 0

  init(_ query: DNSQuery, message: [UInt8], id: UInt16) {
    self.query = query
    self.message = message
    self.id = id
  }

  mutating func begin(with addresses: [SocketAddress], at now: Duration) {
    errors = Array(repeating: nil, count: addresses.count)
    lastSent = Array(repeating: nil, count: addresses.count)
    nextSend = now
  }

  mutating func next(at now: Duration) -> DatagramAction {
    guard ending == nil, let address = usableAddress else { return .finished }
    guard now >= nextSend else { return .wait(until: nextSend) }
    nextSend = now + Self.firstWait * (1 << min(sent, 16))
    sent += 1
    lastSent[address] = now
    nextAddress = (address + 1) % errors.count
    return .send(message, to: address)
  }

  /// The next address without an error.
  private var usableAddress: Int? {
    errors.indices.lazy.map { ($0 + nextAddress) % errors.count }.first { errors[$0] == nil }
  }

  mutating func received(_ bytes: [UInt8], hopLimit: Int? = nil, from address: Int, at now: Duration) {
    guard ending == nil, read < Self.maximumDatagrams else { return }
    read += 1
    do throws(LDNSError) {
      let response = try DNSResponse(bytes, to: query, id: id)
      ending = response.isTruncated ? .truncated(by: address) : .response(response, from: address)
    } catch {
      guard DNSResponse.isTruncated(bytes, id: id) else {
        ignored = error.words
        return
      }
      ending = .truncated(by: address)
    }
    responseTime = now - (lastSent[address] ?? now)
  }

  mutating func failed(_ address: Int, _ error: Int32, wasSent: Bool, at now: Duration) {
    errors[address] = error
    // Try the next address immediately.
    nextSend = now
  }
}

extension DNSConversation {
  /// The error that best explains why no address responded; nil if one may still respond.
  var failure: Int32? {
    let errors = errors.compactMap { $0 }
    guard errors.count == self.errors.count else { return nil }
    return errors.first { SystemError($0) == .refused } ?? errors.first
  }
}
