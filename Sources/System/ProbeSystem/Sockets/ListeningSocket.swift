internal import CProbeSystem
internal import Glibc
package import ProbeBase

/// A bound TCP socket that receives connections, or lets the system refuse or ignore them; it is closed when
/// deinitialized.
package final class ListeningSocket: AcceptingSocket {
  /// The system's treatment of new connections.
  package enum Queue: Sendable {
    /// It queues them until they are accepted.
    case open
    /// It refuses them: the socket is bound and does not listen, so that no other process can bind the port.
    case refused
    /// It ignores them, like a firewall that drops packets: the queue is full.
    case full
  }

  /// The reason why a socket cannot listen.
  package struct Failure: Error {
    /// Whether the machine lacks descriptors or memory; otherwise the address is not available.
    package let isShortage: Bool
    /// The failed action and the reason.
    package let message: String
  }

  private struct State: Sendable {
    var queue = Queue.refused
    /// The connection that fills a full queue.
    var filler: Int32?
  }

  /// The descriptor; it stays the same when the queue changes.
  package let descriptor: Int32
  /// The address it is bound to.
  package let address: SocketAddress
  private let state = Guarded(State())

  /// The size of an accepted connection's send buffer in bytes; Linux keeps twice as much.
  private static let sendBuffer: Int32 = 64 << 10

  /// Binds a socket; its queue is refused until ``start(_:)``.
  ///
  /// - Throws: ``Failure``.
  package init(_ wanted: SocketAddress) throws(Failure) {
    descriptor = try Self.bound(to: wanted, takingOver: false)
    address = SocketAddress(wanted.address, port: SocketAddress(of: descriptor)?.port ?? 0)
    // Accepted connections inherit all of them: the address can be bound again while they exist, each part of a
    // response is sent at once, and a client that does not read costs the system little, which would otherwise keep
    // up to 4 MiB for it.
    Self.set(SO_REUSEADDR, of: descriptor, to: 1)
    Self.set(TCP_NODELAY, of: descriptor, level: Int32(IPPROTO_TCP), to: 1)
    Self.set(SO_SNDBUF, of: descriptor, to: Self.sendBuffer)
  }

  deinit {
    stopListening()
    if let filler = state.withLock({ $0.filler }) { close(filler) }
    close(descriptor)
  }

  /// The system's treatment of new connections.
  package var queue: Queue { state.withLock { $0.queue } }
}

extension ListeningSocket {
  /// Starts to receive connections; called once after binding, and by ``change(to:)``.
  ///
  /// - Throws: ``Failure``.
  package func start(_ queue: Queue) throws(Failure) {
    switch queue {
    // Without it, another process could bind the port as well.
    case .refused: Self.set(SO_REUSEADDR, of: descriptor, to: 0)
    case .open: try listen(backlog: 4096)
    case .full: try fill(with: try Self.made(for: address))
    }
    state.withLock { $0.queue = queue }
  }

  /// Changes the treatment of new connections; accepted connections are not affected.
  ///
  /// A socket cannot stop listening, so another one takes over the address and the descriptor. The descriptor
  /// must not be watched meanwhile.
  ///
  /// - Throws: ``Failure``; the queue is unchanged if the machine lacks descriptors or memory.
  package func change(to queue: Queue) throws(Failure) {
    let spare = queue == .full ? try Self.made(for: address) : nil
    do throws(Failure) {
      Self.set(SO_REUSEADDR, of: descriptor, to: 1)
      Self.set(SO_REUSEPORT, of: descriptor, to: 1)
      let successor = try Self.bound(to: address, takingOver: true)
      stopListening()
      probe_duplicate_onto(successor, descriptor)
      close(successor)
    } catch {
      if let spare { close(spare) }
      throw error
    }
    let former = state.withLock { state in
      defer { state = State() }
      return state.filler
    }
    if let former { close(former) }
    Self.set(SO_REUSEPORT, of: descriptor, to: 0)
    Self.set(TCP_NODELAY, of: descriptor, level: Int32(IPPROTO_TCP), to: 1)
    guard let spare else { return try start(queue) }
    try fill(with: spare)
    state.withLock { $0.queue = queue }
  }

  /// Ends the queue at once, even if a child process that has not yet executed its program shares the
  /// descriptor.
  ///
  /// A socket that continued to listen would take connections from its successor, or prevent it from
  /// listening.
  private func stopListening() {
    if queue != .refused { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  /// Fills a queue of one with a connection, so that the system drops every further attempt.
  private func fill(with connection: Int32) throws(Failure) {
    state.withLock { $0.filler = connection }
    try listen(backlog: 0)
    let result = unsafe address.withSocketAddress { unsafe connect(connection, $0, $1) }
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard result == 0 || errno == EINPROGRESS, unsafe poll(&entry, 1, 5000) == 1 else {
      throw Failure(isShortage: false, message: "cannot create a black hole on \(address)")
    }
  }

  private func listen(backlog: Int32) throws(Failure) {
    guard Glibc.listen(descriptor, backlog) == 0 else {
      throw Failure(isShortage: false, message: "cannot listen on \(address): \(Self.words(errno))")
    }
  }
}

extension ListeningSocket {
  private static func bound(to address: SocketAddress, takingOver: Bool) throws(Failure) -> Int32 {
    let descriptor = try made(for: address)
    // Connections of an earlier server may be in TIME_WAIT on an explicit port.
    if address.port != 0 { set(SO_REUSEADDR, of: descriptor, to: 1) }
    if takingOver { set(SO_REUSEPORT, of: descriptor, to: 1) }
    guard unsafe address.withSocketAddress({ unsafe bind(descriptor, $0, $1) }) == 0 else {
      let code = errno
      close(descriptor)
      let remedy = code == EADDRINUSE ? ": choose another port, or none for a free one" : ""
      throw Failure(isShortage: false, message: "cannot listen on \(address): \(words(code))\(remedy)")
    }
    return descriptor
  }

  private static func made(for address: SocketAddress) throws(Failure) -> Int32 {
    let family = address.address.family == .v6 ? AF_INET6 : AF_INET
    let descriptor = probe_open_socket(family, probe_stream, 0)
    guard descriptor >= 0 else {
      throw Failure(isShortage: true, message: "cannot create a socket: \(words(errno))")
    }
    return descriptor
  }

  private static func set(_ option: Int32, of descriptor: Int32, level: Int32 = SOL_SOCKET, to value: Int32) {
    var value = value
    unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func words(_ code: Int32) -> String {
    unsafe String(cString: strerror(code))
  }
}

package protocol AcceptingSocket: Sendable {
  /// The descriptor, which does not block.
  var descriptor: Int32 { get }
}

extension AcceptingSocket {
  /// Accepts the next connection without blocking; nil if none is pending, or none can be accepted.
  package func accept() -> (descriptor: Int32?, isShort: Bool) {
    while true {
      let accepted = probe_accept_nonblocking(descriptor)
      if accepted >= 0 { return (accepted, false) }
      switch errno {
      case EINTR, ECONNABORTED: continue
      // Reported even if none is pending: the system allocates a descriptor first.
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return (nil, isWaitedAt)
      default: return (nil, false)
      }
    }
  }

  /// Whether a connection is pending.
  private var isWaitedAt: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 0) == 1
  }
}
