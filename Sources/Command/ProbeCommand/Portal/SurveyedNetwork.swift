import CommandKit
import EngineProfiles
import FixtureReplay
import PortalSurvey
import ProbeBase
import ProbeCore
import ProbePipeline
import ProbeSystem
import SourceDocuments

/// The network that a command surveys: the current network of this machine, or a replayed one.
struct SurveyedNetwork: Sendable {
  /// The maximum size in bytes of a file of host names to test.
  private static let maximumNamesFileSize = 1 << 20

  let survey: NetworkSurvey
  /// The changes of a replayed network; nil for the network of this machine, which others change.
  var changes: ReplayedChanges?

  /// Prepares a survey.
  ///
  /// - Parameters:
  ///   - options: The options of the command line.
  ///   - profiles: The profiles to run.
  ///   - plugins: The plugins to probe with.
  ///   - machine: Reads the state of this machine.
  ///   - clock: The clock of the survey.
  ///   - context: The context that reports errors.
  /// - Throws: ``Stop``.
  init(
    _ options: PortalOptions, _ profiles: [EngineProfile], _ plugins: PluginRegistry, machine: MachineReading,
    clock: any Clock<Duration>,
    in context: CommandContext
  ) throws(Stop) {
    var pipelines = PlannedPipelines(options.probing, in: context)
    for profile in profiles { pipelines.add(profile.loaded(over: plugins), named: profile.name) }
    if let code = pipelines.report() { throw Stop(code: code) }
    let engines = zip(profiles, pipelines.plans).map { (profile: $0, plan: $1.plan) }
    if let path = options.fixture {
      let network = try Self.replayed(path, plugins, in: context)
      var survey = NetworkSurvey(engines, over: network.plugins.transports, clock: clock)
      survey.isLiveNetwork = false
      if let text = options.probing.announcedCapport ?? network.fixture.capport {
        let isOption = options.probing.announcedCapport != nil
        survey.announcements = [.given(text, by: isOption ? "--capport" : "the fixture")]
      }
      self.survey = survey
      changes = ReplayedChanges(in: network)
    } else {
      var survey = NetworkSurvey(engines, over: plugins.transports, clock: clock)
      let state = machine(context.environment)
      survey.machine = state.facts
      survey.conditions = options.probing.conditions(over: plugins, clock: clock)
      survey.announcements = state.announcements
      if let text = options.probing.announcedCapport {
        survey.announcements = [.given(text, by: "--capport")]
      }
      self.survey = survey
    }
  }

  private static func replayed(
    _ path: String, _ plugins: PluginRegistry, in context: CommandContext
  ) throws(Stop) -> ReplayedNetwork {
    let loaded = FixtureLoader().load([path])
    let findings = loaded.flatMap(\.findings)
    guard findings.isEmpty else {
      for finding in findings { context.errors.writeLine(finding.description) }
      throw Stop(code: .badInput)
    }
    guard loaded.count == 1, let fixture = loaded.first else {
      let mistake = InvalidInput(
        "--replay: \(path.escapedForDisplay) has \(loaded.count) fixtures",
        remedy: "name the folder of one of them")
      throw Stop(code: context.ended(.badInput, because: "\(mistake)"))
    }
    do {
      return try ReplayedNetwork(fixture, with: plugins)
    } catch {
      throw Stop(code: context.ended(.unavailable, because: "\(error)"))
    }
  }

  /// The host names in a file, one on each line.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - context: The context that reports errors.
  /// - Returns: The names, without duplicates.
  /// - Throws: ``Stop`` if the file cannot be read, or has a line that is not a host name.
  static func names(in path: String, in context: CommandContext) throws(Stop) -> [String] {
    var names: [String] = []
    var findings: [String] = []
    do throws(InvalidInput) {
      let bytes = try FileContents.read(path, limit: maximumNamesFileSize)
      ListFile.forEachEntry(of: bytes) { line, entry in
        let text = String(decoding: entry, as: UTF8.self)
        guard let url = try? ProbeURL("http://\(text)/"), url.explicitPort == nil, url.path == "/" else {
          let mistake = InvalidInput("\(Excerpt(text)) is not a host name", remedy: "write one on each line")
          findings.append("\(path.escapedForDisplay):\(line): \(mistake)")
          return
        }
        if !names.contains(url.host) { names.append(url.host) }
      }
      if names.count > NetworkSurvey.maximumNames {
        throw InvalidInput(
          "the file has \(names.count) names", remedy: "write at most \(NetworkSurvey.maximumNames)")
      }
    } catch {
      findings.append("\(path.escapedForDisplay): \(error)")
    }
    guard findings.isEmpty else {
      for finding in findings { context.errors.writeLine(finding) }
      throw Stop(code: .badInput)
    }
    return names
  }
}

/// Reads the state of this machine from its environment, the kernel and files.
typealias MachineReading =
  @Sendable (_ environment: [String: String]) -> (facts: MachineFacts, announcements: [Announcement])

/// The common options of `probekit portal` and `probekit login`.
struct PortalOptions: ProbingCommandOptions {
  /// The folder of the fixture to survey instead of the network, or nil.
  var fixture: String?
  /// The file with host names to test for access before the login, or nil.
  var namesFile: String?
  /// The user's own server for tests of ways around the portal, or nil.
  var userServer: String?
  /// Whether to continue while the user logs in.
  var watches = false
  /// Whether to open the login URL.
  var opens = false
  /// The common options of commands that probe.
  var probing = ProbingOptions()
}

extension [OptionSpec<PortalOptions>] {
  /// The specifications of the common options.
  static func ofNetwork(_ command: String, _ plugins: PluginRegistry) -> [OptionSpec<PortalOptions>] {
    [
      .path(
        "--replay", \.fixture, value: "FIXTURE", takes: .folder,
        help: "survey the replayed network of this fixture in place of the real one"),
      .announcedCapport("in place of the URL in DHCP lease files"),
    ] + plugins.settingOptions(of: command, \.probing)
  }
}

/// Whether a replayed network can still change while nothing but a watch sends requests to it.
///
/// Nobody logs in to a replayed network. It changes by the limits of its states, by requests of the watch itself that
/// change its state, and by faults of a certain request.
final class ReplayedChanges: Sendable {
  private let network: ReplayedNetwork
  private let lastStates: Guarded<[String]>

  /// Begins before the first check.
  init(in network: ReplayedNetwork) {
    self.network = network
    lastStates = Guarded(Self.sessions(of: network).map(\.state))
  }

  /// Whether a check after these checks may find something else than they did.
  ///
  /// - Parameter checks: The number of checks, each of which sends the same requests.
  /// - Returns: Whether it may.
  func areLeft(afterChecks checks: Int) -> Bool {
    let sessions = Self.sessions(of: network)
    let states = sessions.map(\.state)
    let before = lastStates.withLock { last in
      defer { last = states }
      return last
    }
    if states != before { return true }
    if sessions.contains(where: { $0.remainingTime != nil || $0.remainingBytes != nil }) { return true }
    return network.fixture.routes.contains { ($0.fault?.requests?.max() ?? 0) > checks }
  }

  /// The states of the clients; none if the network knows clients by a cookie, because a watch sends no cookies and is
  /// a new client in each request.
  private static func sessions(of network: ReplayedNetwork) -> [FixtureStates.Session] {
    if case .cookie = network.fixture.session?.owner { return [] }
    return ((try? network.server.states()) ?? []).flatMap(\.sessions)
  }
}
