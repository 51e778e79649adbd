import CommandKit
import EngineProfiles
import PortalSurvey
import ProbeCore
import ProbePipeline
import ProbeReporting
import ProbeSystem

/// `probekit portal`: reports how every system behaves in this network, and what to fix in its portal.
struct PortalCommand: Subcommand {
  let plugins: PluginRegistry
  var machine: MachineReading = { MachineState().read($0) }
  var clock: any Clock<Duration> = ContinuousClock()
  /// The interval of surveys during a watch.
  var interval = Duration.seconds(3)

  /// Surveys the network and reports; the exit code states whether there are errors.
  func run(_ options: PortalOptions, in context: CommandContext) async -> ExitCode {
    if let code = context.unwritableReport(options.probing.outputFile) { return code }
    var survey: NetworkSurvey
    let changes: ReplayedChanges?
    do throws(Stop) {
      let network = try SurveyedNetwork(
        options, EngineProfile.all, plugins, machine: machine, clock: clock, in: context)
      (survey, changes) = (network.survey, network.changes)
      if let path = options.namesFile { survey.names = try SurveyedNetwork.names(in: path, in: context) }
    } catch {
      return error.code
    }
    survey.userServer = options.userServer
    guard let report = await report(survey, changes, options, in: context) else {
      return context.interrupted("there is no report")
    }
    // The report is written even after an interrupt, the usual end of a watch.
    return await Task { await write(report, options, in: context) }.value
  }

  private func report(
    _ survey: NetworkSurvey, _ changes: ReplayedChanges?, _ options: PortalOptions, in context: CommandContext
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
        if report.stages.contains(where: { $0.facts.probeKitRun.localFailure != nil }) { return .unavailable }
        return report.findings.contains { $0.severity == .error } ? .notOnline : .success
      }
    } catch {
      return context.ended(
        .internalError, because: "the report could not be written as \(context.format): \(error)")
    }
  }
}

extension PortalCommand {
  /// The specification of `probekit portal`.
  var spec: CommandSpec<PortalOptions> {
    CommandSpec(
      name: "portal",
      summary: "Report what every system shows behind a captive portal, and what to fix in it",
      discussion: [
        "Runs the network checks of all built-in profiles, reads what the network announces (RFC 8910), and requests "
          + "the captive-portal API (RFC 8908) and the login page. Each distinct request is made once, "
          + "except to an API that reports the remaining time or bytes. The report has a line for each system, then the findings, errors first, "
          + "each with its source and the fix.",
        "The login page is requested without credentials or cookies, never on this machine or its link, and in "
          + "private networks only inside the subnet of the interface used. No form is sent.",
        "With --watch, the command surveys the network again after a login and when the session ends; press Ctrl-C to "
          + "end it earlier, with exit code 130. A replayed network is watched until it cannot change any more. The report "
          + "then says what changed.",
        "With --probe-leaks, also probes your own server by DNS, ICMP and TCP, to find ways around the portal; it "
          + "should answer DNS queries for the TXT records of \(BypassAttempt.name). The same probes go to 192.0.2.1, which no "
          + "host has, as a control. Use it only in networks that you may test.",
      ],
      initial: PortalOptions(),
      options: .ofNetwork("portal", plugins) + [
        .flag(
          "--watch", \.watches, help: "survey the network again after a login and at the end of the session"),
        .path(
          "--names", \.namesFile,
          help: "a file with host names, one on each line: report which pass, over HTTP, HTTPS and DNS"),
        .option(
          "--probe-leaks", value: "SERVER",
          help: "the address or host name of your own server, for leak tests"
        ) { options, text in
          guard let url = try? ProbeURL("tcp://\(text.bracketedHostIfBare):1"), url.explicitPort == 1 else {
            throw InvalidInput("\(Excerpt(text)) is not a server", remedy: "give an address or a host name")
          }
          options.userServer = text
        },
        .output(),
      ],
      canBeQuiet: true,
      formats: [.text, .json, .html, .markdown, .junit],
      exitCodes: [
        (.success, "no finding is an error"),
        (.notOnline, "a finding is an error"),
        (.badInput, "the fixture or a named file cannot be read or is wrong"),
        (.unavailable, "missing on this machine: certificates, a free port or disk space"),
      ],
      examples: [
        ("portal", "report on the network that this machine is in"),
        ("portal --watch --format html -o report.html", "log in meanwhile, and get one page for print"),
        ("portal --replay fixtures/portals/coova-chilli", "report on a captured portal, without a network"),
        (
          "portal --names garden.txt --format json", "also find out which of your hosts pass before the login"
        ),
      ],
      check: {
        .when(
          $0.fixture != nil && $0.userServer != nil, "--probe-leaks and --replay cannot be combined",
          remedy: "omit one of them") + $0.probing.mistakes
      })
  }
}

extension OutputFormat {
  /// JUnit XML.
  static let junit = OutputFormat("junit")
}
