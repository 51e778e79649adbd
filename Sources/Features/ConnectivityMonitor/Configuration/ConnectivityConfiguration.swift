public import Dispatch
public import ProbeCore
public import ProbePipeline
internal import Validators

/// The probes of a ``Connectivity``, the validation of their responses, and the schedule of its checks.
///
/// All properties are independent: none is ignored because of the value of another.
public struct ConnectivityConfiguration: Sendable {
  /// The pipeline to run; nil for the default.
  ///
  /// The default is that of Connectivity for iOS: two Apple pages over HTTPS, one of which must say Success.
  public var pipeline: Pipeline?
  /// URLs that replace those of the pipeline, each with its own validator; nil to keep the pipeline's.
  public var targets: [ProbeTarget]?
  /// The validator of every response whose URL has none of its own.
  ///
  /// Nil uses the pipeline's validators, or else accepts a response with a 2xx status that involved no
  /// redirect.
  public var validator: (any ResponseValidator)?
  /// The share of the URLs of each set that must be accepted; nil uses the pipeline's value, or 50 %.
  public var successThreshold: Percentage?
  /// Whether an unencrypted URL is an error, rather than skipped; nil uses the pipeline's value.
  public var isHTTPSOnly: Bool?
  /// The credentials to send; the last value set replaces any earlier one.
  public var authorization: HTTPCredentials?
  /// Other changes that apply to every request, such as timeouts.
  public var requestChanges: [@Sendable (inout ProbeRequest) -> Void] = []
  /// The schedule of checks, and the number of results that change the status.
  ///
  /// As in Connectivity for iOS, checks are repeated only while there is no Internet access; set
  /// ``MonitorSettings/Polling/whileOfflineOnly`` to false to notice also an outage behind an unchanged
  /// interface.
  public var settings: MonitorSettings = {
    var settings = MonitorSettings()
    settings.polling.whileOfflineOnly = true
    return settings
  }()
  /// The queue for callbacks; nil for a private queue of the monitor.
  public var callbackQueue: DispatchQueue?

  /// The defaults, which are those of Connectivity for iOS.
  public init() {}

  /// The defaults with a custom pipeline.
  public init(_ pipeline: Pipeline) {
    self.pipeline = pipeline
  }
}

extension ConnectivityConfiguration {
  /// Checks that repeat at an interval.
  public var polling: MonitorSettings.Polling {
    get { settings.polling }
    set { settings.polling = newValue }
  }

  /// Whether any property that affects the plan is set.
  var changesPlan: Bool {
    pipeline != nil || targets != nil || validator != nil || successThreshold != nil || isHTTPSOnly != nil
      || authorization != nil || !requestChanges.isEmpty
  }

  /// The plan that the properties describe.
  ///
  /// - Throws: ``InvalidInput`` for a threshold of 0 %, and any error of the pipeline's plan.
  func plan(over transports: TransportRegistry) throws -> ProbePlan {
    var result: Pipeline
    if let pipeline { result = pipeline } else { result = try Self.appleHTTPS() }
    if let targets {
      result.sets = [ProbeSet("urls", threshold: try .percent(50), targets: targets)]
      // Its rules refer to sets that are no longer probed.
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

  /// The pages that Connectivity for iOS probes by default.
  ///
  /// Unlike there, a response must have a 2xx status without a redirect: a portal's page or a server error
  /// that happens to contain the word does not count.
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
  /// - Throws: `InvalidInput` for 0 %, which every network would meet.
  public init(_ percentage: Percentage) throws(InvalidInput) {
    guard percentage > 0 else {
      throw InvalidInput(
        "a success threshold of 0 % would always be met", remedy: "use one above 0 and up to 100")
    }
    // A threshold has a precision of one millionth.
    let millionths = max(1, Int(bounding: (percentage.value * 1_000_000).rounded()))
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
    isEnabled: Bool = true, interval: Duration? = nil, offlineOnly: Bool = true
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

  /// The configuration with a validator for every response whose URL has none of its own.
  public func configureResponseValidator(
    _ validator: any ResponseValidator
  ) -> ConnectivityConfiguration {
    with { $0.validator = validator }
  }

  /// The configuration with URLs instead of those of the pipeline.
  ///
  /// Unless a validator is configured, a response is accepted if its status is 2xx and there was no redirect,
  /// so a server that responds with 204 needs no further configuration.
  public func configureConnectivity(urls: [String]) -> ConnectivityConfiguration {
    with { $0.targets = urls.map { ProbeTarget($0) } }
  }

  /// The configuration with other URLs, each with its own validator and request settings.
  public func configureConnectivity(targets: [ProbeTarget]) -> ConnectivityConfiguration {
    with { $0.targets = targets }
  }

  /// The configuration with another success threshold.
  public func configureSuccessThreshold(_ threshold: Percentage) -> ConnectivityConfiguration {
    with { $0.successThreshold = threshold }
  }

  /// The configuration with unencrypted URLs refused or allowed.
  public func configureHTTPSOnly(_ isHTTPSOnly: Bool = true) -> ConnectivityConfiguration {
    with { $0.isHTTPSOnly = isHTTPSOnly }
  }

  /// The configuration with this value for the Authorization header field, replacing any other credentials.
  public func configureAuthorizationHeader(_ value: Secret) -> ConnectivityConfiguration {
    with { $0.authorization = .authorization(value) }
  }

  /// The configuration with a bearer token (RFC 6750), replacing any other credentials.
  public func configureBearerToken(_ token: Secret) -> ConnectivityConfiguration {
    with { $0.authorization = .bearer(token) }
  }

  /// The configuration with a change that applies to every request, such as a timeout.
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
