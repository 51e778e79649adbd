/// A rule that every validator, or every transport, must follow.
///
/// The static members document the rules and their reasons.
public struct ConformanceRule: Hashable, Sendable {
  /// The name it is reported under, such as `validator.offset`.
  public let name: String
  /// The requirement, in words.
  public let demand: String

  /// Creates a rule.
  public init(_ name: String, _ demand: String) {
    self.name = name
    self.demand = demand
  }
}

extension ConformanceRule: CustomStringConvertible {
  /// The name and the requirement.
  public var description: String { "\(name) (\(demand))" }
}

/// The rules for validators.
///
/// Two possible rules are not included. The growth of work with the response's size is not checked, because
/// timing is unreliable on a busy machine, and a validator does not count its steps. And a validator may
/// accept a truncated body although it rejects the whole one: its pattern may match the end.
extension ConformanceRule {
  /// Its name can be registered: it consists of letters and digits, and is not a keyword of pipeline files.
  ///
  /// Otherwise no pipeline file could use it.
  public static let validatorName = ConformanceRule("validator.name", "its name can be registered")

  /// It has examples, and its results match them.
  ///
  /// The other rules are checked with the examples, which show that the validator can both accept and reject.
  public static let validatorExamples = ConformanceRule(
    "validator.examples", "it has examples, and judges them as they say")

  /// The same response always has the same result, whatever was validated before, and also with another
  /// instance that has the same options.
  ///
  /// A verdict must not depend on the order in which probes end.
  public static let validatorSameResult = ConformanceRule(
    "validator.sameAnswer", "the same response gets the same answer")

  /// The result is the same with concurrent calls too: one instance serves all probes of a run, on any
  /// thread.
  public static let validatorConcurrency = ConformanceRule(
    "validator.concurrency", "the answer is the same when many threads ask at once")

  /// Options that are encoded and decoded have the same meaning, so that a pipeline can be written and read
  /// again.
  public static let validatorOptions = ConformanceRule(
    "validator.options", "options mean the same after encoding and decoding")

  /// The declared schema of the options accepts the encoded options of the examples; otherwise it would
  /// reject a valid pipeline file.
  public static let validatorSchema = ConformanceRule(
    "validator.schema", "the declared schema takes the options of its examples")

  /// `judges` is constant: it determines, once before a run, whether a 2xx status is required in addition.
  public static let validatorJudges = ConformanceRule("validator.judges", "judges is constant")

  /// A rejection's reason is a ProbeKit code or has the form `area.word`, with at most 64 bytes: it is a
  /// metric label, and is matched by globs such as `health.*`.
  public static let validatorReason = ConformanceRule(
    "validator.reason", "a rejection's reason is of the form area.word")

  /// A rejection describes the expected and found values, each in at most 4096 bytes, however large the
  /// response is.
  public static let validatorWords = ConformanceRule(
    "validator.words", "expected and found say something, in at most \(WordForm.maximumLength) bytes")

  /// An offset is inside the body or at its end, because reports point to it.
  public static let validatorOffset = ConformanceRule("validator.offset", "an offset lies inside the body")

  /// Only an acceptance has captures; they have names, and their size is bounded by that of the response.
  public static let validatorCaptures = ConformanceRule(
    "validator.captures", "captures come with an acceptance, named and bounded")
}

/// The rules for transports.
///
/// There is no rule about URLs with an unsupported scheme: ``Prober`` selects the transport by its schemes,
/// and never passes it another one.
extension ConformanceRule {
  /// It supports at least one scheme, always the same ones, and each is valid in a URL (RFC 3986 §3.1).
  ///
  /// A scheme with an invalid character could never be probed.
  public static let transportSchemes = ConformanceRule(
    "transport.schemes", "its schemes are constant and valid in a URL")

  /// Each of its schemes has scenarios, including one with a response; otherwise nothing could be checked.
  public static let transportScenarios = ConformanceRule(
    "transport.scenarios", "each of its schemes has scenarios")

  /// Its `check` accepts the requests that it supports.
  public static let transportCheck = ConformanceRule(
    "transport.check", "check accepts the requests that it supports")

  /// A response has exactly the content that was sent, and is not marked as cut, even after all other checks.
  public static let transportResponse = ConformanceRule("transport.answer", "an answer has the content sent")

  /// The response's URL, including that of a partial response in a failure, is the request's: reports and the
  /// policy use it.
  public static let transportURL = ConformanceRule("transport.url", "an answer's URL is the request's")

  /// A redirect is a response with status and Location and is not followed, however many redirects the
  /// request allows; `Prober` follows it, so that the policy is applied to each hop.
  public static let transportRedirect = ConformanceRule(
    "transport.redirect", "a redirect is an answer and is not followed")

  /// At most `maxBody` bytes of the body are kept, even if that is 0, and `bodyIsCut` states whether there
  /// were more.
  public static let transportMaxBody = ConformanceRule(
    "transport.maxBody", "maxBody is respected, and bodyIsCut reports whether there was more")

  /// A head larger than `maxHead` fails the probe, because a server could send an endless one.
  public static let transportMaxHead = ConformanceRule(
    "transport.maxHead", "a head larger than maxHead fails the probe")

  /// A probe without a response ends at its timeout, with a reason in the area `timeout`.
  public static let transportTimeout = ConformanceRule(
    "transport.timeout", "a probe without an answer ends in time, with timeout.*")

  /// A cancelled probe ends at once, with `cancelled` or a `CancellationError`, whenever it is cancelled,
  /// even before it starts; a run that ends or is interrupted waits for it.
  public static let transportCancellation = ConformanceRule(
    "transport.cancellation", "a cancelled probe ends at once, with cancelled")

  /// It throws `ProbeFailure`; any other error is reported as `transport.failure`, which gives no
  /// information.
  public static let transportErrors = ConformanceRule("transport.errors", "it throws ProbeFailure")

  /// A refused connection fails the probe with the expected reason.
  public static let transportRefusal = ConformanceRule(
    "transport.refusal", "a refusal fails the probe for the right reason")

  /// A failure's reason is a ProbeKit code or has the form `area.word`, and its detail is one line of at most
  /// 4096 bytes that is safe to print.
  public static let transportWords = ConformanceRule(
    "transport.words", "a failure's reason is well-formed, its detail one line and safe to print")

  /// No phase has a negative duration, their sum is at most the total, and the total is at most the time
  /// measured by the caller.
  public static let transportTimings = ConformanceRule("transport.timings", "the timings add up")

  /// Each of many concurrent probes receives its own response, while others are cancelled.
  public static let transportManyAtOnce = ConformanceRule(
    "transport.manyAtOnce", "each of many concurrent probes gets its own response")

  /// No descriptor stays open, because a monitor probes for months.
  public static let transportDescriptors = ConformanceRule(
    "transport.descriptors", "no file descriptor is left behind by a probe")
}
