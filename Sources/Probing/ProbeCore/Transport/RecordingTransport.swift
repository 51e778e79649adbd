/// A transport that can record every byte of an exchange.
///
/// Captures use it. A record contains the bytes on the connection, inside TLS if there is any, before any
/// decoding. So it keeps chunk sizes, the case, order and white space of header fields, the reason phrase,
/// and invalid line endings.
public protocol RecordingTransport: ProbeTransport {
  /// Performs one exchange like ``ProbeTransport/probe(_:)``, and records the bytes sent and received.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - record: Receives the record once, before this method returns or throws. It is not called if no
  ///     connection was established, or no TLS session on one that requires it.
  /// - Returns: The response.
  /// - Throws: ``ProbeFailure`` with the reason and everything learned so far.
  func probe(
    _ request: ProbeRequest, recordingTo record: @escaping @Sendable (WireRecord) -> Void
  ) async throws -> ProbeResponse
}

/// The bytes sent and received on a connection in one exchange.
public struct WireRecord: Hashable, Sendable {
  /// How the peer ended the connection.
  public enum Ending: Hashable, Sendable {
    /// It closed its side (FIN; with TLS, after a close_notify).
    case finished
    /// It reset the connection.
    case reset
    /// It aborted TLS: an alert, or a FIN without close_notify (RFC 8446 §6.1).
    case broken
    /// It kept the connection open for as long as the client read from it.
    case open
  }

  /// The bytes sent.
  public var sent: [UInt8]
  /// The bytes received, including any that arrived after the end of the response.
  public var received: [UInt8]
  /// How the peer ended the connection.
  public var ending: Ending
  /// The address of this machine on the connection, or nil when it is not known.
  public var localAddress: IPAddress?

  /// Creates a record.
  public init(
    sent: [UInt8] = [], received: [UInt8] = [], ending: Ending = .open, localAddress: IPAddress? = nil
  ) {
    self.sent = sent
    self.received = received
    self.ending = ending
    self.localAddress = localAddress
  }
}
