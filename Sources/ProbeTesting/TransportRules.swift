/// The rules for transports.
///
/// That a scheme of another transport is refused is not among them: ``Prober`` looks for the transport by the scheme,
/// for every transport, and asks none for what it does not carry.
extension ConformanceRule {
  /// It carries at least one scheme, always the same ones, and each can stand in a URL (RFC 3986 §3.1).
  ///
  /// A scheme with another character in it could never be probed.
  public static let transportSchemes = ConformanceRule(
    "transport.schemes", "its schemes are constant and can stand in a URL")

  /// Each of its schemes has scenarios, at least an answer; otherwise nothing is known of it.
  public static let transportScenarios = ConformanceRule(
    "transport.scenarios", "each of its schemes has scenarios")

  /// Its `check` takes the requests it can carry.
  public static let transportCheck = ConformanceRule(
    "transport.check", "check takes the requests it can carry")

  /// An answer has the content that was sent, whole, and not marked as cut; also after everything else that was done
  /// with the transport.
  public static let transportAnswer = ConformanceRule("transport.answer", "an answer has the content sent")

  /// The answer's URL, also in what was learnt before a failure, is the request's: reports and the policy go by it.
  public static let transportURL = ConformanceRule("transport.url", "an answer's URL is the request's")

  /// A redirect is an answer, with status and Location, and is not followed, however many redirects the request
  /// allows: `Prober` follows, so that the policy holds for each hop.
  public static let transportRedirect = ConformanceRule(
    "transport.redirect", "a redirect is an answer and is not followed")

  /// No more of the body is kept than `maxBody`, also when that is nothing, and `bodyIsCut` says when there was more.
  public static let transportMaxBody = ConformanceRule(
    "transport.maxBody", "maxBody is kept, and bodyIsCut tells when there was more")

  /// A head larger than `maxHead` fails the probe; a server could send one without end.
  public static let transportMaxHead = ConformanceRule(
    "transport.maxHead", "a head larger than maxHead fails the probe")

  /// A probe without an answer ends when its time is over, with a reason of the area `timeout`.
  public static let transportTimeout = ConformanceRule(
    "transport.timeout", "a probe without an answer ends in time, with timeout.*")

  /// A cancelled probe ends at once, with `cancelled` or a `CancellationError`, be it cancelled before it starts or at
  /// any moment after; a run that is over, or interrupted, waits for it.
  public static let transportCancellation = ConformanceRule(
    "transport.cancellation", "a cancelled probe ends at once, with cancelled")

  /// What it throws is a `ProbeFailure`; any other error is reported as `transport.failure`, which says nothing.
  public static let transportErrors = ConformanceRule("transport.errors", "it throws ProbeFailure")

  /// A place that refuses fails the probe, for the expected reason.
  public static let transportRefusal = ConformanceRule(
    "transport.refusal", "a refusal fails the probe for the right reason")

  /// A failure's reason is a code of ProbeKit or of the form `area.word`, and its detail is one line in at most 4096
  /// bytes, safe to print.
  public static let transportWords = ConformanceRule(
    "transport.words", "a failure's reason is well-formed, its detail one line and safe to print")

  /// No phase takes a negative time, together they take no more than the total, and the total is no more than the time
  /// that passed outside.
  public static let transportTimings = ConformanceRule("transport.timings", "the timings add up")

  /// Many probes at once get their own answers, while others are cancelled.
  public static let transportManyAtOnce = ConformanceRule(
    "transport.manyAtOnce", "many probes at once get each its own answer")

  /// Nothing stays open: a monitor probes for months.
  public static let transportDescriptors = ConformanceRule(
    "transport.descriptors", "no file descriptor is left behind by a probe")
}
