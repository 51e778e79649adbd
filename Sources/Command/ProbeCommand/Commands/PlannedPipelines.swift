import FixtureReplay
import ProbeCore
import ProbePipeline
import SourceDocuments
import CommandKit
import ProbeSystem
import PortalSurvey
import ProbeReporting
import ProfileMatrix

/// The plans of pipelines, or all errors in them.
struct PlannedPipelines {
  private let options: ProbingOptions
  private let context: CommandContext
  /// The plans in the order given, each with the name that the user gave; invalid pipelines are omitted.
  private(set) var plans: [RunSession.Source] = []
  /// The errors, pipeline by pipeline; an error in an option is listed once.
  private(set) var findings: [SourceFinding] = []
  /// The settings of the probes of the pipelines, if they are requested.
  private(set) var settings = SettingsReport()
  /// The variables that the pipelines use.
  private var variables: [String] = []

  /// Creates an empty list.
  ///
  /// - Parameters:
  ///   - options: The options for the runs.
  ///   - context: The source of standard input and the environment.
  init(_ options: ProbingOptions, in context: CommandContext) {
    self.options = options
    self.context = context
  }

  /// Plans a pipeline, and reads the secrets and files that it names.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline.
  ///   - name: The name that the user gave.
  mutating func add(_ pipeline: LoadedPipeline, named name: String) {
    var loaded = pipeline
    loaded.change { [options] in options.apply(to: &$0) }
    variables += loaded.variables
    guard !options.explains else {
      // Secrets and files are not read.
      findings += loaded.findings().filter { $0.severity == .error && !findings.contains($0) }
      settings.add(loaded, named: name)
      return
    }
    do throws(UnusablePipeline) {
      var plan = try loaded.plan(in: context.requestContext(secretFolders: options.secretFolders))
      plan.announcedCapport = options.announcedCapport
      plans.append((name: name, plan: plan))
    } catch {
      findings += error.findings.filter { !$0.isAboutArgument || !findings.contains($0) }
    }
  }

  /// Plans the pipeline in a file; `-` is standard input.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - plugins: The plugins that it can name.
  ///   - read: Reads the file; nil for a file on the command line.
  mutating func add(
    file path: String, _ plugins: PluginRegistry,
    reading read: ((_ path: String) throws(InvalidInput) -> [UInt8])? = nil
  ) {
    do throws(InvalidInput) {
      let loaded =
        if let read {
          PipelineLoader(plugins).load(path: path, bytes: try read(path), values: options.values)
        } else {
          try Self.load(path, plugins, values: options.values, in: context)
        }
      add(loaded, named: path)
    } catch {
      findings.append(SourceFinding(path: path.contains("://") ? path.withoutCredentials : path, error))
    }
  }

  /// Reports all errors.
  ///
  /// - Returns: The exit code, or nil if there are no errors.
  func report() -> ExitCode? {
    let findings = findings + options.unusedValues(variables)
    for finding in findings { context.report(finding) }
    guard !findings.isEmpty else { return nil }
    return .worst(of: findings.map { $0.isAboutArgument && !$0.concernsFile ? .usage : .badInput })
  }

  /// Reads the pipeline in a file; `-` is standard input.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - plugins: The plugins that it can name.
  ///   - values: Values for its variables.
  ///   - context: The source of standard input.
  /// - Returns: The pipeline, or its errors.
  /// - Throws: `InvalidInput` if the file cannot be read.
  static func load(
    _ path: String, _ plugins: PluginRegistry, values: [String: String], in context: CommandContext
  ) throws(InvalidInput) -> LoadedPipeline {
    PipelineLoader(plugins).load(path: path, bytes: try read(path, in: context), values: values)
  }

  private static func read(_ path: String, in context: CommandContext) throws(InvalidInput) -> [UInt8] {
    let limit = SourceDocument.Limits().bytes
    if path == "-" { return try context.input.readAll(limit: limit) }
    do {
      return try FileContents.read(path, limit: limit)
    } catch {
      guard path.contains("://") else { throw error }
      throw InvalidInput(
        "this is a URL, not a pipeline file", remedy: "to probe it, use \(context.program.name) check")
    }
  }

  /// The bytes of the pipeline file in a fixture.
  static func read(inFixture path: String) throws(InvalidInput) -> [UInt8] {
    try DiskFiles().read(
      path, ofFolder: path.folderOfPath, limit: SourceDocument.Limits().bytes)
  }
}

extension CommandContext {
  /// Reports a finding in a file with its location, or in a command-line argument.
  func report(_ finding: SourceFinding) {
    if finding.isAboutArgument { report(finding.description) } else { errors.writeLine(finding.description) }
  }
}
