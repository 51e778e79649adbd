internal import CProbeSystem
private import Glibc
internal import ProbeBase
package import ProbeCore
internal import ProbeSystem

/// A DNS server on a free port of 127.0.0.1 or ::1, over UDP and TCP.
package final class LoopbackDNS: Sendable {
  /// Creates the responses to a question: none, one or several, each a complete message.
  package typealias Responses = @Sendable (DNSQuestion) -> [[UInt8]]

  /// The machine has no socket or thread left.
  package struct Failed: Error {}

  package let address: SocketAddress
  private let worker: DNSWorker
  private let thread: WorkerThread

  /// Starts a server.
  package init(isV6: Bool = false, _ responses: @escaping Responses) throws {
    let host = isV6 ? IPAddress(v6: 1) : IPAddress(v4: 0x7F00_0001)
    guard let worker = DNSWorker(responses, at: host) else { throw Failed() }
    self.worker = worker
    address = SocketAddress(host, port: worker.port)
    thread = try WorkerThread(named: "test-dns") { worker.run() }
  }

  deinit {
    worker.stop()
    thread.join()
  }

  /// The questions received so far.
  package var questions: [DNSQuestion] { worker.questions.withLock { $0 } }
}

/// The work of a server's thread.
private final class DNSWorker: Sendable {
  private static let ids: (datagrams: UInt64, listener: UInt64) = (1 << 32, 1 << 33)

  let port: UInt16
  let questions = Guarded<[DNSQuestion]>([])
  private let responses: LoopbackDNS.Responses
  private let poller: Poller
  private let datagrams: Int32
  private let listener: Int32
  private let isStopped = Guarded(false)

  init?(_ responses: @escaping LoopbackDNS.Responses, at host: IPAddress) {
    guard let poller = Poller() else { return nil }
    // A port that is free for TCP may be in use for UDP.
    for _ in 0..<100 {
      guard let listener = Self.socket(SOCK_STREAM, at: SocketAddress(host, port: 0)) else { return nil }
      let port = unsafe Self.end(of: listener, getsockname)
      if let datagrams = Self.socket(SOCK_DGRAM, at: SocketAddress(host, port: port)),
        listen(listener, 64) == 0
      {
        self.responses = responses
        self.poller = poller
        self.datagrams = datagrams
        self.listener = listener
        self.port = port
        _ = poller.add(datagrams, .readable, id: Self.ids.datagrams)
        _ = poller.add(listener, .readable, id: Self.ids.listener)
        return
      }
      close(listener)
    }
    return nil
  }

  deinit {
    close(datagrams)
    close(listener)
  }

  func stop() {
    isStopped.withLock { $0 = true }
    poller.wake()
  }

  func run() {
    var events = [probe_event](repeating: probe_event(), count: 16)
    var streams: [Int32: [UInt8]] = [:]
    while !isStopped.withLock({ $0 }) {
      let count = poller.wait(into: &events, milliseconds: nil)
      for event in events.prefix(count) {
        switch event.id {
        case Self.ids.datagrams: respondToDatagrams()
        case Self.ids.listener:
          let stream = probe_accept_nonblocking(listener)
          guard stream >= 0 else { continue }
          streams[stream] = []
          _ = poller.add(stream, .readable, id: UInt64(stream))
        default:
          let stream = Int32(event.id)
          guard !read(stream, into: &streams[stream, default: []]) else { continue }
          streams[stream] = nil
          // A child that is being started may still have it open.
          poller.remove(stream)
          close(stream)
        }
      }
    }
    streams.keys.forEach { close($0) }
  }

  private func respondToDatagrams() {
    var room = [UInt8](repeating: 0, count: 65536)
    while true {
      var from = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let count = unsafe withUnsafeMutablePointer(to: &from) { from in
        unsafe from.withMemoryRebound(to: sockaddr.self, capacity: 1) { from in
          unsafe recvfrom(datagrams, &room, room.count, 0, from, &size)
        }
      }
      guard count >= 0 else { return }
      for response in respond(to: Array(room.prefix(count)), isTCP: false, port: Self.port(of: from)) {
        _ = unsafe withUnsafePointer(to: &from) { from in
          unsafe from.withMemoryRebound(to: sockaddr.self, capacity: 1) { from in
            unsafe sendto(datagrams, response, response.count, Int32(MSG_NOSIGNAL), from, size)
          }
        }
      }
    }
  }

  /// Reads from a TCP stream, and responds to the queries that are now complete.
  ///
  /// - Returns: Whether the stream continues.
  private func read(_ stream: Int32, into bytes: inout [UInt8]) -> Bool {
    var room = [UInt8](repeating: 0, count: 65536)
    let count = unsafe recv(stream, &room, room.count, 0)
    guard count > 0 else { return count < 0 && errno == EAGAIN }
    bytes += room.prefix(count)
    while bytes.count > 1 {
      let end = 2 + Int(bytes[0]) << 8 + Int(bytes[1])
      guard bytes.count >= end else { break }
      let port = unsafe Self.end(of: stream, getpeername)
      for response in respond(to: Array(bytes[2..<end]), isTCP: true, port: port) {
        let all = [UInt8(response.count >> 8), UInt8(truncatingIfNeeded: response.count)] + response
        _ = unsafe send(stream, all, all.count, Int32(MSG_NOSIGNAL))
      }
      bytes.removeFirst(end)
    }
    return true
  }

  private func respond(to message: [UInt8], isTCP: Bool, port: UInt16) -> [[UInt8]] {
    guard var question = DNSQuestion(message) else { return [] }
    question.isTCP = isTCP
    question.port = port
    questions.withLock { [question] in $0.append(question) }
    return responses(question)
  }

  private static func socket(_ kind: __socket_type, at address: SocketAddress) -> Int32? {
    let descriptor = Glibc.socket(
      address.address.family == .v6 ? AF_INET6 : AF_INET,
      Int32((kind.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)), 0)
    guard descriptor >= 0 else { return nil }
    let result = unsafe address.withSocketAddress { unsafe bind(descriptor, $0, $1) }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// The port of one end of a socket.
  private static func end(
    of descriptor: Int32,
    _ call: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
  ) -> UInt16 {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    _ = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe call(descriptor, address, &size)
      }
    }
    return port(of: address)
  }

  private static func port(of address: sockaddr_storage) -> UInt16 {
    // At the same offset for both families.
    unsafe withUnsafeBytes(of: address) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
  }
}
