import FixtureReplay
import ProbeCore
import ProbePipeline
import SourceDocuments

/// Pipelines as plans that are ready to run, or everything that is wrong with them.
struct PlannedPipelines {
  private let options: ProbingOptions
  private let context: CommandContext
  /// The plans in the order given, each with what the user called it by; those that cannot be used are missing.
  private(set) var plans: [RunSession.Source] = []
  /// Everything that is wrong, pipeline by pipeline; what is wrong with an option is told once.
  private(set) var findings: [SourceFinding] = []

  /// No pipelines yet.
  ///
  /// - Parameters:
  ///   - options: What the command line says of the runs.
  ///   - context: Where standard input and the environment come from.
  init(_ options: ProbingOptions, in context: CommandContext) {
    self.options = options
    self.context = context
  }

  /// Plans a pipeline, with the secrets and the files that it names.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline.
  ///   - name: What the user calls it by.
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
  ///   - plugins: What it can name.
  ///   - read: Reads it; as a person names it on the command line if nothing is given.
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

  /// Tells what is wrong.
  ///
  /// - Returns: What to exit with, or nil when nothing is wrong.
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

  /// The bytes of a pipeline that a fixture brings along.
  static func read(inFixture path: String) throws(InvalidInput) -> [UInt8] {
    try DiskFiles().read(
      path, ofFolder: FixtureLoader.folder(of: path), limit: SourceDocument.Limits().bytes)
  }
}

extension CommandContext {
  /// Tells what is wrong in a file, with its place, or with an argument of the command line.
  func report(_ finding: SourceFinding) {
    if finding.isOfArgument { report(finding.description) } else { errors.writeLine(finding.description) }
  }
}
