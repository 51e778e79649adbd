public import ProbeCore

// Each of these methods returns a changed copy, so that a pipeline can be written as a single expression.

extension Pipeline {
  /// Adds a change to every request, unless its set or URL overrides it.
  public func request(_ change: @escaping @Sendable (inout ProbeRequest) -> Void) -> Pipeline {
    with { $0.settings.append(RequestSetting { request, _ in change(&request) }) }
  }

  /// Adds a setting for every request that needs a secret, or a path relative to the pipeline file.
  public func setting(
    _ change: @escaping @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void
  ) -> Pipeline {
    with { $0.settings.append(RequestSetting(change)) }
  }

  /// Sets the question of the pipeline; the default is whether the network is open to the Internet.
  public func question(_ question: Question) -> Pipeline { with { $0.question = question } }

  /// Sets the policy; the default is HTTPS only.
  public func policy(_ policy: ProbePolicy) -> Pipeline { with { $0.policy = policy } }

  /// Sets the URL of the captive-portal API (RFC 8908) to query.
  public func capport(_ url: String) -> Pipeline { with { $0.capport = url } }

  /// Queries the captive-portal API that the network announces (RFC 8910); see
  /// ``ProbePlan/announcedCapport``.
  ///
  /// - Parameter first: Whether to wait for its response before anything is probed.
  /// - Returns: The changed copy.
  public func announcedCapport(first: Bool = false) -> Pipeline {
    with {
      $0.asksAnnouncedCapport = true
      $0.asksCapportFirst = first
    }
  }

  /// Sets the limits of a run.
  public func limits(_ limits: RunLimits) -> Pipeline { with { $0.limits = limits } }

  /// Sets how many required sets must be met for success.
  public func success(_ threshold: Threshold) -> Pipeline { with { $0.success = threshold } }

  /// Sets the rules that determine the verdict.
  public func decide(_ rules: DecisionRule...) -> Pipeline { with { $0.decide = rules } }

  /// Runs every probe, even after the verdict is certain.
  public func probingEverything() -> Pipeline { with { $0.stopsEarly = false } }

  private func with(_ change: (inout Pipeline) -> Void) -> Pipeline {
    var copy = self
    change(&copy)
    return copy
  }
}

extension ProbeSet {
  /// Adds a change to the requests of this set, unless a URL overrides it.
  public func request(_ change: @escaping @Sendable (inout ProbeRequest) -> Void) -> ProbeSet {
    with { $0.settings.append(RequestSetting { request, _ in change(&request) }) }
  }

  /// Adds a setting for the requests of this set that needs a secret, or a path relative to the pipeline
  /// file.
  public func setting(
    _ change: @escaping @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void
  ) -> ProbeSet {
    with { $0.settings.append(RequestSetting(change)) }
  }

  /// Sets the validator that judges the responses.
  public func validate(_ validator: any ResponseValidator) -> ProbeSet {
    with { $0.judge = .validator(validator) }
  }

  /// Sends the requests as steps, one after the other; see ``isSequence``.
  public func inSequence() -> ProbeSet { with { $0.isSequence = true } }

  /// Sets the rules that determine the outcomes of the probes.
  public func classify(_ rules: ClassifyRule...) -> ProbeSet { with { $0.judge = .rules(rules) } }

  /// Sets the policy, instead of that of the pipeline.
  public func policy(_ policy: ProbePolicy) -> ProbeSet { with { $0.policy = policy } }

  /// Adds labels for reports; see ``ProbeSet/labels``.
  public func labels(_ labels: [String: String]) -> ProbeSet {
    with { $0.labels.merge(labels) { $1 } }
  }

  /// Probes each URL once with each of these address families; nil means either family.
  public func families(_ families: IPFamily?...) -> ProbeSet { with { $0.families = families } }

  private func with(_ change: (inout ProbeSet) -> Void) -> ProbeSet {
    var copy = self
    change(&copy)
    return copy
  }
}

extension ProbeTarget {
  /// Adds a change to the requests of this URL.
  public func request(_ change: @escaping @Sendable (inout ProbeRequest) -> Void) -> ProbeTarget {
    with { $0.settings.append(RequestSetting { request, _ in change(&request) }) }
  }

  /// Adds a setting for the requests of this URL that needs a secret, or a path relative to the pipeline
  /// file.
  public func setting(
    _ change: @escaping @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void
  ) -> ProbeTarget {
    with { $0.settings.append(RequestSetting(change)) }
  }

  /// Sets the name for reports.
  public func named(_ name: String) -> ProbeTarget { with { $0.name = name } }

  /// Adds labels for reports; see ``ProbeSet/labels``.
  public func labels(_ labels: [String: String]) -> ProbeTarget {
    with { $0.labels.merge(labels) { $1 } }
  }

  /// Sets a validator for this URL.
  public func validate(_ validator: any ResponseValidator) -> ProbeTarget {
    with { $0.judge = .validator(validator) }
  }

  /// Sets rules for this URL.
  public func classify(_ rules: ClassifyRule...) -> ProbeTarget { with { $0.judge = .rules(rules) } }

  private func with(_ change: (inout ProbeTarget) -> Void) -> ProbeTarget {
    var copy = self
    change(&copy)
    return copy
  }
}
