import ProbeBase

/// A notification to the service manager: the assignments of sd_notify(3), a line each.
package struct ServiceMessage: Hashable, Sendable {
  /// The maximum length of a status.
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
