import Glibc
import LoopbackServer

/// The barest TCP client.
final class TestClient {
  enum Failure: Error, Equatable {
    case connectionReset
    case system(Int32)

    init(_ code: Int32) {
      self = code == ECONNRESET ? .connectionReset : .system(code)
    }
  }

  private let descriptor: Int32

  init(on address: LoopbackAddress = .v4, port: UInt16) throws {
    descriptor = socket(
      address == .v6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    // The end of this object closes it, also when it comes here already.
    guard Self.connect(descriptor, address, port) == 0 else { throw Failure(errno) }
  }

  deinit {
    close(descriptor)
  }

  func send(_ bytes: [UInt8]) throws {
    let count = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    if count != bytes.count { throw Failure(errno) }
  }

  func shutdownWrite() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  func receiveToEnd() throws -> [UInt8] {
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
      if count == 0 { return result }
      if count < 0 { throw Failure(errno) }
      result += chunk.prefix(count)
    }
  }

  func receiveText() throws -> String {
    String(decoding: try receiveToEnd(), as: UTF8.self)
  }

  func receiveError() -> Failure? {
    do {
      _ = try receiveToEnd()
      return nil
    } catch {
      return error as? Failure
    }
  }
}

extension TestClient {
  static func wait(until condition: () -> Bool) {
    while !condition() { sched_yield() }
  }

  static func refuses(port: UInt16) -> Bool {
    do {
      _ = try TestClient(port: port)
      return false
    } catch {
      return error as? Failure == .system(ECONNREFUSED)
    }
  }

  /// Whether an attempt to connect has come to nothing within so many milliseconds.
  static func isStillConnecting(port: UInt16, after milliseconds: Int32) -> Bool {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_INET, kind, 0)
    defer { close(descriptor) }
    guard connect(descriptor, .v4, port) == -1, errno == EINPROGRESS else { return false }
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&entry, 1, milliseconds) == 0
  }

  /// How many descriptors of this process are sockets at this port of this machine.
  static func serverDescriptors(port: UInt16) -> Int {
    (0..<1024).count { descriptor in
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = unsafe withUnsafeMutablePointer(to: &address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe getsockname(Int32(descriptor), $0, &size)
        }
      }
      return result == 0 && address.sin_port == port.bigEndian
    }
  }

  private static func connect(_ descriptor: Int32, _ address: LoopbackAddress, _ port: UInt16) -> Int32 {
    if address == .v6 {
      var six = sockaddr_in6()
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = port.bigEndian
      six.sin6_addr = in6addr_loopback
      return unsafe withUnsafePointer(to: six) { six in
        unsafe six.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    }
    var four = sockaddr_in()
    four.sin_family = sa_family_t(AF_INET)
    four.sin_port = port.bigEndian
    four.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return unsafe withUnsafePointer(to: four) { four in
      unsafe four.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
