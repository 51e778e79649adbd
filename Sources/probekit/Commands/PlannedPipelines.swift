import FixtureReplay
import ProbeCore
import ProbePipeline
import SourceDocuments

/// Pipelines planned for a run, or every mistake in them.
struct PlannedPipelines {
  private let options: ProbingOptions
  private let context: CommandContext
  /// The plans in the order given, each with the user's name for it; without those of wrong pipelines.
  private(set) var plans: [RunSession.Source] = []
  /// Every mistake, pipeline by pipeline; mistakes in options once.
  private(set) var findings: [SourceFinding] = []

  /// No pipelines yet.
  ///
  /// - Parameters:
  ///   - options: The options for the runs.
  ///   - context: Where standard input and the environment come from.
  init(_ options: ProbingOptions, in context: CommandContext) {
    self.options = options
    self.context = context
  }

  /// Plans a pipeline, with the secrets and the files that it names.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline.
  ///   - name: The user's name for it.
  mutating func add(_ pipeline: LoadedPipeline, named name: String) {
    var loaded = pipeline
    if var draft = loaded.draft {
      options.apply(to: &draft)
      loaded.draft = draft
    }
    do throws(UnusablePipeline) {
      var plan = try loaded.plan(in: .environment(context.environment))
      plan.announcedCapport = options.announcedCapport
      plans.append((name: name, plan: plan))
    } catch {
      findings += error.findings.filter { !$0.isOfArgument || !findings.contains($0) }
    }
  }

  /// Plans the pipeline of a file; `-` is standard input.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - plugins: The plugins that it can name.
  ///   - read: Reads it; nil for a file of the command line.
  mutating func add(
    file path: String, _ plugins: PluginRegistry,
    reading read: ((_ path: String) throws(InvalidInput) -> [UInt8])? = nil
  ) {
    do throws(InvalidInput) {
      let bytes = if let read { try read(path) } else { try self.read(path) }
      add(PipelineLoader(plugins).load(path: path, bytes: bytes), named: path)
    } catch {
      findings.append(SourceFinding(path: path, error))
    }
  }

  /// Reports every mistake.
  ///
  /// - Returns: The exit code, or nil without mistakes.
  func report() -> ExitCode? {
    for finding in findings { context.report(finding) }
    guard !findings.isEmpty else { return nil }
    return .worst(of: findings.map { $0.isOfArgument && !$0.concernsFile ? .usage : .badInput })
  }

  private func read(_ path: String) throws(InvalidInput) -> [UInt8] {
    let limit = SourceDocument.Limits().bytes
    if path == "-" { return try context.input.readAll(limit: limit) }
    return try FileContents.read(path, limit: limit)
  }

  /// The bytes of a fixture's own pipeline.
  static func read(inFixture path: String) throws(InvalidInput) -> [UInt8] {
    try DiskFiles().read(
      path, ofFolder: FixtureLoader.folder(of: path), limit: SourceDocument.Limits().bytes)
  }
}

extension CommandContext {
  /// Reports a finding in a file, with its place, or in an argument of the command line.
  func report(_ finding: SourceFinding) {
    if finding.isOfArgument { report(finding.description) } else { errors.writeLine(finding.description) }
  }
}
