public import ProbeCore
public import SourceDocuments

/// Reads pipeline files in YAML or JSON, and reports every error.
public struct PipelineLoader: Sendable {
  private let plugins: PluginRegistry

  /// Creates a loader for these plugins, whose validators and request keys are part of the language.
  public init(_ plugins: PluginRegistry) {
    self.plugins = plugins
  }

  /// Reads a file.
  ///
  /// The secrets and files that the pipeline names are not read here; ``LoadedPipeline/plan(in:)`` checks
  /// them.
  ///
  /// - Parameters:
  ///   - path: The path as the user gave it, for messages; relative paths in the file start at its folder.
  ///   - bytes: The contents of the file.
  /// - Returns: The pipeline, or its errors.
  public func load(path: String, bytes: [UInt8]) -> LoadedPipeline {
    let findings = SourceFindings(SourceFile(path: path, bytes: bytes))
    let root = SourceDocument.read(findings)
    let reader = FieldReader.pipeline(PipelineLanguage(plugins))
    let pipeline = root.flatMap { reader.document($0, called: "a pipeline", findings) }
    return LoadedPipeline(path: path, read: findings, pipeline, transports: plugins.transports)
  }
}

/// The result of reading a pipeline file.
public struct LoadedPipeline: Sendable {
  /// The path as the user gave it.
  public let path: String
  /// The pipeline, or nil if reading found an error.
  public var pipeline: Pipeline? {
    get { read.isEmpty ? draft : nil }
    set { draft = newValue }
  }
  /// The readable parts of the pipeline, which are checked too; nil if there are none.
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

  /// Creates a result from a pipeline made in code.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline.
  ///   - transports: The transports of its probes.
  package init(_ pipeline: Pipeline, over transports: TransportRegistry) {
    self.init(
      path: "", read: SourceFindings(SourceFile(path: "", bytes: [])), pipeline, transports: transports)
  }

  /// Every error, in the order of the file; if there are none, every warning.
  ///
  /// The secrets and files that the pipeline names are not read.
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

  /// Makes the plan of the pipeline, and reads its secrets and files.
  ///
  /// - Parameter context: How to read secrets; relative paths start at the file's folder.
  /// - Returns: The plan.
  /// - Throws: ``UnusablePipeline`` with every error.
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
        // The planner stopped at the limit, too.
        _ = findings.givesUp()
      }
    }
    throw UnusablePipeline(findings: findings.all + others)
  }
}

extension SourceFindings.State {
  /// Whether reading found an error in a part.
  fileprivate func hasFinding(in origin: PipelineOrigin) -> Bool {
    if case .file(let node) = origin { !node.isComplete || hasFinding(in: node.span) } else { false }
  }
}

/// The errors of a pipeline file that cannot be used.
public struct UnusablePipeline: Error, Hashable, Sendable {
  /// The errors, in the order of the file; never empty.
  public let findings: [SourceFinding]

  package init(findings: [SourceFinding]) {
    self.findings = findings
  }
}

extension UnusablePipeline: CustomStringConvertible {
  /// All findings, each with its position.
  public var description: String { findings.map(\.description).joined(separator: "\n") }
}
