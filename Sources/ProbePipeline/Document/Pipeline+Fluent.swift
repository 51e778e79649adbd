public import ProbeCore

// Each of these returns a changed copy, so that a pipeline can be put together in one expression.

extension Pipeline {
  /// The pipeline with something that holds for every request, unless its set or its URL says otherwise.
  public func request(_ change: @escaping @Sendable (inout ProbeRequest) -> Void) -> Pipeline {
    with { $0.settings.append(RequestSetting { request, _ in change(&request) }) }
  }

  /// The pipeline with something for its requests that needs a secret, or a path that starts where the pipeline stands.
  public func setting(
    _ change: @escaping @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void
  ) -> Pipeline {
    with { $0.settings.append(RequestSetting(change)) }
  }

  /// The pipeline with another policy; the default is HTTPS-only.
  public func policy(_ policy: ProbePolicy) -> Pipeline { with { $0.policy = policy } }

  /// The pipeline with the API of a captive portal (RFC 8908) to ask.
  public func capport(_ url: String) -> Pipeline { with { $0.capport = url } }

  /// The pipeline with the API asked that the network announces (RFC 8910), see ``ProbePlan/announcedCapport``.
  ///
  /// - Parameter first: Whether it is heard before anything is probed.
  /// - Returns: The changed copy.
  public func announcedCapport(first: Bool = false) -> Pipeline {
    with {
      $0.asksAnnouncedCapport = true
      $0.asksCapportFirst = first
    }
  }

  /// The pipeline with other limits of its runs.
  public func limits(_ limits: RunLimits) -> Pipeline { with { $0.limits = limits } }

  /// The pipeline with another measure of success.
  public func success(_ threshold: Threshold) -> Pipeline { with { $0.success = threshold } }

  /// The pipeline with rules that say its verdict.
  public func decide(_ rules: DecisionRule...) -> Pipeline { with { $0.decide = rules } }

  /// The pipeline with every probe carried out, also what the verdict no longer needs.
  public func probingEverything() -> Pipeline { with { $0.stopsEarly = false } }

  private func with(_ change: (inout Pipeline) -> Void) -> Pipeline {
    var copy = self
    change(&copy)
    return copy
  }
}

extension ProbeSet {
  /// The set with something that holds for its requests, unless a URL says otherwise.
  public func request(_ change: @escaping @Sendable (inout ProbeRequest) -> Void) -> ProbeSet {
    with { $0.settings.append(RequestSetting { request, _ in change(&request) }) }
  }

  /// The set with something for its requests that needs a secret, or a path that starts where the pipeline stands.
  public func setting(
    _ change: @escaping @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void
  ) -> ProbeSet {
    with { $0.settings.append(RequestSetting(change)) }
  }

  /// The set with a validator that judges its answers.
  public func validate(_ validator: any ResponseValidator) -> ProbeSet {
    with { $0.judge = .validator(validator) }
  }

  /// The set with rules that say what became of its probes.
  public func classify(_ rules: ClassifyRule...) -> ProbeSet { with { $0.judge = .rules(rules) } }

  /// The set with each URL probed once by each of these address families; nil stands for either.
  public func families(_ families: IPFamily?...) -> ProbeSet { with { $0.families = families } }

  private func with(_ change: (inout ProbeSet) -> Void) -> ProbeSet {
    var copy = self
    change(&copy)
    return copy
  }
}

extension ProbeTarget {
  /// The URL with something that holds for its requests alone.
  public func request(_ change: @escaping @Sendable (inout ProbeRequest) -> Void) -> ProbeTarget {
    with { $0.settings.append(RequestSetting { request, _ in change(&request) }) }
  }

  /// The URL with something for its requests that needs a secret, or a path that starts where the pipeline stands.
  public func setting(
    _ change: @escaping @Sendable (inout ProbeRequest, RequestContext) throws(InvalidInput) -> Void
  ) -> ProbeTarget {
    with { $0.settings.append(RequestSetting(change)) }
  }

  /// The URL with a validator of its own.
  public func validate(_ validator: any ResponseValidator) -> ProbeTarget {
    with { $0.judge = .validator(validator) }
  }

  /// The URL with rules of its own.
  public func classify(_ rules: ClassifyRule...) -> ProbeTarget { with { $0.judge = .rules(rules) } }

  private func with(_ change: (inout ProbeTarget) -> Void) -> ProbeTarget {
    var copy = self
    change(&copy)
    return copy
  }
}
