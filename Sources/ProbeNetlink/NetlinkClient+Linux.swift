internal import Glibc
package import ProbeCore

/// Asks the kernel about the network and waits for its answers; belongs to one thread at a time.
package final class NetlinkClient {
  /// What came of asking for a list.
  package struct Dump<Entry> {
    /// What was made of its messages.
    package var entries: [Entry]
    /// Whether nothing changed meanwhile; otherwise entries may be missing.
    package var isConsistent: Bool
  }

  /// How often a list is asked for that changes meanwhile.
  private static let attempts = 8
  private let socket: NetlinkSocket
  private var sequence: UInt32 = 0
  // The kernel fills at most 32 KiB of a list at a time.
  private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

  /// Opens a socket.
  package init() throws(NetlinkError) {
    socket = try NetlinkSocket()
  }

  /// Asks for a list; again, when it changes meanwhile.
  ///
  /// - Parameters:
  ///   - request: What to ask.
  ///   - read: Makes something of a message, or nil of one that is not wanted.
  /// - Returns: What was made of it; after eight attempts what the last one has brought.
  /// - Throws: ``NetlinkError`` when the kernel does not answer, or refuses to.
  package func dump<Entry>(
    _ request: NetlinkRequest, _ read: (NetlinkMessage) -> Entry?
  ) throws(NetlinkError) -> Dump<Entry> {
    var dump = Dump<Entry>(entries: [], isConsistent: false)
    for _ in 0..<Self.attempts where !dump.isConsistent {
      dump = Dump(entries: [], isConsistent: true)
      try ask(request) { message in
        if message.isInterrupted { dump.isConsistent = false }
        if let entry = read(message) { dump.entries.append(entry) }
      }
    }
    return dump
  }

  /// Asks for the way to a destination.
  ///
  /// - Returns: What the kernel answered, or nil when there is no way.
  /// - Throws: ``NetlinkError`` when the kernel does not answer, or cannot.
  package func way(to destination: IPAddress) throws(NetlinkError) -> RouteMessage? {
    var answer: RouteMessage?
    do throws(NetlinkError) {
      try ask(.way(to: destination)) { message in answer = answer ?? RouteMessage(message) }
    } catch {
      // No route, and routes that are unreachable, prohibit and blackhole; then the families that a machine does without.
      let refusals = [
        ENETUNREACH, EHOSTUNREACH, EACCES, EINVAL, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT, EOPNOTSUPP,
      ]
      guard refusals.contains(error.systemCode) else { throw error }
      return nil
    }
    guard let answer, answer.fate != .refused, !answer.nextHops.isEmpty else { return nil }
    return answer
  }

  /// Asks, and hands over each message of the answer.
  private func ask(_ request: NetlinkRequest, _ read: (NetlinkMessage) -> Void) throws(NetlinkError) {
    sequence &+= 1
    try socket.send(request.bytes(sequence: sequence))
    while true {
      let count: Int
      switch socket.receive(into: &buffer) {
      case .bytes(let received): count = received
      case .nothing: throw failure(ETIMEDOUT)
      case .lost: throw failure(ENOBUFS)
      case .failed(let code): throw failure(code)
      }
      for message in NetlinkMessage.messages(in: Array(buffer[..<count])[...])
      where message.sequence == sequence {
        if let code = message.systemCode, code != 0 { throw failure(code) }
        read(message)
        if message.isEnd || message.systemCode != nil || !request.isDump { return }
      }
    }
  }

  private func failure(_ code: Int32) -> NetlinkError {
    NetlinkError("ask the kernel about the network", systemCode: code)
  }
}

extension NetlinkError {
  /// Whether it says that there is no such table or family, rather than that asking went wrong.
  package var isAbsence: Bool { [ENOENT, EAFNOSUPPORT, EOPNOTSUPP].contains(systemCode) }
}
