/// A transport that can tell every byte of an exchange as it went over the wire.
///
/// A capture is made with it. What it tells is what stood on the connection, inside TLS where there is any, in front of
/// every decoding: chunk sizes, the case, order and white space of header fields, the reason phrase, broken line ends.
public protocol RecordingTransport: ProbeTransport {
  /// Does one exchange like ``ProbeTransport/probe(_:)``, and tells what went over the wire.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - record: Is told once, before this returns or throws, unless there never was a connection, or no TLS session
  ///     on one that wants it.
  /// - Returns: The answer.
  /// - Throws: ``ProbeFailure`` with the reason and what was learnt so far.
  func probe(
    _ request: ProbeRequest, recordingTo record: @escaping @Sendable (WireRecord) -> Void
  ) async throws -> ProbeResponse
}

/// What went over a connection in one exchange.
public struct WireRecord: Hashable, Sendable {
  /// How the peer left the connection.
  public enum Ending: Hashable, Sendable {
    /// It ended its side (FIN, inside TLS after a close_notify).
    case finished
    /// It reset the connection.
    case reset
    /// It broke off inside TLS: an alert, or a FIN without close_notify (RFC 8446 §6.1).
    case broken
    /// It left the connection standing as long as anybody listened.
    case open
  }

  /// The bytes sent.
  public var sent: [UInt8]
  /// The bytes received, also those behind the end of the answer that came with it.
  public var received: [UInt8]
  /// How the peer left the connection.
  public var ending: Ending
  /// The address of this machine on the connection, or nil when it is not known.
  public var localAddress: IPAddress?

  /// A record.
  public init(
    sent: [UInt8] = [], received: [UInt8] = [], ending: Ending = .open, localAddress: IPAddress? = nil
  ) {
    self.sent = sent
    self.received = received
    self.ending = ending
    self.localAddress = localAddress
  }
}
