/// Carries a request to its URL and brings the answer back; owns URL schemes.
///
/// A transport does one exchange and does not follow redirects: ``Prober`` does that for every transport, so that
/// the policy holds for each hop. It keeps to the request's limits, ends promptly when its task is cancelled, and
/// takes nothing from the environment.
public protocol ProbeTransport: Sendable {
  /// The schemes it carries, and whether each is encrypted.
  var schemes: [URLScheme: Encryption] { get }

  /// Where tasks that probe with it run with the fewest changes of thread, one for each thread that it spreads its
  /// connections over; none when it makes no difference.
  ///
  /// A task that prefers one (`Task(executorPreference:)`, `withTaskExecutorPreference`) shares a thread with its
  /// connections, so it must not block, and what takes long belongs elsewhere. Few tasks are best kept together on the
  /// first. Empty unless defined otherwise.
  var executors: [any TaskExecutor] { get }

  /// Says what is wrong with a request before anything is sent. Nothing, unless defined otherwise.
  ///
  /// - Throws: ``InvalidInput`` for a URL or an option this transport cannot use.
  func check(_ request: ProbeRequest) throws(InvalidInput)

  /// Says what is wrong with the files a request names, before anything is sent. Nothing, unless defined otherwise.
  ///
  /// - Throws: ``InvalidInput`` naming the file.
  func checkFiles(of request: ProbeRequest) throws(InvalidInput)

  /// The keys of `request` in a pipeline file that it knows for one of its schemes; those that hold for every transport
  /// (``RequestKey/common``), unless defined otherwise.
  ///
  /// A key that is not among them is a mistake of the file.
  func requestKeys(for scheme: URLScheme) -> [RequestKey]

  /// Does one exchange.
  ///
  /// - Throws: ``ProbeFailure`` with the reason and what was learnt so far.
  func probe(_ request: ProbeRequest) async throws -> ProbeResponse
}

extension ProbeTransport {
  /// A transport without a thread of its own runs anywhere.
  public var executors: [any TaskExecutor] { [] }

  /// A transport without demands of its own takes every request.
  public func check(_ request: ProbeRequest) throws(InvalidInput) {}

  /// A transport that reads no files has nothing to say of them.
  public func checkFiles(of request: ProbeRequest) throws(InvalidInput) {}

  /// A transport without keys of its own knows the common ones.
  public func requestKeys(for scheme: URLScheme) -> [RequestKey] { RequestKey.common }
}
