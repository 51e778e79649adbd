public import Dispatch
public import ProbeCore
public import ProbePipeline

// Each of these returns a changed copy, so that a configuration can be put together in one expression.

extension ConnectivityConfiguration {
  /// The configuration with other polling.
  ///
  /// - Parameters:
  ///   - isEnabled: Whether anything is asked without anything having happened.
  ///   - interval: The time from the end of one check to the next; nil leaves it as it is.
  ///   - offlineOnly: Whether nothing is asked as long as there is Internet access.
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

  /// The configuration with URLs in place of those of the pipeline, each with what is expected of it and how it is asked.
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
