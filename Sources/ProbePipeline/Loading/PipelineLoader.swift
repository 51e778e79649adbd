public import ProbeCore
public import SourceDocuments

/// Reads pipeline files, in YAML or JSON, and reports every mistake.
public struct PipelineLoader: Sendable {
  private let plugins: PluginRegistry

  /// A loader over these plugins: their validators and request keys are part of the language.
  public init(_ plugins: PluginRegistry) {
    self.plugins = plugins
  }

  /// Reads a file.
  ///
  /// Nothing that the pipeline names is read, be it a secret or a file: whether they can be used shows in
  /// ``LoadedPipeline/plan(in:)``.
  ///
  /// - Parameters:
  ///   - path: The path as the user gave it, for messages; relative paths in the file start at its folder.
  ///   - bytes: What stands in the file.
  /// - Returns: The pipeline, or what is wrong with it.
  public func load(path: String, bytes: [UInt8]) -> LoadedPipeline {
    let findings = SourceFindings(SourceFile(path: path, bytes: bytes))
    let root = SourceDocument.read(findings)
    let reader = FieldReader.pipeline(PipelineLanguage(plugins))
    let pipeline = root.flatMap { reader.document($0, called: "a pipeline", findings) }
    return LoadedPipeline(path: path, read: findings, pipeline, transports: plugins.transports)
  }
}

/// What came of reading a pipeline file.
public struct LoadedPipeline: Sendable {
  /// The path as the user gave it.
  public let path: String
  /// The pipeline, or nil when reading found a mistake.
  public var pipeline: Pipeline? {
    get { read.isEmpty ? draft : nil }
    set { draft = newValue }
  }
  /// The readable parts of the pipeline, which are checked too; nil when there are none.
  package var draft: Pipeline?
  private let read: SourceFindings.State
  private let transports: TransportRegistry

  fileprivate init(
    path: String, read findings: SourceFindings, _ pipeline: Pipeline?, transports: TransportRegistry
  ) {
    self.path = path
    draft = pipeline
    read = findings.state
    self.transports = transports
  }

  /// A pipeline made in code.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline.
  ///   - transports: The transports of its probes.
  package init(_ pipeline: Pipeline, over transports: TransportRegistry) {
    self.init(
      path: "", read: SourceFindings(SourceFile(path: "", bytes: [])), pipeline, transports: transports)
  }

  /// Every mistake, in the order of the file; without mistakes, every warning.
  ///
  /// Secrets and files that the pipeline names are not read.
  public func findings() -> [SourceFinding] {
    do throws(UnusablePipeline) {
      let plan = try plan(in: .withoutSecrets, checksFiles: false)
      let findings = SourceFindings(read)
      for warning in plan.warnings {
        if case .file(let node)? = draft?.origin(of: warning) {
          findings.warn(warning.input.message, remedy: warning.input.remedy, at: node.span.lowerBound)
        }
      }
      return findings.warnings
    } catch {
      return error.findings
    }
  }

  /// The plan of the pipeline, with its secrets and files read.
  ///
  /// - Parameter context: Where secrets come from; relative paths start at the file's folder.
  /// - Returns: The plan.
  /// - Throws: ``UnusablePipeline`` with everything that is wrong.
  public func plan(in context: RequestContext = .process) throws(UnusablePipeline) -> ProbePlan {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) }
    return try plan(in: context.inFolder(folder == "" ? "/" : folder ?? ""), checksFiles: true)
  }

  private func plan(in context: RequestContext, checksFiles: Bool) throws(UnusablePipeline) -> ProbePlan {
    let findings = SourceFindings(read)
    var others: [SourceFinding] = []
    if let draft {
      var planner = Planner(draft, over: transports, in: context, checksFiles: checksFiles)
      do throws(InvalidPlan) {
        let plan = try planner.plan()
        if findings.isEmpty { return plan }
      } catch {
        for problem in error.problems where !draft.basis(of: problem).contains(where: read.hasFinding(in:)) {
          if findings.givesUp() { break }
          switch draft.origin(of: problem) {
          case .file(let node): findings.add(problem.input, at: node)
          case .argument(let name): others.append(SourceFinding(argument: name, problem.input))
          case .code: others.append(SourceFinding(path: path, problem.input))
          }
        }
        // At the limit the planner stopped, too.
        _ = findings.givesUp()
      }
    }
    throw UnusablePipeline(findings: findings.all + others)
  }
}

extension SourceFindings.State {
  /// Whether reading found a mistake in a part.
  fileprivate func hasFinding(in origin: PipelineOrigin) -> Bool {
    if case .file(let node) = origin { !node.isComplete || hasFinding(in: node.span) } else { false }
  }
}

/// A pipeline file that cannot be used, with everything that is wrong.
public struct UnusablePipeline: Error, Hashable, Sendable {
  /// What is wrong, in the order of the file; never empty.
  public let findings: [SourceFinding]

  package init(findings: [SourceFinding]) {
    self.findings = findings
  }
}

extension UnusablePipeline: CustomStringConvertible {
  /// All findings, each with its place.
  public var description: String { findings.map(\.description).joined(separator: "\n") }
}
