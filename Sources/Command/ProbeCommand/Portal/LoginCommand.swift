import CommandKit
import EngineProfiles
import FoundationEssentials
import PortalAnalysis
import PortalSurvey
import ProbeBase
import ProbeCore
import ProbePipeline
import ProbeReporting
import ProbeSystem

/// `probekit login`: prints the login URL of the portal, or opens it.
struct LoginCommand: Subcommand {
  let plugins: PluginRegistry
  var machine: MachineReading = { MachineState().read($0) }
  /// Opens a URL in the user's browser.
  var open: @Sendable (ProbeURL, CommandContext) async throws(InvalidInput) -> Void = LoginCommand
    .openInBrowser
  var clock: any Clock<Duration> = ContinuousClock()

  /// Finds the login URL.
  func run(_ options: PortalOptions, in context: CommandContext) async -> ExitCode {
    let survey: NetworkSurvey
    do throws(Stop) {
      survey = try SurveyedNetwork(options, [.own], plugins, machine: machine, clock: clock, in: context)
        .survey
    } catch {
      return error.code
    }
    let found = await survey.runProbeKitProfile()
    guard !Task.isCancelled, let found else { return context.interrupted("there is no login URL") }
    let url = found.loginURL
    let code = context.write("the login URL", ExitCode(found)) {
      context.format == .json ? try JSONLine.text(LoginRecord(found)) : url.map { "\($0.string)\n" } ?? ""
    }
    guard code != .internalError else { return code }
    if url == nil { explain(found, survey.machine, in: context) }
    if options.opens, let url {
      do throws(InvalidInput) { try await open(url, context) } catch {
        return context.ended(.unavailable, because: "\(error)")
      }
    }
    // Without a URL, a script has nothing to open.
    return found.verdict == .captivePortal && url == nil ? .notOnline : code
  }

  /// Reports the reason for the missing login URL, and the settings of this machine that may hide it.
  private func explain(_ result: RunResult, _ machine: MachineFacts, in context: CommandContext) {
    context.report(
      result.verdict == .online
        ? "no login is required: the network is open"
        : "no login URL was found: \(result.verdict.longDescription)")
    guard result.verdict != .online else { return }
    let refusedURL = result.sets.lazy.flatMap(\.probes).compactMap { $0.analysis?.refusedPortal?.loginURL }
      .first
    if let refusedURL {
      context.report("\(refusedURL.string) is on this machine or its link, and is never opened")
    }
    var facts = PortalFacts(time: result.time ?? .now, probeKitRun: result)
    facts.machine = machine
    for finding in PortalReport(facts).findings where finding.check.isAboutMachine {
      let evidence = finding.evidence.isEmpty ? "" : " (\(finding.evidence.joined(separator: ", ")))"
      context.report("\(finding.summary)\(evidence): \(finding.check.fix)")
    }
  }
}

extension LoginCommand {
  /// The specification of `probekit login`.
  var spec: CommandSpec<PortalOptions> {
    CommandSpec(
      name: "login",
      summary: "Print the login URL of the captive portal, or open it",
      discussion: [
        "Checks the network as probekit check does without URLs, and prints only the login URL. If there is none, prints the "
          + "reason to standard error, and what on this machine can hide a portal: a VPN, manually configured DNS servers, "
          + "encrypted DNS, HTTPS-only settings of browsers, or a proxy."
      ],
      initial: PortalOptions(),
      options: .ofNetwork("login", plugins) + [
        .flag("--open", \.opens, help: "open the login URL in the browser, by xdg-open")
      ],
      canBeQuiet: true,
      exitCodes: [
        (.success, "the network is open, and no login is required"),
        (.notOnline, "no login URL was found, and the network is not open"),
        (.captivePortal, "a captive portal: the login URL was printed"),
        (.badInput, "the fixture cannot be read or is wrong"),
        (.unavailable, "missing on this machine: certificates, a free port or xdg-open"),
      ],
      examples: [
        ("login", "print the login URL"),
        ("login --open", "open it in the browser"),
      ],
      check: {
        .when(
          $0.fixture != nil && $0.opens,
          "--open and --replay cannot be combined: the browser is not in the replayed network",
          remedy: "omit one of them") + $0.probing.mistakes
      })
  }
}

/// The login URL in JSON.
private struct LoginRecord: Encodable {
  let schema = 1
  let verdict: String
  let loginURL: String?

  private enum CodingKeys: CodingKey {
    case schema, verdict, loginURL
  }

  init(_ result: RunResult) {
    verdict = result.verdict.rawValue
    loginURL = result.loginURL?.string
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(schema, forKey: .schema)
    try container.encode(verdict, forKey: .verdict)
    try container.encode(loginURL, forKey: .loginURL)
  }
}

extension LoginCommand {
  /// Opens a URL with xdg-open, which ends when the browser has received it; the browser outlives this
  /// command.
  ///
  /// - Parameters:
  ///   - url: The URL, whose scheme is http or https.
  ///   - context: The context of the command, whose environment names the display.
  /// - Throws: `InvalidInput` if the URL cannot be opened.
  static func openInBrowser(_ url: ProbeURL, _ context: CommandContext) async throws(InvalidInput) {
    let end = Guarded<ProcessEnd?>(nil)
    var environment = context.environment
    // The URL is not part of the shell's command line, so that the shell does not interpret it.
    environment["LOGIN_URL"] = url.string
    do {
      let process = try ChildProcess(
        shell: "command -v xdg-open >/dev/null || exit 127; exec setsid --wait xdg-open \"$LOGIN_URL\"",
        environment: environment.map { "\($0.key)=\($0.value)" }, output: 2
      ) { ended in end.withLock { $0 = ended } }
      await process.waitForEnd()
    } catch {
      throw InvalidInput("the login URL could not be opened: \(error)", remedy: "open it in a browser")
    }
    // The stream ends shortly before the closure is called.
    while end.withLock({ $0 == nil }), !Task.isCancelled { await Task.yield() }
    switch end.withLock({ $0 }) {
    case .code(0): return
    case .code(127):
      throw InvalidInput(
        "there is no xdg-open", remedy: "install the package xdg-utils, or open the login URL in a browser")
    default:
      throw InvalidInput("xdg-open could not open the login URL", remedy: "open it in a browser")
    }
  }
}
