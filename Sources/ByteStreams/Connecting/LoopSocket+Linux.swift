internal import CProbeShims
internal import Glibc
internal import ProbeCore
internal import ProbeSockets
internal import ProbeThreading

/// A TCP connection on a loop: begins to connect when it is made, then receives and sends.
///
/// Belongs to the loop's thread.
final class LoopSocket {
  /// Why a socket could not even begin to connect.
  enum Failure: Error {
    /// The system's error.
    case system(Int32)
    /// The interface or address to leave by is not there, or does not do.
    case source
  }

  let socket: StreamSocket
  /// The operation to notify when the attempt to connect ends; nil after that.
  private var attempt: (operation: ConnectOperation, index: Int)?
  /// What is known to be possible without waiting.
  private var readiness: Poller.Events = []
  /// Whether the peer has ended its side, or the connection broke: what is to be read comes without another event.
  private var isEnding = false
  /// The error of a broken connection, when a call other than a read has consumed it.
  private var breakage: Int32?
  /// What was left to be sent while receiving.
  private var rest: (bytes: [UInt8], start: Int)?
  /// So many operations in a row end without waiting; of 64 KiB each at the most.
  private static let mostTurns = 8
  /// Counted by the task whose connection it is.
  private var turns = 0
  /// How often something was sent.
  private var sendings = 0
  /// The operation that waits.
  private var waiting: SocketOperation?

  /// Begins to connect.
  ///
  /// - Parameters:
  ///   - address: Where to.
  ///   - source: What to leave by.
  ///   - operation: The operation to notify, once, when the attempt ends.
  ///   - index: Which of its attempts this is.
  ///   - thread: The loop's thread.
  /// - Throws: ``Failure``.
  init(
    to address: SocketAddress, from source: ProbeSource?, for operation: ConnectOperation, attempt index: Int,
    on thread: LoopThread
  ) throws(Failure) {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = Glibc.socket(address.address.family == .v6 ? AF_INET6 : AF_INET, kind, 0)
    guard descriptor >= 0 else { throw .system(errno) }
    socket = StreamSocket(descriptor: descriptor)
    attempt = (operation, index)
    do throws(Failure) {
      guard !isAmongTheLast(descriptor) else { throw .system(EMFILE) }
      try prepare(source, for: address.address.family)
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
  func close(on thread: LoopThread) {
    attempt = nil
    thread.unwatch(socket.descriptor, isClosing: true)
    socket.close()
  }
}

extension LoopSocket {
  private func prepare(_ source: ProbeSource?, for family: IPFamily) throws(Failure) {
    switch source?.kind {
    case .address(let address): try bind(to: address)
    case .interface(let name): try bind(toInterface: name, for: family)
    case nil: break
    }
  }

  private func bind(to address: IPAddress) throws(Failure) {
    let result = unsafe SocketAddress(address, port: 0).withSocketAddress {
      unsafe Glibc.bind(socket.descriptor, $0, $1)
    }
    if result == 0 { return }
    switch errno {
    case EADDRNOTAVAIL, EAFNOSUPPORT, EINVAL, EACCES, EPERM: throw .source
    // Such as that all ports are taken.
    case let error: throw .system(error)
    }
  }

  /// Leaves by an interface; where the system reserves that for the superuser, by its address.
  private func bind(toInterface name: String, for family: IPFamily) throws(Failure) {
    let result = unsafe setsockopt(
      socket.descriptor, SOL_SOCKET, SO_BINDTODEVICE, name, socklen_t(name.utf8.count))
    if result == 0 { return }
    guard errno == EPERM, let address = Self.address(ofInterface: name, family) else { throw .source }
    try bind(to: address)
  }

  private static func address(ofInterface name: String, _ family: IPFamily) -> IPAddress? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return nil }
    defer { unsafe freeifaddrs(list) }
    var entry = unsafe list
    while let here = unsafe entry {
      unsafe entry = here.pointee.ifa_next
      guard unsafe String(cString: here.pointee.ifa_name) == name, let storage = unsafe here.pointee.ifa_addr,
        let address = unsafe IPAddress(socketAddress: storage), address.family == family
      else { continue }
      // A link-local address would need its zone.
      if address.reach == .network { return address }
    }
    return nil
  }
}

extension LoopSocket: DescriptorWatcher {
  func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread) {
    readiness.formUnion(events)
    if !events.isDisjoint(with: .endings) { isEnding = true }
    guard let attempt else {
      waiting?.goOn(on: thread)
      return
    }
    self.attempt = nil
    let error = events.isDisjoint(with: .broken) ? 0 : pendingError
    // A reset in place of an answer is a refusal: a connection that was reset has stood before, and there may be bytes to
    // read that came first. It must not depend on our own pace which of the two is seen.
    let wasReset = SystemError(error) == .reset
    if wasReset { breakage = error }
    attempt.operation.connected(attempt.index, wasReset ? 0 : error, on: thread)
  }

  /// The error of the connection, which is gone with this.
  private var pendingError: Int32 {
    var error: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    let result = unsafe getsockopt(socket.descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
    return result == 0 ? error : errno
  }
}

extension LoopSocket {
  /// Receives what is there, at most so many bytes; none at the peer's end.
  ///
  /// - Returns: nil when there is something to wait for.
  func receive(upTo limit: Int, on thread: LoopThread) -> SocketOutcome? {
    if rest != nil { sendRest() }
    guard isEnding || readiness.contains(.readable) else { return nil }
    let room = unsafe max(1, min(limit, thread.buffer.count))
    let part = unsafe UnsafeMutableRawBufferPointer(rebasing: thread.buffer[..<room])
    switch unsafe socket.receive(into: part) {
    case .bytes(let count):
      // Fewer than there was room for: whatever comes next is told of.
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

  /// Sends as many of the bytes, from a place on, as the system takes, and moves the place on.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - start: The place.
  ///   - leavesRest: Whether it ends as soon as there is something to receive; receiving then sends the rest.
  /// - Returns: nil when there is something to wait for.
  func send(_ bytes: [UInt8], from start: inout Int, leavesRest: Bool) -> SocketOutcome? {
    if rest != nil {
      sendRest()
      if let breakage { return .failed(breakage) }
      guard rest == nil else { return nil }
    }
    sendings += 1
    // It must not wait until what was sent before is acknowledged, as a request behind a handshake would.
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

  /// Sends what the system takes of the rest; where the connection breaks, what came before can still be received.
  private func sendRest() {
    guard case (let bytes, var start)? = rest.take() else { return }
    switch send(bytes, from: &start, leavesRest: false) {
    case nil: rest = (bytes, start)
    case .failed(let error): breakage = error
    default: break
    }
  }

  /// Whether its connection goes on at once; after some operations in a row others have their turn.
  func takesTurn() -> Bool {
    turns = (turns + 1) % Self.mostTurns
    return turns != 0
  }

  /// Has an operation told when something happens.
  func wait(_ operation: SocketOperation?) {
    waiting = operation
  }
}

/// How receiving or sending ended.
package enum SocketOutcome: Sendable {
  /// These bytes came; none means that the peer has finished sending.
  case received([UInt8])
  /// All bytes are with the operating system, or left to be sent while receiving.
  case sent
  /// The operating system's error.
  case failed(Int32)
  /// The deadline passed first.
  case timedOut
  /// The task was cancelled.
  case cancelled
}
