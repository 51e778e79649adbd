import CommandKit
import FixtureCapture
import FixtureReplay
import ProbeBase
import ProbeCore
import ProbePipeline
import ProbeReporting
import ProbeSystem
import SourceDocuments

/// `probekit lint`: reports all errors in files, without probing.
struct LintCommand: Subcommand {
  /// The plugins that pipelines can name.
  let plugins: PluginRegistry

  struct Options: ProbingCommandOptions {
    /// The files and folders to examine.
    var paths: [String] = []
    /// Whether warnings count as errors.
    var isStrict = false
    /// The options for pipelines; nothing is probed.
    var probing = ProbingOptions()
  }

  var spec: CommandSpec<Options> {
    CommandSpec(
      name: "lint",
      summary: "Check pipelines and fixtures and report all errors",
      discussion: [
        "A fixture.yaml is a fixture; any other .yaml, .yml or .json file is a pipeline. For a folder, checks all "
          + "fixtures and pipelines in it. Files in the folder of a fixture belong to that fixture. Each message has the "
          + "file, line and column.",
        "Warnings change the exit code only with --strict. They report a route that no request reaches, a set that no "
          + "rule refers to, and in fixtures, which are made to be shared, MAC and e-mail addresses that may be private.",
        "Nothing is probed. Environment variables, secrets, certificates and certificate authorities that a pipeline names are not read.",
      ],
      initial: Options(),
      positionals: [
        PositionalSpec("FILE-OR-FOLDER", .some, takes: .file, help: "the file or folder to check") {
          $0.paths.append(try ValueKind.file.path($1, of: "a file or a folder"))
        }
      ],
      options: [
        .flag("--strict", \.isStrict, help: "treat warnings as errors"), .values, .explain,
      ],
      canBeQuiet: true,
      exitCodes: [
        (.success, "no errors"),
        (.badInput, "errors, or a file cannot be read"),
        (.unavailable, "missing on this machine: disk space"),
      ],
      examples: [
        ("lint office.yaml", "check one pipeline"),
        ("lint fixtures", "check everything in a folder"),
        ("lint --format json my-portal/fixture.yaml", "check one fixture, for a program"),
      ]
    )
  }

  /// Examines the files and reports the findings.
  func run(_ options: Options, in context: CommandContext) async -> ExitCode {
    var report = LintReport(explains: options.probing.explains)
    for path in options.paths { examine(path, options, &report) }
    let unused = options.probing.unusedValues(report.variables)
    for finding in unused { context.report(finding) }
    guard unused.isEmpty else { return .usage }
    return context.write("the findings", report.isWrong(strict: options.isStrict) ? .badInput : .success) {
      context.format == .json
        ? try report.json() : report.text + (report.explains ? "\n\(report.settings.text)" : "")
    }
  }

  private func examine(_ path: String, _ options: Options, _ report: inout LintReport) {
    let loader = FixtureLoader()
    switch DiskFiles().kind(of: path) {
    case .folder:
      let contents = loader.contents(of: path)
      for fixture in contents.fixtures { examine(fixture: fixture, options, &report) }
      let pipelines = contents.documents.map { ($0, load(pipeline: $0, options)) }
      // Files that a pipeline names are examined with it.
      let named = pipelines.compactMap { try? $0.1.get() }
      let extended = Set(named.flatMap { $0.extendedFiles + $0.schemaFiles })
      for (document, loaded) in pipelines where !extended.contains(DiskFiles().resolved(document) ?? "") {
        report.add(loaded, path: document)
      }
      report.findings += contents.findings
      if contents.fixtures.isEmpty, contents.documents.isEmpty, contents.findings.isEmpty {
        report.findings.append(
          SourceFinding(
            path: path, message: "the folder contains no fixture and no pipeline",
            remedy: "name another folder"))
      }
    case .file where path.split(separator: "/").last.map(String.init) != FixtureLoader.fileName:
      guard FixtureLoader.isDocument(path) else {
        let finding = SourceFinding(
          path: path, message: "it is neither a fixture nor a pipeline",
          remedy: "name a fixture.yaml, or a pipeline that ends in .yaml, .yml or .json")
        report.add([finding])
        return
      }
      examine(pipeline: path, options, &report)
    default:
      examine(fixture: path, options, &report)
    }
  }

  /// Adds the findings in a fixture, its pipeline file, and its capture record.
  private func examine(fixture path: String, _ options: Options, _ report: inout LintReport) {
    let loaded = FixtureLoader().load(fixture: path)
    let pipeline = loaded.pipelinePath
    let others = [pipeline, loaded.path(of: CapturedFixture.recordName)].filter {
      DiskFiles().kind(of: $0) != nil
    }
    let folder = path.folderOfPath
    report.add(
      loaded.findings + loaded.warnings
        + PrivateDataFindings.inFiles(loaded.files + others, ofFolder: folder))
    if others.contains(pipeline) {
      report.add(load(pipeline: pipeline, options, read: PlannedPipelines.read(inFixture:)), path: pipeline)
    }
  }

  private func examine(pipeline path: String, _ options: Options, _ report: inout LintReport) {
    report.add(load(pipeline: path, options), path: path)
  }

  private func load(
    pipeline path: String, _ options: Options,
    read: (_ path: String) throws(InvalidInput) -> [UInt8] = { path throws(InvalidInput) in
      try DiskFiles().read(path, limit: SourceDocument.Limits().bytes)
    }
  ) -> Result<LoadedPipeline, InvalidInput> {
    Result { () throws(InvalidInput) in
      PipelineLoader(plugins).load(path: path, bytes: try read(path), values: options.probing.values)
    }
  }
}

/// The findings of lint.
struct LintReport {
  /// The number of examined files, not counting those that a fixture names.
  private(set) var files = 0
  /// The findings, grouped by file.
  var findings: [SourceFinding] = []
  /// Whether to find the settings of the probes of pipelines.
  var explains = false
  /// The settings of the probes of the examined pipelines.
  private(set) var settings = SettingsReport()
  /// The variables of the examined pipelines.
  var variables: [String] = []

  mutating func add(_ findings: [SourceFinding]) {
    files += 1
    self.findings += findings
  }

  /// Adds the findings in a pipeline, or the reason why it cannot be read.
  mutating func add(_ loaded: Result<LoadedPipeline, InvalidInput>, path: String) {
    do throws(InvalidInput) {
      let loaded = try loaded.get()
      variables += loaded.variables
      add(loaded.findings())
      if explains { settings.add(loaded, named: path) }
    } catch {
      add([SourceFinding(path: path, error)])
    }
  }

  /// The report for people: each finding with its line and a caret, and a summary at the end.
  var text: String {
    findings.map { "\($0)\n" }.joined() + summary + "\n"
  }

  private var summary: String {
    let examined = "\(files.counted("file")) checked"
    guard !findings.isEmpty else { return "\(examined): nothing is wrong" }
    let warnings = findings.count { $0.severity == .warning }
    let ofThem = warnings == 0 ? "" : ", \(warnings.counted("warning"))"
    return "\(examined): \(findings.count.counted("finding"))\(ofThem) in "
      + Set(findings.map(\.path)).count.counted("file")
  }

  /// Whether the report fails.
  ///
  /// - Parameter isStrict: Whether warnings count as errors.
  /// - Returns: Whether there is an error.
  func isWrong(strict isStrict: Bool) -> Bool {
    findings.contains { isStrict || $0.severity == .error }
  }

  /// The report for programs: one line.
  ///
  /// - Throws: An error of `JSONEncoder`, which no finding is known to cause.
  func json() throws -> String {
    try JSONLine.text(
      Record(
        schema: 1, files: files, findings: findings.map(FindingRecord.init),
        pipelines: explains ? settings.pipelines : nil))
  }

  private struct Record: Encodable {
    let schema: Int
    let files: Int
    let findings: [FindingRecord]
    let pipelines: [SettingsReport.PipelineSettings]?
  }
}

/// Warns about private data in the files of a fixture.
enum PrivateDataFindings {
  /// The findings in the files of a fixture's folder.
  ///
  /// Unreadable files are ignored, as are files beyond the maximum total size of a fixture: both are reported
  /// when the fixture is loaded.
  static func inFiles(_ paths: [String], ofFolder folder: String) -> [SourceFinding] {
    var rest = FixtureLoader.maximumTotalLength
    var findings: [SourceFinding] = []
    for path in paths where rest > 0 {
      let limit = FixtureLoader.maximumFileLength
      guard let bytes = try? DiskFiles().read(path, ofFolder: folder, limit: limit) else { continue }
      rest -= bytes.count
      findings += inFile(path, bytes)
    }
    return findings
  }

  private static func inFile(_ path: String, _ bytes: [UInt8]) -> [SourceFinding] {
    let found = PrivateData.found(in: bytes)
    guard !found.isEmpty else { return [] }
    let findings = SourceFindings(SourceFile(path: path, bytes: bytes))
    for data in found {
      let (name, remedy) = words(for: data.kind)
      let message =
        data.isPacked
        ? "the compressed body that starts here contains \(name) that may be private"
        : "\(name) that may be private"
      findings.warn(message, remedy: remedy, at: data.offset)
    }
    return findings.warnings
  }

  private static func words(for kind: CaptureRedaction.Replacement.Kind) -> (name: String, remedy: String) {
    switch kind {
    case .email: ("an e-mail address", "use one for documentation, such as name@example.com (RFC 2606)")
    default:
      ("a MAC address", "use one for documentation, 00-00-5E-00-53-00 to 00-00-5E-00-53-FF (RFC 7042)")
    }
  }
}
