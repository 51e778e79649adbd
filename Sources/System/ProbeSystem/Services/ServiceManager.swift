internal import Glibc
package import ProbeBase

/// The service manager that started this process and expects notifications (sd_notify(3)).
///
/// Each message is a datagram to the socket that is named in the environment.
package final class ServiceManager: Sendable {
  /// The interval of watchdog notifications, or nil if none are expected.
  ///
  /// It is half of the manager's timeout, as sd_watchdog_enabled(3) recommends, but within bounds: an
  /// impossibly short timeout would leave no time for anything else.
  package let watchdogInterval: Duration?
  private let address: [UInt8]
  private let socket: Int32
  private static let watchdogIntervals = Duration.milliseconds(100)...Duration.seconds(3600)

  /// Creates the manager that is named in the environment, or nil if none is.
  ///
  /// - Parameters:
  ///   - environment: The environment.
  ///   - process: The ID of this process.
  /// - Throws: ``InvalidInput`` if the address is invalid.
  package init?(_ environment: [String: String], process: Int32 = getpid()) throws(InvalidInput) {
    guard let name = environment["NOTIFY_SOCKET"], !name.isEmpty else { return nil }
    // A name that starts with @ is in the abstract namespace (unix(7)), where a zero byte replaces the @.
    var address = Array(name.utf8)
    if address[0] == UInt8(ascii: "@") { address[0] = 0 }
    let room = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
    guard name.hasPrefix("/") || name.hasPrefix("@"), address.count < room else {
      throw InvalidInput("NOTIFY_SOCKET: \(Excerpt(name)) is not the address of a local socket")
    }
    self.address = address
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else {
      throw InvalidInput("NOTIFY_SOCKET: \(unsafe String(cString: strerror(errno)))")
    }
    watchdogInterval = Self.watchdog(environment, process: process)
  }

  deinit { close(socket) }

  /// Sends a message.
  ///
  /// - Returns: Whether the manager accepted it.
  @discardableResult
  package func send(_ message: ServiceMessage) -> Bool {
    var target = sockaddr_un()
    target.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &target.sun_path) { path in
      for (index, byte) in address.enumerated() { unsafe path[index] = byte }
    }
    let isNamed = address[0] != 0
    let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    let length = socklen_t(truncatingIfNeeded: start + address.count + (isNamed ? 1 : 0))
    let bytes = Array(message.text.utf8)
    // A manager that does not read must not block the monitor.
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let sent = unsafe withUnsafePointer(to: &target) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe sendto(socket, bytes, bytes.count, flags, pointer, length)
      }
    }
    return sent == bytes.count
  }

  /// The time of CLOCK_MONOTONIC, which managers use.
  package static var monotonicTime: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private static func watchdog(_ environment: [String: String], process: Int32) -> Duration? {
    // The variables may be inherited and meant for another process.
    if let meant = environment["WATCHDOG_PID"], Int32(text: meant) != process { return nil }
    guard let text = environment["WATCHDOG_USEC"], let time = Int64(text: text, in: 1 ... .max) else {
      return nil
    }
    let bounds = watchdogIntervals
    return min(max(.microseconds(time) / 2, bounds.lowerBound), bounds.upperBound)
  }
}

/// A notification to the service manager: the assignments of sd_notify(3), a line each.
package struct ServiceMessage: Hashable, Sendable {
  /// The maximum number of characters of a status; the rest is cut off.
  private static let maximumStatusLength = 200

  /// The text of the datagram.
  let text: String

  /// The service is ready, or has reloaded its configuration.
  package static func ready(_ status: String) -> ServiceMessage {
    ServiceMessage(text: "READY=1\nSTATUS=\(line(status))")
  }

  /// The status, for people.
  package static func status(_ status: String) -> ServiceMessage {
    ServiceMessage(text: "STATUS=\(line(status))")
  }

  /// The service reloads its configuration.
  ///
  /// - Parameter time: The time of CLOCK_MONOTONIC.
  /// - Returns: The message.
  package static func reloading(at time: Duration) -> ServiceMessage {
    ServiceMessage(text: "RELOADING=1\nMONOTONIC_USEC=\(Int(bounding: time / .microseconds(1)))")
  }

  /// The service is about to stop.
  package static let stopping = ServiceMessage(text: "STOPPING=1")
  /// The service is responding.
  package static let watchdog = ServiceMessage(text: "WATCHDOG=1")

  private static func line(_ text: String) -> String {
    String(text.escapedForDisplay.prefix(maximumStatusLength))
  }
}
