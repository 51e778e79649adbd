import EngineProfiles
import ProbeCore
import ProbePipeline
import SourceDocuments
import CommandKit
import ProbeSystem

/// `probekit check`: runs the built-in pipeline, or probes given URLs, once.
struct CheckCommand: Subcommand {
  let plugins: PluginRegistry
  /// The clock that measures the run and the delay before progress is displayed.
  var clock: any Clock<Duration> = ContinuousClock()

  /// Probes and reports; the exit code states the verdict.
  func run(_ given: CheckOptions, in context: CommandContext) async -> ExitCode {
    var options = given
    do {
      try options.readFiles(in: context)
      if options.readsInput { options.targets += Self.targets(in: try context.input.readAll(), options) }
    } catch let error as DialogFile.Unusable {
      error.report(in: context)
      return .badInput
    } catch {
      guard !Task.isCancelled else { return context.interrupted("nothing was probed") }
      return context.ended(.badInput, because: "\(error)")
    }
    guard !options.hasURLs || !options.targets.isEmpty else {
      return context.ended(.badInput, because: "standard input contains no URLs: write one per line")
    }
    let unused = options.unusedOptions(over: plugins.transports)
    for mistake in unused { context.report("\(mistake)") }
    var pipelines = PlannedPipelines(options.probing, in: context)
    do {
      pipelines.add(try pipeline(options), named: "check")
    } catch {
      return context.ended(.usage, because: "\(error)")
    }
    if let code = pipelines.report() ?? (unused.isEmpty ? nil : .usage) { return code }
    guard !options.probing.explains else { return pipelines.settings.print(in: context) }
    let conditions =
      options.includesConditions && context.showsConditions
      ? options.probing.conditions(over: plugins, clock: clock) : nil
    return await RunSession.run(
      pipelines.plans, over: plugins.transports, options.probing, by: clock, observing: conditions,
      in: context)
  }

  /// The URLs of standard input, one per line; an invalid one becomes a probe that fails.
  private static func targets(in bytes: [UInt8], _ options: CheckOptions) -> [ProbeTarget] {
    URLList.targets(in: bytes) { url throws(InvalidInput) in
      guard options.dialogFile == nil || url.scheme.hasDialog else {
        throw InvalidInput(
          "--dialog is for tcp, tls and udp URLs", remedy: "omit the option, or probe this URL separately")
      }
    }
  }

  /// The pipeline that the command line describes: that of a profile, or one for the given URLs.
  private func pipeline(_ options: CheckOptions) throws(InvalidInput) -> LoadedPipeline {
    guard !options.hasURLs else { return LoadedPipeline(options.pipeline, over: plugins.transports) }
    let profile = options.profile ?? .own
    var loaded = profile.loaded(over: plugins)
    if options.probing.announcedCapport != nil, loaded.pipeline?.asksAnnouncedCapport == false {
      throw InvalidInput(
        "--capport: the profile \(profile.name) does not use the network's captive-portal API",
        remedy: "omit the option")
    }
    loaded.change {
      $0.limits.concurrency = options.concurrency
      $0.limits.perHost = options.perHost
    }
    return loaded
  }
}

extension CheckCommand {
  /// Checks a URL on the command line.
  ///
  /// - Throws: ``InvalidInput`` if the text is not a URL; for a pipeline file, with the command that runs it.
  static func checkURL(_ text: String) throws(InvalidInput) {
    do {
      _ = try ProbeURL(text)
    } catch {
      let isFile = !text.contains("://") && [".yaml", ".yml", ".json"].contains(where: text.hasSuffix)
      throw isFile
        ? InvalidInput("this is not a URL", remedy: "to run a pipeline file, use the command run") : error
    }
  }

  /// The errors in combinations of options.
  @Sendable static func mistakes(_ options: CheckOptions) -> [InvalidInput] {
    func misplaced(_ options: [String?], _ purpose: String, _ remedy: String) -> [InvalidInput] {
      options.compactMap(\.self).map { InvalidInput("\($0) is for \(purpose)", remedy: remedy) }
    }
    let isGiven = options.hasURLs
    var mistakes: [InvalidInput] = []
    if !isGiven {
      mistakes += misplaced(
        options.validators.map(\.option) + [
          options.dialogFile.map { _ in "--dialog" }, options.threshold.map { _ in "--threshold" },
          options.probing.settings.gives(RequestKey.method) ? "--request" : nil,
          options.data.isEmpty ? nil : "--data",
        ], "checks with URLs", "add a URL, or omit the option")
    } else {
      mistakes += misplaced(
        [
          options.profile.map { _ in "--profile" },
          options.probing.announcedCapport.map { _ in "--capport" },
        ], "checks without URLs", "omit the URLs or the option")
    }
    mistakes += .when(
      options.data.count { $0 == .input } + (options.readsInput ? 1 : 0) > 1,
      "standard input is named twice", remedy: "use - or --data @- once")
    return mistakes + options.probing.mistakes
  }

  /// The errors in the pipeline if an option could not be read; secrets and files are not read.
  @Sendable func otherMistakes(_ options: CheckOptions) -> [String] {
    guard options.hasURLs, !options.readsInput else { return [] }
    var options = options
    // Invalid URLs have been reported, but must be counted.
    for _ in options.targets.count..<options.givenURLs {
      var target = ProbeTarget("")
      target.mistake = InvalidInput("it is no URL")
      options.targets.append(target)
    }
    var pipeline = options.pipeline
    pipeline.overrides = options.probing.settings.settings
    return LoadedPipeline(pipeline, over: plugins.transports).findings().map(\.description)
  }
}
