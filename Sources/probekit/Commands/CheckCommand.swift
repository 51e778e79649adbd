import ProbeCore
import ProbePipeline
import ProbeReporting

/// `probekit check`: the built-in pipeline, or URLs given by hand, once.
struct CheckCommand: Subcommand {
  /// What it probes with.
  let plugins: PluginRegistry
  /// Measures the run, and the time until progress is shown.
  var clock: any Clock<Duration> = ContinuousClock()

  /// Probes, reports, and says what the verdict means for the exit code.
  func run(_ given: CheckOptions, in context: CommandContext) async -> ExitCode {
    var options = given
    if let code = readSecrets(of: &options, in: context) { return code }
    let unusable = unusableFiles(options)
    guard unusable.isEmpty else {
      for mistake in unusable { context.report(mistake) }
      return .badInput
    }
    if let path = options.dialogFile {
      do throws(DialogFile.Unusable) {
        options.dialog = try DialogFile.read(path)
      } catch {
        report(error, in: context)
        return .badInput
      }
      // What only shows with the dialog, such as steps that the other options leave no room for.
      let mistakes = mistakes(options)
      guard mistakes.isEmpty else {
        for mistake in mistakes { context.report("\(mistake)") }
        return .usage
      }
    }
    return await probe(options, in: context)
  }

  private func probe(_ options: CheckOptions, in context: CommandContext) async -> ExitCode {
    let lines: [InputLine]
    do throws(InvalidInput) {
      lines = options.readsInput ? InputLine.lines(of: try context.input.readAll()) : []
    } catch {
      guard !Task.isCancelled else { return context.interrupted("nothing was probed") }
      context.report("\(error)")
      return .badInput
    }
    let plan: ProbePlan
    do {
      plan = try self.plan(options, lines)
    } catch {
      context.report("\(error)")
      return .usage
    }
    let runner = PipelineRunner(plugins.transports.overridden(by: options.overridesOfCapport), clock: clock)
    let progress =
      Self.showsProgress(options, in: context)
      ? RunProgress(total: plan.probes.count, on: context.errors, clock: clock) : nil
    let tell: @Sendable (Int, ProbeResult) -> Void = { [isVerbose = options.isVerbose] _, probe in
      progress?.oneFinished()
      if isVerbose { context.errors.write(VerboseReport().text(of: probe)) }
    }
    // A run that tells nothing of its probes changes no threads for them.
    let tells = progress != nil || options.isVerbose
    let result = await RunProgress.show(progress) { await runner.run(plan, progress: tells ? tell : nil) }
    if Task.isCancelled {
      let finished = result.sets.flatMap(\.probes).count { $0.outcome != .skipped }
      return context.interrupted("\(finished) of \(plan.probes.count) probes had finished")
    }
    return report(result, in: context)
  }

  private func report(_ error: DialogFile.Unusable, in context: CommandContext) {
    for mistake in error.mistakes {
      context.report("--dialog: \(mistake.line)")
      for line in (mistake.place ?? "").split(separator: "\n") { context.errors.writeLine("  \(line)") }
    }
  }

  /// Whether a person waits who would see how far it is: with `--verbose`, what happened on the wire tells that.
  static func showsProgress(_ options: CheckOptions, in context: CommandContext) -> Bool {
    context.showsProgress && context.format == .text && !options.isVerbose
  }

  private func report(_ result: RunResult, in context: CommandContext) -> ExitCode {
    guard context.format == .json else {
      context.output.write(TextReport(result, usesColor: context.usesColor).text)
      return ExitCode(result)
    }
    do {
      context.output.write(try JSONReport(result).text())
      return ExitCode(result)
    } catch {
      context.report("the report could not be written as JSON: \(error)")
      return .internalError
    }
  }

  private func plan(_ options: CheckOptions, _ lines: [InputLine]) throws -> ProbePlan {
    guard options.hasURLs else {
      return try BuiltInPipeline.plan(of: options.profile, options, over: plugins)
    }
    var probes = options.targets.map { target in
      PlannedProbe(url: target.text, request: options.request(for: target.url), validator: options.validator)
    }
    probes += lines.map { probe(for: $0, options) }
    guard !probes.isEmpty else {
      throw InvalidInput("standard input has no URLs", remedy: "give one a line")
    }
    return try ProbePlan(
      name: "check",
      policy: options.policy,
      sets: [PlannedSet(name: "urls", threshold: options.threshold ?? .all, probes: probes)],
      run: RunLimits(concurrency: options.concurrency, perHost: options.perHost),
      // Every URL that was given is asked.
      stopsEarly: false
    )
  }

  /// A line of standard input; one that cannot be read is a probe that fails.
  private func probe(for line: InputLine, _ options: CheckOptions) -> PlannedProbe {
    guard let text = line.text else {
      return invalid(line, line.excerpt, InvalidInput("the line is not valid UTF-8"))
    }
    do throws(InvalidInput) {
      let url = try ProbeURL(text)
      if let mistake = misplacedDialog(url, options) { throw mistake }
      return PlannedProbe(url: text, request: options.request(for: url), validator: options.validator)
    } catch {
      // What is too long for a URL may be a whole file without line ends.
      let isLong = text.utf8.count > ProbeURL.maximumLength
      return invalid(line, isLong ? line.excerpt : text.withoutCredentials, error)
    }
  }

  private func invalid(_ line: InputLine, _ text: String, _ error: InvalidInput) -> PlannedProbe {
    PlannedProbe(
      url: text, failure: ProbeFailure(.invalidRequest, "line \(line.number): \(error.descriptionWithPlace)"))
  }
}

extension CheckCommand {
  /// What is wrong with the options together, and with requests as their transports see them.
  func mistakes(_ options: CheckOptions) -> [InvalidInput] {
    var mistakes: [InvalidInput] = []
    if !options.hasURLs {
      let needy =
        options.validators.map(\.option) + (options.dialogFile == nil ? [] : ["--dialog"])
        + (options.threshold == nil ? [] : ["--threshold"])
      for option in needy {
        mistakes.append(
          InvalidInput("\(option) is for URLs given by hand", remedy: "add a URL, or leave it out"))
      }
    }
    if options.hasURLs {
      let forProfiles =
        (options.profile == nil ? [] : ["--profile"]) + (options.announcedCapport == nil ? [] : ["--capport"])
      for option in forProfiles {
        mistakes.append(
          InvalidInput("\(option) is for checks without URLs", remedy: "leave the URLs or the option out"))
      }
    }
    if let threshold = options.threshold, !options.readsInput, options.hasURLs,
      !threshold.isReachable(of: options.givenURLs)
    {
      let urls = options.givenURLs == 1 ? "1 URL" : "\(options.givenURLs) URLs"
      mistakes.append(
        InvalidInput(
          "--threshold \(threshold) cannot be met with \(urls)",
          remedy: "use at most \(options.givenURLs), or a percentage"))
    }
    mistakes += misfits(options)
    let general = generalMistake(options)
    if let general { mistakes.append(InvalidInput(general)) }
    for target in options.targets {
      for (failure, remedy) in failures(target, options) where failure.detail != general {
        mistakes.append(
          InvalidInput("\(Excerpt(target.text, limit: 200)): \(failure.detail)", remedy: remedy))
      }
      if let mistake = misplacedStatus(target, options) { mistakes.append(mistake) }
      if let mistake = misplacedDialog(target.url, options) {
        mistakes.append(
          InvalidInput("\(Excerpt(target.text, limit: 200)): \(mistake.message)", remedy: mistake.remedy))
      }
    }
    return mistakes
  }

  /// What is wrong with every request, whatever its URL, such as a header field that cannot be sent.
  ///
  /// Told once, and also when the URLs are the built-in ones or still to be read.
  func generalMistake(_ options: CheckOptions) -> String? {
    // The built-in URLs are of both schemes.
    let urls = ["https://example.com/"] + (options.hasURLs ? [] : ["http://example.com/"])
    for case let url? in urls.map({ try? ProbeURL($0) }) where plugins.transports[url.scheme] != nil {
      do throws(ProbeFailure) {
        try Prober(plugins.transports, policy: .plaintextAllowed).check(options.request(for: url))
      } catch {
        return error.detail
      }
    }
    return nil
  }

  private func failures(
    _ target: CheckOptions.Target, _ options: CheckOptions
  ) -> [(failure: ProbeFailure, remedy: String?)] {
    let request = options.request(for: target.url)
    do throws(ProbeFailure) {
      try Prober(plugins.transports, policy: options.policy).check(request)
      return []
    } catch {
      guard error.reason == .plaintext else { return [(error, nil)] }
      // The policy comes first there; here the request's own mistakes are told with it.
      var allowing = options
      allowing.allowsHTTP = true
      return [(error, "add --allow-http to probe it all the same")] + failures(target, allowing)
    }
  }

  private func misplacedStatus(_ target: CheckOptions.Target, _ options: CheckOptions) -> InvalidInput? {
    guard target.url.scheme == .tcp, options.validator?.judgesStatus == true else { return nil }
    return InvalidInput(
      "\(Excerpt(target.text, limit: 200)): a tcp answer has no status", remedy: "leave --status out")
  }

  private func misplacedDialog(_ url: ProbeURL, _ options: CheckOptions) -> InvalidInput? {
    guard options.dialogFile != nil, url.scheme != .tcp else { return nil }
    return InvalidInput("--dialog is for tcp URLs", remedy: "leave it out, or probe this URL on its own")
  }
}

extension CheckOptions {
  /// What holds for the question to a portal's API as for every probe, which are told so themselves.
  fileprivate var overridesOfCapport: RequestOverrides {
    guard announcedCapport != nil, let url = try? ProbeURL("https://example.com/") else {
      return RequestOverrides()
    }
    return RequestOverrides(connectTo: request(for: url).connectTo, authorities: authorities)
  }
}

extension ExitCode {
  /// What a run's verdict is to the program that started it, unless this machine itself was the obstacle.
  init(_ result: RunResult) {
    let local: Set<ReasonCode> = [.noTrustStore, .noSource, .noDescriptors, .noMemory]
    let lacksSomething = result.sets.flatMap(\.probes).contains { $0.reason.map(local.contains) ?? false }
    let verdict: ExitCode =
      switch result.verdict {
      case .online: .success
      case .captivePortal: .captivePortal
      case .partial, .intercepted, .offline, .inconclusive: .notOnline
      }
    self = lacksSomething ? .worst(of: [verdict, .unavailable]) : verdict
  }
}
