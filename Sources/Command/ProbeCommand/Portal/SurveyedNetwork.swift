import EngineProfiles
import FixtureReplay
import PortalSurvey
import ProbeCore
import ProbePipeline
import SourceDocuments
import CommandKit
import ProbeSystem

/// The network that a command surveys: the current network of this machine, or a replayed one.
struct SurveyedNetwork: Sendable {
  /// The network cannot be surveyed; the reason has been reported.
  struct Unusable: Error {
    let code: ExitCode
  }

  /// The maximum size of a file with names.
  private static let maximumNamesFile = 1 << 20

  /// The survey.
  let survey: PortalSurvey
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
  /// - Throws: ``Unusable``.
  init(
    _ options: PortalOptions, _ profiles: [EngineProfile], _ plugins: PluginRegistry, machine: MachineReading,
    clock: any Clock<Duration>,
    in context: CommandContext
  ) throws(Unusable) {
    var pipelines = PlannedPipelines(options.probing, in: context)
    for profile in profiles { pipelines.add(profile.loaded(over: plugins), named: profile.name) }
    if let code = pipelines.report() { throw Unusable(code: code) }
    let engines = zip(profiles, pipelines.plans).map { (profile: $0, plan: $1.plan) }
    if let path = options.fixture {
      let network = try Self.replayed(path, plugins, in: context)
      var survey = PortalSurvey(engines, over: network.plugins.transports, clock: clock)
      survey.looksUpNames = false
      if let text = options.probing.announcedCapport ?? network.fixture.capport {
        let isOption = options.probing.announcedCapport != nil
        survey.announcements = [.given(text, by: isOption ? "--capport" : "the fixture")]
      }
      self.survey = survey
      changes = ReplayedChanges(in: network)
    } else {
      var survey = PortalSurvey(engines, over: plugins.transports, clock: clock)
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
  ) throws(Unusable) -> ReplayedNetwork {
    let loaded = FixtureLoader().load([path])
    let findings = loaded.flatMap(\.findings)
    guard findings.isEmpty else {
      for finding in findings { context.errors.writeLine(finding.description) }
      throw Unusable(code: .badInput)
    }
    guard loaded.count == 1, let fixture = loaded.first else {
      let mistake = InvalidInput(
        "--replay: \(path.escapedForDisplay) has \(loaded.count) fixtures",
        remedy: "name the folder of one of them")
      context.report("\(mistake)")
      throw Unusable(code: .badInput)
    }
    do {
      return try ReplayedNetwork(fixture, with: plugins)
    } catch {
      context.report("\(error)")
      throw Unusable(code: .unavailable)
    }
  }

  /// The host names in a file, one on each line.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - context: The context that reports errors.
  /// - Returns: The names, without duplicates.
  /// - Throws: ``Unusable`` if the file cannot be read, or has a line that is not a host name.
  static func names(in path: String, in context: CommandContext) throws(Unusable) -> [String] {
    var names: [String] = []
    var findings: [String] = []
    do throws(InvalidInput) {
      let bytes = try FileContents.read(path, limit: maximumNamesFile)
      ListFile.forEachEntry(of: bytes) { line, entry in
        let text = String(decoding: entry, as: UTF8.self)
        guard let url = try? ProbeURL("http://\(text)/"), url.explicitPort == nil, url.path == "/" else {
          let mistake = InvalidInput("\(Excerpt(text)) is not a host name", remedy: "write one on each line")
          findings.append("\(path.escapedForDisplay):\(line): \(mistake)")
          return
        }
        if !names.contains(url.host) { names.append(url.host) }
      }
      if names.count > PortalSurvey.maximumNames {
        throw InvalidInput(
          "the file has \(names.count) names", remedy: "write at most \(PortalSurvey.maximumNames)")
      }
    } catch {
      findings.append("\(path.escapedForDisplay): \(error)")
    }
    guard findings.isEmpty else {
      for finding in findings { context.errors.writeLine(finding) }
      throw Unusable(code: .badInput)
    }
    return names
  }
}

/// Reads the state of this machine from its environment, the kernel and files.
typealias MachineReading =
  @Sendable (_ environment: [String: String]) -> (facts: MachineFacts, announcements: [Announcement])
