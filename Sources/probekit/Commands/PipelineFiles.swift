import FixtureReplay
import ProbeCore
import ProbePipeline
import SourceDocuments

/// The pipeline files that a command line names, as plans that are ready to run.
struct PipelineFiles {
  /// Everything that is wrong, file by file.
  private(set) var findings: [SourceFinding] = []
  /// The plans in the order given, each with the path it was given by; those of files that are wrong are missing.
  private(set) var plans: [RunSession.Source] = []

  /// Reads files, with the secrets and the other files that they name.
  ///
  /// - Parameters:
  ///   - paths: The files; `-` is standard input.
  ///   - plugins: What pipelines can name, and what they are probed with.
  ///   - context: Where standard input and the environment come from.
  ///   - overrides: What holds for every request whatever the files say.
  ///   - read: Reads a file; as a person names it on the command line if nothing is given.
  init(
    _ paths: [String], _ plugins: PluginRegistry, in context: CommandContext,
    overriding overrides: [RequestSetting] = [],
    reading read: ((_ path: String) throws(InvalidInput) -> [UInt8])? = nil
  ) {
    let loader = PipelineLoader(plugins)
    for path in paths {
      do {
        let loaded = loader.load(path: path, bytes: try read?(path) ?? Self.read(path, in: context))
        let plan = try loaded.plan(
          in: .environment(context.environment), overriding: overrides)
        plans.append((name: path, plan: plan))
      } catch let error as UnusablePipeline {
        findings += error.findings
      } catch let error as InvalidInput {
        findings.append(SourceFinding(path: path, error))
      } catch {
        findings.append(SourceFinding(path: path, message: "cannot be read: \(error)"))
      }
    }
  }

  private static func read(_ path: String, in context: CommandContext) throws(InvalidInput) -> [UInt8] {
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
