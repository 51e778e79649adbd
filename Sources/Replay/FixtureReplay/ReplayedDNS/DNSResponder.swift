import ProbeBase
internal import CProbeSystem
internal import Glibc
internal import ProbeCore
internal import ProbeStreams
internal import ProbeSystem

/// The DNS server of a replayed network, over UDP and TCP, on the thread of the server's loop.
///
/// ``ReplayedNames`` determines its answers. A message that is not a query is dropped.
final class DNSResponder {
  /// The maximum number of datagrams handled before other connections have their turn.
  private static let maximumDatagramsAtOnce = 64
  /// The maximum number of connections; a further one replaces the one that has been open longest.
  private static let maximumStreams = 64

  private let sockets: DNSSockets
  private let names: ReplayedNames
  /// Connections, in the order in which they were accepted.
  private var streams: [DNSStream] = []

  init(_ sockets: DNSSockets, _ names: ReplayedNames) {
    self.sockets = sockets
    self.names = names
  }

  /// Starts to handle queries.
  func start(on thread: LoopThread) {
    _ = thread.watch(sockets.datagrams, .readable, self)
    _ = thread.watch(sockets.listener.descriptor, .readable, self)
  }

  /// Closes everything.
  func stop(on thread: LoopThread) {
    for stream in streams { stream.close(on: thread) }
    streams = []
    thread.unwatch(sockets.datagrams, isClosing: true)
    thread.unwatch(sockets.listener.descriptor, isClosing: true)
  }

  /// The response to a message, or nil if there is none.
  fileprivate func response(to message: [UInt8]) -> [UInt8]? {
    guard let request = try? DNSRequest(message) else { return nil }
    guard case .response(let code, let addresses) = names.answer(request) else { return nil }
    return try? request.response(code, addresses)
  }
}

extension DNSResponder: DescriptorWatcher {
  func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread) {
    if descriptor == sockets.datagrams { respondToDatagrams(on: thread) } else { accept(on: thread) }
  }

  private func respondToDatagrams(on thread: LoopThread) {
    for _ in 0..<Self.maximumDatagramsAtOnce {
      guard let (message, sender) = unsafe sockets.receive(into: thread.buffer) else { return }
      if let response = response(to: message) { sockets.send(response, to: sender) }
    }
  }

  private func accept(on thread: LoopThread) {
    while let descriptor = sockets.listener.accept().descriptor {
      let stream = DNSStream(StreamSocket(descriptor: descriptor), of: self)
      guard stream.start(on: thread) else { continue }
      if streams.count == Self.maximumStreams { streams.removeFirst().close(on: thread) }
      streams.append(stream)
    }
  }

  fileprivate func remove(_ stream: DNSStream) {
    streams.removeAll { $0 === stream }
  }
}

/// A connection to the DNS server: each message follows its length (RFC 1035 §4.2.2).
private final class DNSStream: DescriptorWatcher, TimerReceiver {
  /// How long a connection may stay open.
  private static let maximumLifetime = Duration.seconds(10)

  private let socket: StreamSocket
  private unowned let responder: DNSResponder
  private var received: [UInt8] = []
  private var output: [UInt8] = []
  private var timer: LoopTimer?

  init(_ socket: StreamSocket, of responder: DNSResponder) {
    self.socket = socket
    self.responder = responder
  }

  func start(on thread: LoopThread) -> Bool {
    guard thread.watch(socket.descriptor, .readable, self) else {
      socket.close()
      return false
    }
    timer = thread.setTimer(at: .now + Self.maximumLifetime, for: self)
    return true
  }

  func close(on thread: LoopThread) {
    if let timer { thread.cancel(timer) }
    thread.unwatch(socket.descriptor, isClosing: true)
    socket.close()
  }

  func timerFired(on thread: LoopThread) {
    timer = nil
    end(on: thread)
  }

  func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread) {
    // While responses are waiting, no further queries are read.
    if output.isEmpty {
      switch unsafe socket.receive(into: thread.buffer) {
      case .nothing: return
      case .end, .broken: return end(on: thread)
      case .bytes(let count): unsafe received += thread.buffer[..<count]
      }
      respondToMessages()
    }
    guard case .bytes(let sent) = socket.send(output, from: 0) else { return end(on: thread) }
    output.removeFirst(sent)
    thread.change(descriptor, output.isEmpty ? .readable : .writable)
  }

  private func respondToMessages() {
    var rest = received[...]
    while rest.count > 1 {
      let length = Int(widening: rest[rest.startIndex]) << 8 | Int(widening: rest[rest.startIndex + 1])
      guard rest.count >= 2 + length else { break }
      let message = Array(rest.dropFirst(2).prefix(length))
      rest = rest.dropFirst(2 + length)
      guard let response = responder.response(to: message) else { continue }
      output +=
        [UInt8(truncatingIfNeeded: response.count >> 8), UInt8(truncatingIfNeeded: response.count)] + response
    }
    received = Array(rest)
  }

  private func end(on thread: LoopThread) {
    close(on: thread)
    responder.remove(self)
  }
}

/// The sockets of a DNS server: one port, for UDP and for TCP; they are closed when deinitialized.
final class DNSSockets: Sendable {
  /// The sender of a datagram, in the form for system calls.
  struct Sender {
    fileprivate var storage = sockaddr_storage()
    fileprivate var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
  }

  /// The socket for UDP.
  let datagrams: Int32
  /// The socket for TCP.
  let listener: ListeningSocket

  /// Binds both to a free port of an address.
  ///
  /// - Throws: ``ReplayError``.
  init(at address: IPAddress) throws(ReplayError) {
    // A port that is free for TCP may be in use for UDP.
    for _ in 0..<100 {
      let listener = try ListeningSocket(SocketAddress(address, port: 0), mode: .open)
      let family = address.family == .v6 ? AF_INET6 : AF_INET
      let datagrams = probe_open_socket(family, probe_datagram, 0)
      guard datagrams >= 0 else { throw ReplayError(.noResources, "cannot create a socket for DNS") }
      if unsafe listener.address.withSocketAddress({ unsafe bind(datagrams, $0, $1) }) == 0 {
        self.datagrams = datagrams
        self.listener = listener
        return
      }
      close(datagrams)
    }
    throw ReplayError(.cannotBind, "no port of \(address) is free for DNS over UDP and TCP")
  }

  deinit {
    close(datagrams)
  }

  /// Receives a datagram without blocking, or nil if there is none.
  func receive(into buffer: UnsafeMutableRawBufferPointer) -> (message: [UInt8], sender: Sender)? {
    var sender = Sender()
    let count = unsafe withUnsafeMutableBytes(of: &sender.storage) { storage in
      unsafe recvfrom(
        datagrams, buffer.baseAddress, buffer.count, 0,
        storage.baseAddress?.assumingMemoryBound(to: sockaddr.self), &sender.size)
    }
    guard count >= 0 else { return nil }
    return unsafe (Array(buffer[..<count]), sender)
  }

  /// Sends a datagram; one for which there is no room is lost, as on the network.
  func send(_ message: [UInt8], to sender: Sender) {
    _ = unsafe withUnsafeBytes(of: sender.storage) { storage in
      unsafe sendto(
        datagrams, message, message.count, Int32(MSG_NOSIGNAL),
        storage.baseAddress?.assumingMemoryBound(to: sockaddr.self), sender.size)
    }
  }
}
