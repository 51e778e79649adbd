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
  /// - Throws: ``InvalidInput`` for a URL or an option that this transport does not support.
  func check(_ request: ProbeRequest) throws(InvalidInput)

  /// Checks the files that a request names, before anything is sent; by default, checks nothing.
  ///
  /// - Throws: ``InvalidInput`` naming the file.
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
