internal import CProbeSystem
internal import Glibc
internal import ProbeBase
package import ProbeSystem

/// A TCP connection on a loop: starts connecting when it is created, then receives and sends.
///
/// It must be used on the loop's thread.
package final class LoopSocket {
  package let socket: StreamSocket
  /// The operation to notify when the connection attempt ends; nil after that.
  private var attempt: (operation: ConnectOperation, index: Int)?
  /// The operations known to be possible without waiting.
  private var readiness: Poller.Events = []
  /// Whether the peer has closed its side, or the connection broke: the rest can be read without another
  /// event.
  private var isEnding = false
  /// The error of a broken connection, if a call other than a read has consumed it.
  private var breakage: Int32?
  /// The bytes that remain to be sent while receiving.
  private var rest: (bytes: [UInt8], start: Int)?
  /// The maximum number of consecutive operations, of at most 64 KiB each, that complete without waiting.
  private static let maximumImmediateOperations = 8
  /// A counter used by the task that owns the connection.
  private var turns = 0
  /// The number of send calls that succeeded.
  private var sendings = 0
  /// The operation to notify of events; nil for none.
  private var waiting: SocketOperation?

  /// Starts connecting.
  ///
  /// - Parameters:
  ///   - address: The destination.
  ///   - source: The source interface or address.
  ///   - operation: The operation to notify, once, when the attempt ends.
  ///   - index: The index of the attempt in the operation.
  ///   - thread: The loop's thread.
  /// - Throws: ``SocketFailure``.
  init(
    to address: SocketAddress, from source: ProbeSource?, for operation: ConnectOperation, attempt index: Int,
    on thread: LoopThread
  ) throws(SocketFailure) {
    let descriptor = probe_open_socket(address.address.family == .v6 ? AF_INET6 : AF_INET, probe_stream, 0)
    guard descriptor >= 0 else { throw .system(errno) }
    socket = StreamSocket(descriptor: descriptor)
    attempt = (operation, index)
    do throws(SocketFailure) {
      guard !descriptorIsReserved(descriptor) else { throw .system(EMFILE) }
      try source?.bind(descriptor, for: address.address.family)
      let result = unsafe address.withSocketAddress { unsafe connect(descriptor, $0, $1) }
      guard result == 0 || errno == EINPROGRESS || errno == EINTR else { throw .system(errno) }
      guard thread.watch(descriptor, .ofConnection, self) else {
        throw .system(errno)
      }
    } catch {
      socket.close()
      throw error
    }
  }

  /// Closes the socket; no callback runs after that.
  package func close(on thread: LoopThread) {
    attempt = nil
    thread.unwatch(socket.descriptor, isClosing: true)
    socket.close()
  }
}

extension LoopSocket: DescriptorWatcher {
  package func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread) {
    readiness.formUnion(events)
    if !events.isDisjoint(with: .endings) { isEnding = true }
    guard let attempt else {
      waiting?.resume(on: thread)
      return
    }
    self.attempt = nil
    let error = events.isDisjoint(with: .broken) ? 0 : pendingError
    // A reset instead of a response is a refusal. A connection that was reset was established before, and
    // bytes that arrived before the reset may be readable. The reported reason must not depend on the speed
    // of this process.
    let wasReset = SystemError(error) == .reset
    if wasReset { breakage = error }
    attempt.operation.connected(attempt.index, wasReset ? 0 : error, on: thread)
  }

  /// The pending error of the connection, which is cleared by reading it.
  private var pendingError: Int32 {
    var error: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    let result = unsafe getsockopt(socket.descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
    return result == 0 ? error : errno
  }
}

extension LoopSocket {
  /// Receives what is available, up to a limit; no bytes at the peer's end.
  ///
  /// - Returns: nil if it has to wait.
  func receive(upTo limit: Int, on thread: LoopThread) -> SocketOutcome? {
    if rest != nil { sendRest() }
    guard isEnding || readiness.contains(.readable) else { return nil }
    let room = unsafe max(1, min(limit, thread.buffer.count))
    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: thread.buffer[..<room])
    switch unsafe socket.receive(into: part) {
    case .bytes(let count):
      // Fewer bytes than fit: another event will report whatever arrives next.
      if count < room { readiness.remove(.readable) }
      return unsafe .received(Array(part[..<count]))
    case .nothing:
      readiness.remove(.readable)
      isEnding = false
      return nil
    case .end: return breakage.map { .failed($0) } ?? .received([])
    case .broken(let error): return .failed(error)
    }
  }

  /// Sends as many bytes from an offset on as the system accepts, and advances the offset.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - start: The offset.
  ///   - leavesRest: Whether to return as soon as there is something to receive; receiving then sends the
  ///     rest.
  /// - Returns: nil if it has to wait.
  func send(_ bytes: [UInt8], from start: inout Int, leavesRest: Bool) -> SocketOutcome? {
    if rest != nil {
      sendRest()
      if let breakage { return .failed(breakage) }
      guard rest == nil else { return nil }
    }
    sendings += 1
    // Later data must not wait until earlier data is acknowledged, as a request after a handshake would.
    if sendings == 2 { socket.sendAtOnce() }
    switch socket.send(bytes, from: start) {
    case .bytes(let count):
      start += count
      if start == bytes.count { return .sent }
      guard leavesRest, isEnding || readiness.contains(.readable) else { return nil }
      rest = (bytes, start)
      return .sent
    case .broken(let error): return .failed(error)
    }
  }

  /// Sends as much of the rest as the system accepts; if the connection breaks, earlier data can still be
  /// received.
  private func sendRest() {
    guard case (let bytes, var start)? = rest.take() else { return }
    switch send(bytes, from: &start, leavesRest: false) {
    case nil: rest = (bytes, start)
    case .failed(let error): breakage = error
    default: break
    }
  }

  /// Whether its connection may continue immediately; after some consecutive operations others get a turn.
  func takesTurn() -> Bool {
    turns = (turns + 1) % Self.maximumImmediateOperations
    return turns != 0
  }

  /// Sets the operation to notify of events.
  func wait(_ operation: SocketOperation?) {
    waiting = operation
  }
}

/// The result of receiving or sending.
package enum SocketOutcome: Sendable {
  /// These bytes were received; none means that the peer has finished sending.
  case received([UInt8])
  /// All bytes were passed to the operating system, or remain to be sent while receiving.
  case sent
  /// The operating system's error.
  case failed(Int32)
  /// The deadline passed first.
  case timedOut
  /// The task was cancelled.
  case cancelled
}
