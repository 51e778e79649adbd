public import ProbeCore

/// What to probe, how to judge it, and what counts as success: the contents of a pipeline file, or the same
/// in code.
///
/// ```swift
/// let pipeline = try Pipeline("office") {
///   try ProbeSet("apple", threshold: .percent(50)) {
///     "https://www.apple.com/library/test/success.html"
///     try ProbeTarget("https://captive.apple.com/hotspot-detect.html").validate(MatchesValidator("Success"))
///   }
///   .validate(ContainsValidator("Success"))
///   try ProbeSet("google", "https://www.google.com/generate_204").validate(StatusValidator(204))
/// }
/// .request { $0.timeout = .seconds(3) }
/// let result = try await pipeline.run(with: plugins)
/// ```
/// To run it, turn it into a ``ProbePlan``, which validates it and reports every error.
public struct Pipeline: Sendable {
  /// The name, for reports.
  public var name: String
  /// The purpose, for a person, or nil.
  public var description: String?
  /// The question that it answers.
  public var question = Question.internet
  /// The kinds of exchanges that are allowed.
  public var policy = ProbePolicy.httpsOnly
  /// The https URL of the captive-portal API (RFC 8908) to query, or nil for none.
  public var capport: String?
  /// Whether to query the captive-portal API that the network announces (RFC 8910); see
  /// ``ProbePlan/announcedCapport``.
  public var asksAnnouncedCapport = false
  /// Whether to wait for the response of the API before anything is probed.
  public var asksCapportFirst = false
  /// The limits of a run.
  public var limits = RunLimits()
  /// Settings for every request, unless its set or URL overrides them.
  public var settings: [RequestSetting] = []
  /// The sets to probe.
  public var sets: [ProbeSet]
  /// How many of the required sets must be met for the network to count as online, or for the services not to
  /// count as unhealthy.
  public var success = Threshold.all
  /// The rules that determine the verdict, of which the first that applies counts; nil to decide from
  /// evidence or, about services, from the sets that are met.
  public var decide: [DecisionRule]?
  /// Whether the run ends when its verdict is certain: no further probe starts, and running ones have 500 ms
  /// to finish.
  public var stopsEarly = true
  /// Settings for every request of a run, which override those of sets and URLs.
  ///
  /// Their connection rules, resolver and authorities also apply to the request to the captive-portal API. The key of a
  /// setting is the name of its command-line option.
  public var overrides: [RequestSetting] = []
  /// The secrets that its texts contain.
  package var secrets: [Secret] = []
  /// The parameters that a request to `probekit serve` may set.
  package var parameters = RequestParameters()
  package var origin = PipelineOrigin.code

  /// Creates a pipeline.
  public init(_ name: String, sets: [ProbeSet]) {
    self.name = name
    self.sets = sets
  }

  /// Creates a pipeline from the sets that a block lists.
  public init(_ name: String, @SetListBuilder sets: () throws -> [ProbeSet]) rethrows {
    self.init(name, sets: try sets())
  }
}

/// A named group of URLs with a threshold, in a ``Pipeline``.
public struct ProbeSet: Sendable {
  /// The name, unique within a pipeline.
  public var name: String
  /// Labels for reports, by name; each of its probes has them too.
  ///
  /// A name consists of ASCII letters, digits and `_`, does not begin with a digit or `__`, and is not one of
  /// the built-in labels of metrics, such as `url`.
  public var labels: [String: String] = [:]
  /// How many of its probes must be accepted.
  public var threshold: Threshold
  /// Whether it counts towards success.
  public var isRequired: Bool
  /// When the set starts.
  public var start: SetStart
  /// The kinds of exchanges that are allowed, or nil for those of the pipeline.
  public var policy: ProbePolicy?
  /// The address families with which each URL is probed, once each; nil means either family.
  public var families: [IPFamily?] = [nil]
  /// Settings for its requests, unless a URL overrides them.
  public var settings: [RequestSetting] = []
  /// How its responses are judged, unless a URL overrides it.
  ///
  /// If nil, a response is accepted if it has a 2xx status and was not redirected, or for TCP and TLS if the
  /// connection was established.
  public var judge: ProbeJudge?
  /// The URLs to probe.
  public var targets: [ProbeTarget]
  /// Whether its URLs are steps: requests one after the other, with the cookies of the earlier ones.
  ///
  /// A step starts once the one before it is accepted; otherwise the rest is skipped. It can use a value that a
  /// validator of an earlier step captured as `${steps.STEP.CAPTURE}`: in the path and query of its URL, in header
  /// fields, in the body and in the credentials. Each step has a name of ASCII letters, digits, `_` and `-`.
  public var isSequence = false
  package var origin = PipelineOrigin.code
  /// The command-line options that set its values, by key of a pipeline file.
  package var arguments: [String: String] = [:]

  /// Creates a set.
  public init(
    _ name: String, threshold: Threshold = .all, required: Bool = true, start: SetStart = .always,
    targets: [ProbeTarget]
  ) {
    self.name = name
    self.threshold = threshold
    self.isRequired = required
    self.start = start
    self.targets = targets
  }

  /// Creates a set of URLs that are all judged the same way.
  public init(
    _ name: String, threshold: Threshold = .all, required: Bool = true, start: SetStart = .always,
    _ urls: String...
  ) {
    self.init(
      name, threshold: threshold, required: required, start: start, targets: urls.map { ProbeTarget($0) })
  }

  /// Creates a set of the URLs that a block lists.
  public init(
    _ name: String, threshold: Threshold = .all, required: Bool = true, start: SetStart = .always,
    @TargetListBuilder targets: () throws -> [ProbeTarget]
  ) rethrows {
    self.init(name, threshold: threshold, required: required, start: start, targets: try targets())
  }
}

/// A URL to probe, in a ``ProbeSet``.
public struct ProbeTarget: Sendable {
  /// The URL as its author wrote it.
  public var url: String {
    didSet { (parsedURL, secretURL) = (nil, nil) }
  }
  /// The URL with the values of secret variables, if ``url`` has their names.
  var secretURL: String?
  /// The parsed ``url``, where it is parsed already; the planner parses the others.
  package var parsedURL: ProbeURL?
  /// The name for reports, or nil for none.
  public var name: String?
  /// Labels for reports, in addition to those of its set; see ``ProbeSet/labels``.
  public var labels: [String: String] = [:]
  /// Settings for its requests only.
  public var settings: [RequestSetting] = []
  /// How its responses are judged, or nil for the judge of its set.
  public var judge: ProbeJudge?
  /// Whether it is a line of a list; an error in it then fails its probe, not the whole run.
  package var isListItem = false
  /// The reason why it cannot be probed, with which its probe fails; otherwise nil.
  package var mistake: InvalidInput?
  package var origin = PipelineOrigin.code

  /// Creates a target from a URL.
  public init(_ url: String) {
    self.url = url
  }

  /// Creates a target from a command-line argument.
  package init(argument url: String) {
    self.url = url
    origin = .argument(url)
  }
}

extension ProbeTarget: ExpressibleByStringLiteral {
  /// Creates a target from a URL.
  public init(stringLiteral url: String) {
    self.init(url)
  }
}

extension Pipeline {
  /// Makes a complete, validated plan from this pipeline.
  ///
  /// - Parameters:
  ///   - transports: The transports of the probes.
  ///   - context: How to read secrets, and the folder for relative paths.
  /// - Returns: The plan.
  /// - Throws: ``InvalidPlan`` with every problem, including those with files that requests name.
  public func plan(
    over transports: TransportRegistry, in context: RequestContext = .process
  ) throws(InvalidPlan) -> ProbePlan {
    var planner = Planner(self, over: transports, in: context)
    return try planner.plan()
  }

  /// Runs this pipeline once.
  ///
  /// If the task is cancelled, the probes are cancelled and the result is returned promptly, with unfinished
  /// probes as skipped.
  ///
  /// - Parameters:
  ///   - plugins: The transports of the probes.
  ///   - context: How to read secrets, and the folder for relative paths.
  /// - Returns: The verdict, its evidence, and the result of every probe.
  /// - Throws: ``InvalidPlan`` with every problem, before anything is sent.
  public func run(
    with plugins: PluginRegistry, in context: RequestContext = .process
  ) async throws(InvalidPlan) -> RunResult {
    await PipelineRunner(plugins.transports).run(try plan(over: plugins.transports, in: context))
  }
}

extension RequestContext {
  /// Reads secrets from this process's environment and from files; paths are relative to the current
  /// directory.
  public static let process = RequestContext { source throws(InvalidInput) in try source.secret() }

  /// Reads secrets from the given environment and from files; paths are relative to the current directory.
  public static func environment(_ environment: [String: String]) -> RequestContext {
    RequestContext { source throws(InvalidInput) in try source.secret(environment: environment) }
  }
}

/// Builds the list of sets of a ``Pipeline``.
@resultBuilder public enum SetListBuilder {
  /// A set.
  public static func buildExpression(_ set: ProbeSet) -> [ProbeSet] { [set] }
  /// A list of sets.
  public static func buildExpression(_ sets: [ProbeSet]) -> [ProbeSet] { sets }
  /// Sets in order.
  public static func buildBlock(_ parts: [ProbeSet]...) -> [ProbeSet] { parts.flatMap(\.self) }
  /// Sets from a loop.
  public static func buildArray(_ parts: [[ProbeSet]]) -> [ProbeSet] { parts.flatMap(\.self) }
  /// Sets from an `if` without `else`.
  public static func buildOptional(_ part: [ProbeSet]?) -> [ProbeSet] { part ?? [] }
  /// Sets from the first branch.
  public static func buildEither(first part: [ProbeSet]) -> [ProbeSet] { part }
  /// Sets from the second branch.
  public static func buildEither(second part: [ProbeSet]) -> [ProbeSet] { part }
}

/// Builds the list of URLs of a ``ProbeSet``.
@resultBuilder public enum TargetListBuilder {
  /// A URL.
  public static func buildExpression(_ target: ProbeTarget) -> [ProbeTarget] { [target] }
  /// A URL as text.
  public static func buildExpression(_ url: String) -> [ProbeTarget] { [ProbeTarget(url)] }
  /// A list of URLs.
  public static func buildExpression(_ targets: [ProbeTarget]) -> [ProbeTarget] { targets }
  /// URLs in order.
  public static func buildBlock(_ parts: [ProbeTarget]...) -> [ProbeTarget] { parts.flatMap(\.self) }
  /// URLs from a loop.
  public static func buildArray(_ parts: [[ProbeTarget]]) -> [ProbeTarget] { parts.flatMap(\.self) }
  /// URLs from an `if` without `else`.
  public static func buildOptional(_ part: [ProbeTarget]?) -> [ProbeTarget] { part ?? [] }
  /// URLs from the first branch.
  public static func buildEither(first part: [ProbeTarget]) -> [ProbeTarget] { part }
  /// URLs from the second branch.
  public static func buildEither(second part: [ProbeTarget]) -> [ProbeTarget] { part }
}
