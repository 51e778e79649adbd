/// Sends a request to its URL and returns the response; responsible for one or more URL schemes.
///
/// A transport performs one exchange and does not follow redirects. ``Prober`` follows them for every
/// transport, so that the policy applies to each hop. A transport respects the limits of the request, returns
/// promptly when its task is cancelled, and reads nothing from the environment.
public protocol ProbeTransport: Sendable {
  /// The schemes it supports, and whether each is encrypted.
  var schemes: [URLScheme: Encryption] { get }

  /// The executors on which tasks that use this transport run with the fewest thread switches; by default,
  /// none.
  ///
  /// There is one for each thread that the transport distributes its connections over; empty if the executor
  /// makes no difference. A task that prefers one (`Task(executorPreference:)`, `withTaskExecutorPreference`)
  /// shares a thread with its connections, so it must not block, and must run long work elsewhere. If there
  /// are only a few tasks, run them all on the first executor.
  var executors: [any TaskExecutor] { get }

  /// Checks a request before anything is sent; by default, accepts every request.
  ///
  /// - Throws: ``InvalidInput`` for a URL or an option that this transport does not support. Name
  ///   the settings at fault with `InvalidInput.about`; without one, the URL is reported.
  func check(_ request: ProbeRequest) throws(InvalidInput)

  /// Checks the files that a request names, before anything is sent; by default, checks nothing.
  ///
  /// - Throws: ``InvalidInput`` naming the file, and the setting that names it.
  func checkFiles(of request: ProbeRequest) throws(InvalidInput)

  /// The keys of `request` in a pipeline file that it supports for one of its schemes; by default,
  /// ``RequestKey/common``.
  ///
  /// Any other key is an error in the file.
  func requestKeys(for scheme: URLScheme) -> [RequestKey]

  /// Performs one exchange.
  ///
  /// - Throws: ``ProbeFailure`` with the reason and everything learned so far.
  func probe(_ request: ProbeRequest) async throws -> ProbeResponse
}

extension ProbeTransport {
  /// By default, none.
  public var executors: [any TaskExecutor] { [] }

  /// By default, accepts every request.
  public func check(_ request: ProbeRequest) throws(InvalidInput) {}

  /// By default, checks nothing.
  public func checkFiles(of request: ProbeRequest) throws(InvalidInput) {}

  /// By default, the keys common to all transports.
  public func requestKeys(for scheme: URLScheme) -> [RequestKey] { RequestKey.common }
}

/// A transport whose `probe` checks each request first, for callers that use it directly.
///
/// ``Prober`` calls ``probe(checked:)``, because it has already checked the request.
package protocol CheckedTransport: ProbeTransport {
  /// Performs one exchange for a request that `check` has accepted.
  ///
  /// - Throws: ``ProbeFailure`` with the reason and everything learned so far.
  func probe(checked request: ProbeRequest) async throws -> ProbeResponse
}

extension ProbeTransport {
  /// Throws if the request is not valid.
  ///
  /// - Throws: ``ProbeFailure`` with `request.invalid`.
  // Not inlined: otherwise each of thousands of waiting probes would reserve memory for it in its caller.
  @inline(never)
  package func refuseInvalid(_ request: ProbeRequest) throws(ProbeFailure) {
    do throws(InvalidInput) { try check(request) } catch {
      throw ProbeFailure(.invalidRequest, error.description)
    }
  }
}

/// A transport that can look up the addresses for a probe before it starts.
package protocol AddressFinding: ProbeTransport {
  /// Looks up the host that the probe of a request connects to, as the probe would.
  ///
  /// With the result in ``ProbeRequest/knownAddresses``, the probe performs no lookup.
  ///
  /// - Parameter request: The request, which ``ProbeTransport/check(_:)`` accepts.
  /// - Returns: The addresses, including those that the rules of the request refuse; nil if the host that the
  ///   probe connects to cannot be determined.
  /// - Throws: ``ProbeFailure`` as the probe would throw it.
  func addresses(for request: ProbeRequest) async throws(ProbeFailure) -> FoundAddresses?
}

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
