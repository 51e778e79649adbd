import EngineProfiles
import PortalSurvey
import ProbeCore
import ProbePipeline
import ProbeReporting
import CommandKit
import ProbeSystem

/// `probekit portal`: reports how every system behaves in this network, and what to fix in its portal.
struct PortalCommand: Subcommand {
  /// The plugins to probe with.
  let plugins: PluginRegistry
  /// Reads the state of this machine.
  var machine: MachineReading = { MachineState().read($0) }
  /// The clock of the survey.
  var clock: any Clock<Duration> = ContinuousClock()
  /// The interval of surveys during a watch.
  var interval = Duration.seconds(3)

  /// Surveys the network and reports; the exit code states whether there are errors.
  func run(_ options: PortalOptions, in context: CommandContext) async -> ExitCode {
    if let code = context.unwritableReport(options.probing.outputFile) { return code }
    var survey: PortalSurvey
    let changes: ReplayedChanges?
    do throws(SurveyedNetwork.Unusable) {
      let network = try SurveyedNetwork(
        options, EngineProfile.all, plugins, machine: machine, clock: clock, in: context)
      (survey, changes) = (network.survey, network.changes)
      if let path = options.namesFile { survey.names = try SurveyedNetwork.names(in: path, in: context) }
    } catch {
      return error.code
    }
    survey.leakServer = options.leakServer
    guard let report = await report(survey, changes, options, in: context) else {
      return context.interrupted("there is no report")
    }
    // The report is written even after an interrupt, the usual end of a watch.
    return await Task { await write(report, options, in: context) }.value
  }

  private func report(
    _ survey: PortalSurvey, _ changes: ReplayedChanges?, _ options: PortalOptions, in context: CommandContext
  ) async -> PortalReport? {
    guard options.watches else {
      let progress =
        context.showsProgress
        ? RunProgress(total: EngineProfile.all.count, of: "profile", on: context.errors, clock: clock) : nil
      var survey = survey
      survey.profileFinished = { progress?.oneFinished() }
      return await RunProgress.show(progress) { await survey.survey().map(PortalReport.init) }
    }
    var watch = PortalWatch(survey, clock: clock)
    watch.interval = interval
    if let changes { watch.mayChange = { changes.areLeft(afterChecks: $0) } }
    let report = await watch.run { stage in
      guard !context.isQuiet else { return }
      context.errors.writeLine(context.style.shown(PortalText.line(for: stage)))
    }
    if changes != nil, !Task.isCancelled, !context.isQuiet, report?.stages.last?.kind != .sessionEnd {
      context.errors.writeLine("the replayed network does not change any more")
    }
    return report
  }

  private func write(
    _ report: PortalReport, _ options: PortalOptions, in context: CommandContext
  ) async -> ExitCode {
    let text: @Sendable (TextStyle) throws -> String = { style in
      switch context.format {
      case .json: try JSONLine.text(PortalReportRecord(report))
      case .html: PortalPage(report).text
      case .markdown: PortalMarkdown(report).text
      case .junit: PortalJUnit(report).text
      default: PortalText(report, style: style, width: context.width).text
      }
    }
    do {
      let written = try text(options.probing.outputFile == nil ? context.style : TextStyle(usesColor: false))
      return await context.writingReport(to: options.probing.outputFile) { output, _ in
        output.write(written)
        if report.stages.contains(where: { $0.facts.own.localFailure != nil }) { return .unavailable }
        return report.findings.contains { $0.severity == .error } ? .notOnline : .success
      }
    } catch {
      context.report("the report could not be written as \(context.format): \(error)")
      return .internalError
    }
  }
}
