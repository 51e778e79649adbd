import Dispatch
import FuzzSupport
import Glibc
@testable import ProbeTLS
import Synchronization

/// A server on loopback that sends the parts of a script over one connection.
///
/// If the client will begin TLS, it waits for that before each part but the first, and sends the rest inside TLS.
struct ScriptedPeer: Sendable {
  static let shared = ScriptedPeer()

  /// The port on which it listens.
  let port: UInt16
  private let listener: Int32
  /// A pipe, into which a byte is written when the probe has ended.
  private let ending: [Int32]
  private let context: ServerContext

  /// The time to wait for the client, which has nothing to send if it waits for the next part itself.
  private static let patience: Int32 = 100

  private init() {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var pipe: [Int32] = [0, 0]
    precondition(unsafe Glibc.pipe(&pipe) == 0)
    ending = pipe
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        precondition(unsafe bind(listener, address, size) == 0 && listen(listener, 8) == 0)
        precondition(unsafe getsockname(listener, address, &size) == 0)
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    do {
      context = try ServerContext(try CertificateAuthority().issue(LeafOptions(hosts: ["localhost"])))
    } catch { preconditionFailure("\(error)") }
  }

  /// The point at which a client begins TLS.
  enum Security {
    case none
    case atOnce
    case later
  }

  /// Runs a probe of this server, and sends the script to it.
  func serve<Result: Sendable>(
    _ script: [[UInt8]], _ security: Security, to probe: @escaping @Sendable () async -> Result
  ) -> Result {
    let outcome = Mutex<Result?>(nil)
    let end = ending[1]
    Task {
      let result = await probe()
      outcome.withLock { $0 = result }
      precondition(uninterrupted { unsafe write(end, [0], 1) } == 1)
    }
    if wait(for: [listener, ending[0]], timeout: -1) == listener {
      let connection = uninterrupted { accept(listener, nil, nil) }
      send(script, security, over: connection)
      close(connection)
    }
    var byte: UInt8 = 0
    precondition(uninterrupted { unsafe read(ending[0], &byte, 1) } == 1)
    // A probe that ended before it was accepted leaves its connection.
    while wait(for: [listener], timeout: 0) != nil {
      close(uninterrupted { accept(listener, nil, nil) })
    }
    guard let result = outcome.withLock({ $0 }) else { preconditionFailure("no result") }
    return result
  }

  /// The first of these descriptors that can be read; nil if none can in time.
  private func wait(for descriptors: [Int32], timeout: Int32) -> Int32? {
    var events = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let count = uninterrupted { unsafe poll(&events, nfds_t(events.count), timeout) }
    guard count > 0 else { return nil }
    return events.first { $0.revents != 0 }?.fd
  }

  private func send(_ script: [[UInt8]], _ security: Security, over socket: Int32) {
    var connection: ServerConnection?
    for (number, part) in script.enumerated() {
      let isTime = connection == nil && (security == .atOnce || number > 0 && security == .later)
      if isTime, clientBegins(TLS: 0x16, on: socket) {
        connection = try? ServerConnection(descriptor: socket, context: context)
        do { try connection?.handshake() } catch { return }
      }
      if let connection {
        do { try connection.write(part) } catch { return }
      } else if uninterrupted({ unsafe Glibc.send(socket, part, part.count, Int32(MSG_NOSIGNAL)) }) < 0 {
        return
      }
    }
    try? connection?.shutdown()
    shutdown(socket, Int32(SHUT_WR))
    // Unread data would reset the connection.
    while wait(for: [socket], timeout: Self.patience) != nil {
      var buffer = [UInt8](repeating: 0, count: 4096)
      guard uninterrupted({ unsafe recv(socket, &buffer, buffer.count, 0) }) > 0 else { break }
    }
  }

  /// Reads what the client sends before a TLS handshake; whether that follows.
  private func clientBegins(TLS handshake: UInt8, on socket: Int32) -> Bool {
    while wait(for: [socket], timeout: Self.patience) != nil {
      var byte: UInt8 = 0
      guard uninterrupted({ unsafe recv(socket, &byte, 1, Int32(MSG_PEEK)) }) == 1 else { return false }
      if byte == handshake { return true }
      unsafe recv(socket, &byte, 1, 0)
    }
    return false
  }
}
