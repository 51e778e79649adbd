import FixtureCapture
import FixtureReplay
import ProbeCore
import ProbePipeline
import SourceDocuments

/// `probekit lint`: reports all errors in files, without probing.
struct LintCommand: Subcommand {
  /// The plugins that pipelines can name.
  let plugins: PluginRegistry

  struct Options: Sendable {
    /// The files and folders to examine.
    var paths: [String] = []
    /// Whether warnings count as errors.
    var isStrict = false
  }

  var spec: CommandSpec<Options> {
    CommandSpec(
      name: "lint",
      summary: "Check pipelines and fixtures, and report everything that is wrong with them",
      discussion: [
        "A fixture.yaml is a fixture, any other .yaml, .yml or .json a pipeline; a folder stands for all of both below "
          + "it, and what is in a fixture's folder is its own. What is wrong is told with its file, line and column.",
        "What cannot work is an error. What is merely odd is a warning, which changes the exit code with --strict alone: "
          + "a route that no request reaches, a set that no rule asks for, and in a fixture, which is for others to "
          + "have, MAC addresses and e-mail addresses that may be somebody's.",
        "Nothing is probed, and the secrets, certificates and authorities that a pipeline names are not read: "
          + "whether they can be used shows on the machine that runs it.",
      ],
      initial: Options(),
      positionals: [
        PositionalSpec("FILE-OR-FOLDER", .some, help: "what to check") { options, path in
          guard !path.isEmpty else {
            throw InvalidInput("a path is empty", remedy: "name a file or a folder")
          }
          options.paths.append(path)
        }
      ],
      options: [
        .flag("--strict", help: "warnings are wrong, too") { $0.isStrict = true }
      ],
      exitCodes: [
        (.success, "nothing is wrong"),
        (.usage, "the command line is wrong; nothing was done"),
        (.badInput, "something is wrong, or cannot be read"),
        (.unavailable, "the machine lacks something, such as room for the output"),
        (.internalError, "a mistake of the program itself"),
      ],
      examples: [
        (arguments: "lint office.yaml", meaning: "Checks one pipeline."),
        (arguments: "lint fixtures", meaning: "Checks everything below the folder."),
        (
          arguments: "lint --format json my-portal/fixture.yaml",
          meaning: "Checks one fixture, and tells a program what is wrong."
        ),
      ]
    )
  }

  /// Examines the files and reports the findings.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    var report = LintReport()
    for path in options.paths { examine(path, &report, context) }
    guard context.format == .json else {
      context.output.write(report.text)
      return report.isWrong(strict: options.isStrict) ? .badInput : .success
    }
    do {
      context.output.write(try report.json())
      return report.isWrong(strict: options.isStrict) ? .badInput : .success
    } catch {
      context.report("the findings could not be written as JSON: \(error)")
      return .internalError
    }
  }

  private func examine(_ path: String, _ report: inout LintReport, _ context: CommandContext) {
    let loader = FixtureLoader()
    switch DiskFiles().kind(of: path) {
    case .folder:
      let contents = loader.contents(of: path)
      for fixture in contents.fixtures { examine(fixture: fixture, &report) }
      for document in contents.documents { report.add(findings(inPipeline: document)) }
      report.findings += contents.findings
      if contents.fixtures.isEmpty, contents.documents.isEmpty, contents.findings.isEmpty {
        report.findings.append(
          SourceFinding(
            path: path, message: "there is neither a fixture nor a pipeline in this folder",
            remedy: "name a folder with some"))
      }
    case .file where path.split(separator: "/").last.map(String.init) != FixtureLoader.fileName:
      guard FixtureLoader.isDocument(path) else {
        let finding = SourceFinding(
          path: path, message: "it is neither a fixture nor a pipeline",
          remedy: "name a fixture.yaml, or a pipeline that ends in .yaml, .yml or .json")
        report.add([finding])
        return
      }
      report.add(findings(inPipeline: path))
    default:
      examine(fixture: path, &report)
    }
  }

  /// Adds the findings in a fixture, its pipeline file, and its capture record.
  private func examine(fixture path: String, _ report: inout LintReport) {
    let loaded = FixtureLoader().load(fixture: path)
    let pipeline = loaded.pipelinePath
    let others = [pipeline, loaded.path(of: CapturedFixture.recordName)].filter {
      DiskFiles().kind(of: $0) != nil
    }
    let folder = FixtureLoader.folder(of: path)
    report.add(
      loaded.findings + loaded.warnings
        + (loaded.files + others).flatMap { PrivateDataFindings.inFile($0, ofFolder: folder) })
    if others.contains(pipeline) {
      report.add(findings(inPipeline: pipeline, read: PlannedPipelines.read(inFixture:)))
    }
  }

  private func findings(
    inPipeline path: String,
    read: (_ path: String) throws(InvalidInput) -> [UInt8] = { path throws(InvalidInput) in
      try DiskFiles().read(path, limit: SourceDocument.Limits().bytes)
    }
  ) -> [SourceFinding] {
    do throws(InvalidInput) {
      return PipelineLoader(plugins).load(path: path, bytes: try read(path)).findings()
    } catch {
      return [SourceFinding(path: path, error)]
    }
  }
}
