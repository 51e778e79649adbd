private import Glibc
internal import ProbeBase
internal import ProbeSystem

/// A UDP server on a free port of 127.0.0.1 that responds to each datagram as a script says.
package final class LoopbackDatagrams: Sendable {
  /// The datagrams to send back for a received one, of which this is the number, from 1.
  package typealias Responses = @Sendable (_ bytes: [UInt8], _ number: Int) -> [[UInt8]]

  /// The machine has no socket or thread left.
  package struct Failed: Error {}

  package let port: UInt16
  private let descriptor: Int32
  private let thread: WorkerThread
  private let log: Guarded<[[UInt8]]>

  /// Starts a server.
  package init(_ responses: @escaping Responses) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw Failed() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, size) == 0 ? unsafe getsockname(descriptor, address, &size) : -1
      }
    }
    guard result == 0 else {
      close(descriptor)
      throw Failed()
    }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
    let log = Guarded<[[UInt8]]>([])
    self.log = log
    thread = try WorkerThread(named: "test-udp") { Self.serve(descriptor, responses, log) }
  }

  deinit {
    // A blocked recvfrom returns 0 then, although the socket has no peer.
    shutdown(descriptor, Int32(SHUT_RDWR))
    thread.join()
    close(descriptor)
  }

  /// The datagrams received so far.
  package var received: [[UInt8]] { log.withLock { $0 } }

  private static func serve(_ descriptor: Int32, _ responses: Responses, _ log: Guarded<[[UInt8]]>) {
    var room = [UInt8](repeating: 0, count: 65536)
    while true {
      var from = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let count = unsafe withUnsafeMutablePointer(to: &from) { from in
        unsafe from.withMemoryRebound(to: sockaddr.self, capacity: 1) { from in
          unsafe recvfrom(descriptor, &room, room.count, 0, from, &size)
        }
      }
      // Nothing has an address only if the socket was shut down; these tests send no empty datagrams.
      guard count > 0 else { return }
      let bytes = Array(room.prefix(count))
      let number = log.withLock { log in
        log.append(bytes)
        return log.count
      }
      for response in responses(bytes, number) {
        _ = unsafe withUnsafePointer(to: &from) { from in
          unsafe from.withMemoryRebound(to: sockaddr.self, capacity: 1) { from in
            unsafe sendto(descriptor, response, response.count, Int32(MSG_NOSIGNAL), from, size)
          }
        }
      }
    }
  }
}
