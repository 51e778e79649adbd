internal import Glibc
package import ProbeBase

/// Queries the kernel about the network and waits for responses; must be used by one thread at a time.
package final class NetlinkClient {
  /// The result of querying a list.
  package struct Dump<Entry> {
    /// The entries read from its messages.
    package var entries: [Entry]
    /// Whether the list did not change during the query; otherwise entries may be missing.
    package var isConsistent: Bool
  }

  /// The maximum number of queries for a list that keeps changing.
  private static let attempts = 8
  private let socket: NetlinkSocket
  private var sequence: UInt32 = 0
  // The kernel fills at most 32 KiB of a list at a time.
  private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

  /// Opens a socket.
  package init() throws(NetlinkError) {
    socket = try NetlinkSocket()
  }

  /// Queries a list; repeats the query if the list changes meanwhile.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - read: Converts a message, or returns nil to ignore it.
  /// - Returns: The entries; after eight attempts, those of the last one.
  /// - Throws: ``NetlinkError`` if the kernel does not respond, or reports an error.
  package func dump<Entry>(
    _ request: NetlinkRequest, _ read: (NetlinkMessage) -> Entry?
  ) throws(NetlinkError) -> Dump<Entry> {
    var dump = Dump<Entry>(entries: [], isConsistent: false)
    for _ in 0..<Self.attempts where !dump.isConsistent {
      dump = Dump(entries: [], isConsistent: true)
      try send(request) { message in
        if message.isInterrupted { dump.isConsistent = false }
        if let entry = read(message) { dump.entries.append(entry) }
      }
    }
    return dump
  }

  /// Queries the route to a destination.
  ///
  /// - Returns: The kernel's response, or nil if there is no route.
  /// - Throws: ``NetlinkError`` if the kernel does not respond, or reports an error.
  package func way(to destination: IPAddress) throws(NetlinkError) -> RouteMessage? {
    var route: RouteMessage?
    do throws(NetlinkError) {
      try send(.way(to: destination)) { message in route = route ?? RouteMessage(message) }
    } catch {
      // No route, or one of type unreachable, prohibit or blackhole; then families that the machine does not
      // support.
      let refusals = [
        ENETUNREACH, EHOSTUNREACH, EACCES, EINVAL, ENETDOWN, EADDRNOTAVAIL, EAFNOSUPPORT, EOPNOTSUPP,
      ]
      guard refusals.contains(error.systemCode) else { throw error }
      return nil
    }
    guard let route, route.fate != .refused, !route.nextHops.isEmpty else { return nil }
    return route
  }

  /// Sends a request, and passes on each message of the response.
  private func send(_ request: NetlinkRequest, _ read: (NetlinkMessage) -> Void) throws(NetlinkError) {
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
  /// Whether it means that there is no such table or family, rather than that the query failed.
  package var isAbsence: Bool { [ENOENT, EAFNOSUPPORT, EOPNOTSUPP].contains(systemCode) }
}
