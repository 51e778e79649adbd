/// Something that holds for every validator, or for every transport.
///
/// The rules and their reasons are at its static members.
public struct ConformanceRule: Hashable, Sendable {
  /// The name it is reported under, such as `validator.offset`.
  public let name: String
  /// What it asks, in words.
  public let demand: String

  /// A rule.
  public init(_ name: String, _ demand: String) {
    self.name = name
    self.demand = demand
  }
}

extension ConformanceRule: CustomStringConvertible {
  /// Name and demand.
  public var description: String { "\(name) (\(demand))" }
}

/// The rules for validators.
///
/// Two that one might expect are not here. That work grows no faster than the response is not asked, because a kit
/// that times is wrong on a busy machine, and a validator does not count its steps. That a body cut short is not
/// accepted where the whole one is rejected does not hold for every good validator: a pattern may ask for the end.
extension ConformanceRule {
  /// It can be registered under its name: letters and digits, and no word of the language of pipeline files.
  ///
  /// Otherwise no file can name it.
  public static let validatorName = ConformanceRule("validator.name", "its name can be registered")

  /// It has examples, and judges them as they say.
  ///
  /// They are what the other rules are checked with, and what shows that it can both accept and reject.
  public static let validatorExamples = ConformanceRule(
    "validator.examples", "it has examples, and judges them as they say")

  /// The same response gets the same answer, whatever was judged before, also from another value with the
  /// same options.
  ///
  /// A verdict must not depend on the order in which probes end.
  public static let validatorSameAnswer = ConformanceRule(
    "validator.sameAnswer", "the same response gets the same answer")

  /// The same answer also when many ask at the same time: one value serves all probes of a run, on any thread.
  public static let validatorConcurrency = ConformanceRule(
    "validator.concurrency", "the answer is the same when many threads ask at once")

  /// Options that were encoded and decoded make the same judgements; a pipeline that is written out and read again
  /// must mean the same.
  public static let validatorOptions = ConformanceRule(
    "validator.options", "options mean the same after encoding and decoding")

  /// The schema that the options declare takes those of the examples as they are encoded; otherwise a file that is right
  /// would be refused.
  public static let validatorSchema = ConformanceRule(
    "validator.schema", "the declared schema takes the options of its examples")

  /// The parts of an answer that it judges are the same at all times: they decide once, before a run, whether a 2xx
  /// status is asked for besides.
  public static let validatorJudges = ConformanceRule("validator.judges", "judges is constant")

  /// A rejection's reason is a code of ProbeKit or of the form `area.word`, at most 64 bytes long: it is a metric
  /// label, and globs such as `health.*` select it.
  public static let validatorReason = ConformanceRule(
    "validator.reason", "a rejection's reason is of the form area.word")

  /// A rejection says what was expected and what was found, each in at most 4096 bytes, however large the response is.
  public static let validatorWords = ConformanceRule(
    "validator.words", "expected and found say something, in at most \(WordForm.longest) bytes")

  /// An offset lies inside the body or at its end: reports point at it.
  public static let validatorOffset = ConformanceRule("validator.offset", "an offset lies inside the body")

  /// Captures come with an acceptance only, have names, and are no larger than what was received could make them.
  public static let validatorCaptures = ConformanceRule(
    "validator.captures", "captures come with an acceptance, named and bounded")
}

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
