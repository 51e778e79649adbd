import ProbeCore

/// What a service tells the manager that started it: the assignments of sd_notify(3), a line each.
struct ServiceMessage: Hashable, Sendable {
  /// How long a status may be.
  private static let longestStatus = 200

  /// The text of the datagram.
  let text: String

  /// That the service is ready, or has read its configuration anew.
  static func ready(_ status: String) -> ServiceMessage {
    ServiceMessage(text: "READY=1\nSTATUS=\(line(status))")
  }

  /// How things are, for a person.
  static func status(_ status: String) -> ServiceMessage {
    ServiceMessage(text: "STATUS=\(line(status))")
  }

  /// That the service reads its configuration anew.
  ///
  /// - Parameter time: The time of CLOCK_MONOTONIC.
  /// - Returns: The message.
  static func reloading(at time: Duration) -> ServiceMessage {
    ServiceMessage(text: "RELOADING=1\nMONOTONIC_USEC=\(Int(time / .microseconds(1)))")
  }

  /// That the service is about to end.
  static let stopping = ServiceMessage(text: "STOPPING=1")
  /// That all is well.
  static let watchdog = ServiceMessage(text: "WATCHDOG=1")

  private static func line(_ text: String) -> String {
    String(text.escapedForDisplay.prefix(longestStatus))
  }
}
