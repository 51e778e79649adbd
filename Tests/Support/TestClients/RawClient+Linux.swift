internal import Glibc

/// A minimal TCP client on loopback, for tests of the connection itself.
///
/// Every wait has a timeout, and returns what was received before it. It blocks its thread.
package final class RawClient {
  package enum Failure: Error, Equatable {
    case connectionReset
    case timedOut
    case system(Int32)

    init(_ code: Int32) {
      self = code == ECONNRESET ? .connectionReset : .system(code)
    }
  }

  /// Why receiving ended.
  package enum Ending: Equatable, Sendable {
    /// The requested number of bytes was received.
    case enough
    /// The server closed its sending side (FIN).
    case fin
    /// The server reset the connection (RST).
    case reset
    /// The connection is open, and nothing more was received before the timeout.
    case silence
  }

  package struct Reception: Equatable, Sendable {
    package var bytes: [UInt8]
    package var ending: Ending

    /// Creates the expected result of a reception.
    package init(_ bytes: [UInt8], _ ending: Ending) {
      self.bytes = bytes
      self.ending = ending
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// The time limit for an expected event, long enough for a loaded machine.
  package static let patience = Duration.seconds(60)

  private let descriptor: Int32
  /// Whether the server reset the connection before it was seen as established; the system reports that only
  /// once.
  private var wasResetAtOnce = false

  /// A connection to a port of this machine.
  ///
  /// - Parameters:
  ///   - port: The port.
  ///   - overV6: Whether it is a port of ::1 instead of 127.0.0.1.
  ///   - limit: How long to wait for the connection.
  /// - Throws: ``Failure``, ``Failure/timedOut`` when the server does not respond.
  package init(port: UInt16, overV6: Bool = false, within limit: Duration = RawClient.patience)
    throws(Failure)
  {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    descriptor = socket(overV6 ? AF_INET6 : AF_INET, kind, 0)
    // The deinitializer closes it, also after an error here.
    if Self.connect(descriptor, overV6: overV6, port) != 0 {
      guard errno == EINPROGRESS else { throw Failure(errno) }
      guard wait(for: POLLOUT, until: .now + limit) != 0 else { throw .timedOut }
      var code: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
      guard code == 0 || code == ECONNRESET else { throw Failure(code) }
      wasResetAtOnce = code == ECONNRESET
    }
    // So that each piece is sent in a separate segment.
    var on: Int32 = 1
    unsafe setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit {
    close(descriptor)
  }
}

extension RawClient {
  /// Sends bytes, all at once or in pieces of this size, a segment each.
  package func send(
    _ bytes: [UInt8], inPiecesOf size: Int = .max, within limit: Duration = RawClient.patience
  ) throws(Failure) {
    guard !wasResetAtOnce else { throw .connectionReset }
    let deadline = ContinuousClock.now + limit
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(size))
      let count = unsafe Glibc.send(descriptor, piece, piece.count, Int32(MSG_NOSIGNAL))
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EAGAIN {
        throw Failure(errno)
      } else if wait(for: POLLOUT, until: deadline) == 0 {
        throw .timedOut
      }
    }
  }

  /// Closes this side (sends a FIN).
  package func shutdownWrite() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Closes the connection with an RST at the end of this object.
  package func resetAtEnd() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
  }

  /// Receives until this many bytes are received, the connection ends, or the time is over.
  package func receive(upTo count: Int = .max, within limit: Duration = RawClient.patience) -> Reception {
    guard !wasResetAtOnce else { return Reception([], .reset) }
    let deadline = ContinuousClock.now + limit
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16 * 1024)
    while bytes.count < count {
      let received = unsafe recv(descriptor, &chunk, min(chunk.count, count - bytes.count), 0)
      if received > 0 {
        bytes += chunk.prefix(received)
      } else if received == 0 {
        return Reception(bytes, .fin)
      } else if errno != EAGAIN {
        return Reception(bytes, .reset)
      } else if wait(for: POLLIN, until: deadline) == 0 {
        return Reception(bytes, .silence)
      }
    }
    return Reception(bytes, .enough)
  }

  /// Receives the available bytes, waiting for the first ones.
  package func receivePart(within limit: Duration = RawClient.patience) -> Reception {
    var part = receive(upTo: 1, within: limit)
    guard part.ending == .enough else { return part }
    // No more than fits one read, for a server that never stops.
    let rest = receive(upTo: 16 * 1024, within: .zero)
    part.bytes += rest.bytes
    part.ending = rest.ending == .silence ? .enough : rest.ending
    return part
  }

  /// Whether the server resets the connection within this time, for instance after bytes that it no longer
  /// accepts.
  ///
  /// Bytes received before stay unread. A FIN alone is not a reset, so that this distinguishes a half-closed
  /// connection from a closed one.
  package func isReset(within limit: Duration = RawClient.patience) -> Bool {
    wasResetAtOnce || wait(for: 0, until: .now + limit) & POLLERR != 0
  }

  /// Receives everything up to the server's FIN.
  ///
  /// - Throws: ``Failure`` when it ends in another way.
  package func receiveToEnd() throws(Failure) -> [UInt8] {
    let reception = receive()
    switch reception.ending {
    case .reset: throw .connectionReset
    case .silence: throw .timedOut
    case .fin, .enough: return reception.bytes
    }
  }

  /// Receives everything up to the server's FIN, as text.
  ///
  /// - Throws: ``Failure`` when it ends in another way.
  package func receiveText() throws(Failure) -> String {
    String(decoding: try receiveToEnd(), as: UTF8.self)
  }
}

extension RawClient {
  /// Whether no process listens at a port of this machine.
  package static func refuses(port: UInt16) -> Bool {
    do throws(Failure) {
      _ = try RawClient(port: port)
      return false
    } catch {
      return error == .system(ECONNREFUSED)
    }
  }

  /// Whether an attempt to connect has had no result within this time.
  package static func isStillConnecting(port: UInt16, after limit: Duration) -> Bool {
    do throws(Failure) {
      _ = try RawClient(port: port, within: limit)
      return false
    } catch {
      return error == .timedOut
    }
  }

  /// Waits for events of poll(2), and for errors in any case; none when the time is over.
  private func wait(for events: Int32, until deadline: ContinuousClock.Instant) -> Int32 {
    while true {
      let left = max(.zero, deadline - .now)
      // Rounded up, so that the last wait is not a busy one.
      let milliseconds = left / .milliseconds(1)
      var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let count = unsafe poll(&entry, 1, Int32(min(milliseconds.rounded(.up), 86_400_000)))
      if count > 0 { return Int32(entry.revents) }
      if count == 0 || errno != EINTR { return 0 }
    }
  }

  private static func connect(_ descriptor: Int32, overV6: Bool, _ port: UInt16) -> Int32 {
    if overV6 {
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
