import FixtureReplay
import ProbeCore
import SourceDocuments

/// `probekit lint`: everything that is wrong with files, without probing anything.
struct LintCommand: Subcommand {
  struct Options: Sendable {
    /// What is to be examined.
    var paths: [String] = []
  }

  var spec: CommandSpec<Options> {
    CommandSpec(
      name: "lint",
      summary: "Check fixtures, and report everything that is wrong with them",
      discussion: [
        "A fixture.yaml is a fixture; a folder stands for all fixtures below it. What is wrong is told with its "
          + "file, line and column. Other files in YAML or JSON are pipelines, which this version does not check."
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
      exitCodes: [
        (.success, "nothing is wrong"),
        (.usage, "the command line is wrong; nothing was done"),
        (.badInput, "something is wrong, or cannot be read"),
        (.unavailable, "the machine lacks something, such as room for the output"),
        (.internalError, "a mistake of the program itself"),
      ],
      examples: [
        (arguments: "lint fixtures", meaning: "Checks every fixture below the folder."),
        (
          arguments: "lint --format json my-portal/fixture.yaml",
          meaning: "Checks one fixture, and tells a program what is wrong."
        ),
      ]
    )
  }

  /// Examines, and tells what was found.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    var report = LintReport()
    for path in options.paths { examine(path, &report, context) }
    guard context.format == .json else {
      context.output.write(report.text)
      return report.findings.isEmpty ? .success : .badInput
    }
    do {
      context.output.write(try report.json())
      return report.findings.isEmpty ? .success : .badInput
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
      for fixture in contents.fixtures { report.add(loader.load(fixture: fixture).findings) }
      for document in contents.documents {
        context.report(
          "\(document): passed over: it is a pipeline, and this version does not check pipelines")
      }
      report.findings += contents.findings
      if contents.fixtures.isEmpty, contents.findings.isEmpty {
        report.findings.append(FixtureLoader.noFixture(in: path))
      }
    case .file where path.split(separator: "/").last.map(String.init) != FixtureLoader.fileName:
      let isPipeline = FixtureLoader.isDocument(path)
      let finding =
        isPipeline
        ? SourceFinding(
          path: path, message: "it is a pipeline, and this version does not check pipelines",
          remedy: "name a fixture.yaml, or a folder with fixtures")
        : SourceFinding(
          path: path, message: "it is neither a fixture nor a pipeline",
          remedy: "name a fixture.yaml, or a folder with fixtures")
      report.add([finding])
    default:
      report.add(loader.load(fixture: path).findings)
    }
  }
}
