public import ProbeCore
public import SourceDocuments

/// Reads pipeline files, in YAML or JSON, and tells everything that is wrong with them.
public struct PipelineLoader: Sendable {
  private let plugins: PluginRegistry

  /// A loader over these plugins: their validators and request keys are part of the language.
  public init(_ plugins: PluginRegistry) {
    self.plugins = plugins
  }

  /// Reads a file.
  ///
  /// Secrets and files that the pipeline names are not read: whether they can be used shows in
  /// ``LoadedPipeline/plan(in:overriding:)``.
  ///
  /// - Parameters:
  ///   - path: The path as the user gave it, for messages; relative paths in the file start at its folder.
  ///   - bytes: What stands in the file.
  /// - Returns: The pipeline, or what is wrong with it.
  public func load(path: String, bytes: [UInt8]) -> LoadedPipeline {
    let findings = SourceFindings(SourceFile(path: path, bytes: bytes))
    guard let root = SourceDocument.read(findings) else { return LoadedPipeline(findings) }
    let language = PipelineLanguage(plugins)
    let reader = FieldReader.pipeline(language)
    guard let pipeline = reader.document(root, called: "a pipeline", findings) else {
      return LoadedPipeline(findings)
    }
    var builder = PlanBuilder(
      pipeline, over: plugins.transports, in: .withoutSecrets, checksFiles: false)
    do throws(InvalidPlan) {
      _ = try builder.plan()
    } catch {
      for problem in error.problems { findings.add(problem, in: root) }
      // With so many the builder has not looked any further either.
      _ = findings.givesUp()
    }
    return LoadedPipeline(findings, pipeline, root: root, transports: plugins.transports)
  }
}

/// What came of reading a pipeline file.
public struct LoadedPipeline: Sendable {
  /// The path as the user gave it.
  public let path: String
  /// Everything that is wrong, in the order of the file; empty when the pipeline can be used.
  public let findings: [SourceFinding]
  /// The pipeline, or nil when something is wrong with it.
  public let pipeline: Pipeline?
  private let file: SourceFile
  private let root: SourceNode?
  private let transports: TransportRegistry

  fileprivate init(
    _ findings: SourceFindings, _ pipeline: Pipeline? = nil, root: SourceNode? = nil,
    transports: TransportRegistry = TransportRegistry()
  ) {
    file = findings.file
    path = findings.file.path
    self.findings = findings.all
    self.pipeline = findings.isEmpty ? pipeline : nil
    self.root = root
    self.transports = transports
  }

  /// The plan of the pipeline, with its secrets and files read.
  ///
  /// - Parameters:
  ///   - context: Where secrets come from; relative paths start at the file's folder.
  ///   - overrides: What holds for every request whatever the file says, for trying it out.
  /// - Returns: The plan.
  /// - Throws: ``UnusablePipeline`` with everything that is wrong.
  public func plan(
    in context: RequestContext = .process, overriding overrides: [RequestSetting] = []
  ) throws(UnusablePipeline) -> ProbePlan {
    guard var pipeline, let root else { throw UnusablePipeline(findings: findings) }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) }
    for set in pipeline.sets.indices {
      for target in pipeline.sets[set].targets.indices {
        pipeline.sets[set].targets[target].settings += overrides
      }
    }
    var builder = PlanBuilder(
      pipeline, over: transports, in: context.inFolder(folder == "" ? "/" : folder ?? ""), checksFiles: true)
    do throws(InvalidPlan) {
      return try builder.plan()
    } catch {
      let findings = SourceFindings(file)
      for problem in error.problems where !findings.givesUp() { findings.add(problem, in: root) }
      throw UnusablePipeline(findings: findings.all)
    }
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
