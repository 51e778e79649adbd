public import ProbeCore

/// What to probe, how to judge it, and what counts as success: the value of a pipeline file, or one made in code.
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
/// It becomes a ``ProbePlan``, which is checked; every mistake is told there, not here.
public struct Pipeline: Sendable {
  /// The name, for reports.
  public var name: String
  /// What it is for, in words for a person; nil when nothing is said.
  public var description: String?
  /// What is allowed on the wire.
  public var policy = ProbePolicy.httpsOnly
  /// The API of a captive portal (RFC 8908) to ask, by an https URL, or nil for none.
  public var capport: String?
  /// Whether the API is asked that the network announces (RFC 8910), see ``ProbePlan/announcedCapport``.
  public var asksAnnouncedCapport = false
  /// Whether the API is heard before anything is probed.
  public var asksCapportFirst = false
  /// What a run may cost.
  public var limits = RunLimits()
  /// What holds for every request, unless its set or its URL says otherwise.
  public var settings: [RequestSetting] = []
  /// What to probe.
  public var sets: [ProbeSet]
  /// How many of the required sets must be met for the network to count as online.
  public var success = Threshold.all
  /// The rules that say the verdict, of which the first that applies counts; nil for the decision from evidence.
  public var decide: [DecisionRule]?
  /// Whether the run ends when its verdict is certain: no probe starts any more, and those that run have 500 ms.
  public var stopsEarly = true
  /// Settings of every request of a run, which replace those of sets and URLs.
  ///
  /// Their rules for connections and their authorities apply to the request to the portal's API, too. A setting's key is
  /// the name of its option.
  public var overrides: [RequestSetting] = []
  /// Its source.
  package var origin = PipelineOrigin.code

  /// A pipeline.
  public init(_ name: String, sets: [ProbeSet]) {
    self.name = name
    self.sets = sets
  }

  /// A pipeline of the sets that a block lists.
  public init(_ name: String, @SetListBuilder sets: () throws -> [ProbeSet]) rethrows {
    self.init(name, sets: try sets())
  }
}

/// A named group of URLs with the measure by which it is met, in a ``Pipeline``.
public struct ProbeSet: Sendable {
  /// The name, unique within a pipeline.
  public var name: String
  /// How many of its probes must be accepted.
  public var threshold: Threshold
  /// Whether it counts towards success.
  public var required: Bool
  /// When it is started.
  public var start: SetStart
  /// The address families by which each URL is probed once; nil stands for either.
  public var families: [IPFamily?] = [nil]
  /// What holds for its requests, unless a URL says otherwise.
  public var settings: [RequestSetting] = []
  /// How its answers are judged, unless a URL says otherwise; nil accepts any answer with a 2xx status that came without
  /// a redirect, and any connection that stands.
  public var judge: ProbeJudge?
  /// What to probe.
  public var targets: [ProbeTarget]
  /// Its source.
  package var origin = PipelineOrigin.code
  /// The command-line options that set its values, by the keys of a pipeline file.
  package var arguments: [String: String] = [:]

  /// A set.
  public init(
    _ name: String, threshold: Threshold = .all, required: Bool = true, start: SetStart = .always,
    targets: [ProbeTarget]
  ) {
    self.name = name
    self.threshold = threshold
    self.required = required
    self.start = start
    self.targets = targets
  }

  /// A set of URLs that are all judged alike.
  public init(
    _ name: String, threshold: Threshold = .all, required: Bool = true, start: SetStart = .always,
    _ urls: String...
  ) {
    self.init(
      name, threshold: threshold, required: required, start: start, targets: urls.map { ProbeTarget($0) })
  }

  /// A set of the URLs that a block lists.
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
  public var url: String { didSet { parsedURL = nil } }
  /// The parsed ``url``, where whoever read it has parsed it already; the planner parses the others.
  package var parsedURL: ProbeURL?
  /// What holds for its requests alone.
  public var settings: [RequestSetting] = []
  /// How its answers are judged, or nil for as its set says.
  public var judge: ProbeJudge?
  /// Whether it is a line of a list: a mistake in it makes its probe fail, and not the run.
  package var isOfList = false
  /// The reason why it cannot be probed; the probe fails with it.
  package var mistake: InvalidInput?
  /// Its source.
  package var origin = PipelineOrigin.code

  /// A URL.
  public init(_ url: String) {
    self.url = url
  }

  /// A URL from a command line.
  package init(argument url: String) {
    self.url = url
    origin = .argument(url)
  }
}

extension ProbeTarget: ExpressibleByStringLiteral {
  /// A URL.
  public init(stringLiteral url: String) {
    self.init(url)
  }
}
