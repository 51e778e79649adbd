public import Dispatch
public import ProbeCore
public import ProbePipeline
internal import StringValidators

/// What a ``Connectivity`` asks, how it judges the answers, and when it asks.
///
/// Every property stands for itself: none is ignored because another one is set or not.
public struct ConnectivityConfiguration: Sendable {
  /// What is asked; nil for Connectivity's own: two pages of Apple over HTTPS, of which one must say Success.
  public var pipeline: Pipeline?
  /// URLs that replace those of the pipeline, each with its own judge; nil for the pipeline's.
  public var targets: [ProbeTarget]?
  /// The judge of every answer whose URL has none of its own; nil for the pipeline's judges, or for an answer with a 2xx
  /// status that came without a redirect.
  public var validator: (any ResponseValidator)?
  /// How many of the URLs of each set must answer as expected; nil for as the pipeline says, or for 50 %.
  public var successThreshold: Percentage?
  /// Whether unencrypted URLs are refused, with an error and not by leaving them out; nil for as the pipeline says.
  public var isHTTPSOnly: Bool?
  /// What is shown to be let in; whatever was set last.
  public var authorization: HTTPCredentials?
  /// Anything else that holds for every request, such as time limits.
  public var requestChanges: [@Sendable (inout ProbeRequest) -> Void] = []
  /// When to check, and what makes the monitor change its mind.
  public var settings = MonitorSettings()
  /// Where callbacks come; nil for a queue of the monitor's own.
  public var callbackQueue: DispatchQueue?

  /// The defaults, which are those of Connectivity.
  public init() {}

  /// The defaults with a pipeline of one's own.
  public init(_ pipeline: Pipeline) {
    self.pipeline = pipeline
  }
}

extension ConnectivityConfiguration {
  /// Checks that repeat without anything having happened.
  public var polling: MonitorSettings.Polling {
    get { settings.polling }
    set { settings.polling = newValue }
  }

  /// Whether anything is said of what to ask.
  var asksSomething: Bool {
    pipeline != nil || targets != nil || validator != nil || successThreshold != nil || isHTTPSOnly != nil
      || authorization != nil || !requestChanges.isEmpty
  }

  /// The plan that all of it makes.
  ///
  /// - Throws: ``InvalidInput`` for a threshold of 0 %, and what the plan of a pipeline throws.
  func plan(over transports: TransportRegistry) throws -> ProbePlan {
    var result: Pipeline
    if let pipeline { result = pipeline } else { result = try Self.appleHTTPS() }
    if let targets {
      result.sets = [ProbeSet("urls", threshold: try .percent(50), targets: targets)]
      // Its rules are about sets that are asked no more.
      result.decide = nil
    }
    for index in result.sets.indices {
      if let validator { result.sets[index].judge = .validator(validator) }
      if let successThreshold { result.sets[index].threshold = try Threshold(successThreshold) }
    }
    if let isHTTPSOnly { result.policy = isHTTPSOnly ? .httpsOnly : .plaintextAllowed }
    if let authorization { result = result.request { $0.http.credentials = authorization } }
    return try requestChanges.reduce(result) { $0.request($1) }.plan(over: transports)
  }

  /// What Connectivity asks by default.
  ///
  /// Other than there, the answer must be a 2xx that came without a redirect: a portal's page or a server's error that
  /// happens to have the word in it counts for nothing.
  private static func appleHTTPS() throws(InvalidInput) -> Pipeline {
    let pages = ProbeSet(
      "pages", threshold: try .percent(50), "https://www.apple.com/library/test/success.html",
      "https://captive.apple.com/hotspot-detect.html"
    ).validate(try ContainsValidator("Success"))
    return Pipeline("connectivity", sets: [pages])
  }
}

extension Threshold {
  /// A percentage as a threshold.
  ///
  /// - Throws: `InvalidInput` for 0 %, which would call every network open.
  public init(_ percentage: Percentage) throws(InvalidInput) {
    guard percentage > 0 else {
      throw InvalidInput(
        "a success threshold of 0 % would always be met", remedy: "use one above 0 and up to 100")
    }
    // Millionths are what a threshold keeps.
    let millionths = max(1, Int((percentage.value * 1_000_000).rounded()))
    let fraction = String(1_000_000 + millionths % 1_000_000).dropFirst()
    try self.init("\(millionths / 1_000_000).\(fraction)%")
  }
}

// Each of these returns a changed copy, so that a configuration can be put together in one expression.

extension ConnectivityConfiguration {
  /// The configuration with other polling.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether checks repeat while nothing changes.
  ///   - interval: The time from the end of one check to the next; nil leaves it as it is.
  ///   - offlineOnly: Whether checks pause while there is Internet access.
  /// - Returns: The changed copy.
  public func configurePolling(
    isEnabled: Bool = true, interval: Duration? = nil, offlineOnly: Bool = false
  ) -> ConnectivityConfiguration {
    with {
      $0.polling.isEnabled = isEnabled
      if let interval { $0.polling.interval = interval }
      $0.polling.whileOfflineOnly = offlineOnly
    }
  }

  /// The configuration with other times and counts.
  public func configureSettings(
    _ change: (inout MonitorSettings) -> Void
  ) -> ConnectivityConfiguration {
    with { change(&$0.settings) }
  }

  /// The configuration with a judge of every answer whose URL has none of its own.
  public func configureResponseValidator(
    _ validator: any ResponseValidator
  ) -> ConnectivityConfiguration {
    with { $0.validator = validator }
  }

  /// The configuration with URLs in place of those of the pipeline.
  ///
  /// Unless a validator is configured, an answer is accepted when its status is 2xx and it came without a redirect; so a
  /// server that answers 204 needs nothing said of it.
  public func configureConnectivity(urls: [String]) -> ConnectivityConfiguration {
    with { $0.targets = urls.map { ProbeTarget($0) } }
  }

  /// The configuration with other URLs, each with its own judge and request settings.
  public func configureConnectivity(targets: [ProbeTarget]) -> ConnectivityConfiguration {
    with { $0.targets = targets }
  }

  /// The configuration with another measure of success.
  public func configureSuccessThreshold(_ threshold: Percentage) -> ConnectivityConfiguration {
    with { $0.successThreshold = threshold }
  }

  /// The configuration with unencrypted URLs refused or allowed.
  public func configureHTTPSOnly(_ isHTTPSOnly: Bool = true) -> ConnectivityConfiguration {
    with { $0.isHTTPSOnly = isHTTPSOnly }
  }

  /// The configuration with the whole value of the Authorization field, in place of any other credentials.
  public func configureAuthorizationHeader(_ value: Secret) -> ConnectivityConfiguration {
    with { $0.authorization = .authorization(value) }
  }

  /// The configuration with a bearer token (RFC 6750), in place of any other credentials.
  public func configureBearerToken(_ token: Secret) -> ConnectivityConfiguration {
    with { $0.authorization = .bearer(token) }
  }

  /// The configuration with something that holds for every request, such as a time limit.
  public func configureRequests(
    _ change: @escaping @Sendable (inout ProbeRequest) -> Void
  ) -> ConnectivityConfiguration {
    with { $0.requestChanges.append(change) }
  }

  /// The configuration with callbacks on this queue.
  public func configureCallbackQueue(_ queue: DispatchQueue) -> ConnectivityConfiguration {
    with { $0.callbackQueue = queue }
  }

  private func with(_ change: (inout ConnectivityConfiguration) -> Void) -> ConnectivityConfiguration {
    var copy = self
    change(&copy)
    return copy
  }
}
