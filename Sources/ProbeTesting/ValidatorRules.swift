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
