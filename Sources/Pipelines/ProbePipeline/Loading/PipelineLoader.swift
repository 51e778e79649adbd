public import ProbeCore
public import SourceDocuments

/// Reads pipeline files in YAML or JSON, and reports every error.
public struct PipelineLoader: Sendable {
  private let plugins: PluginRegistry

  /// Creates a loader for these plugins, whose validators and request keys are part of the language.
  public init(_ plugins: PluginRegistry) {
    self.plugins = plugins
  }

  /// Reads a file, and the files that it extends.
  ///
  /// The secrets, other files and environment variables that the pipeline names are not read here;
  /// ``LoadedPipeline/plan(in:)`` reads them.
  ///
  /// - Parameters:
  ///   - path: The path as the user gave it, for messages; relative paths in the file start at its folder.
  ///   - bytes: The contents of the file.
  ///   - values: Values for variables of the file, by name; other names have no effect.
  /// - Returns: The pipeline, or its errors.
  public func load(path: String, bytes: [UInt8], values: [String: String] = [:]) -> LoadedPipeline {
    let findings = SourceFindings(SourceFile(path: path, bytes: bytes)) { [plugins] in
      DeclaredSecrets(
        plugins.transports.requestKeys.flatMap(\.byScheme.values), in: PipelineSchema(plugins).schema)
    }
    var files = ExtendedFiles(of: path, findings)
    let root = SourceDocument.read(findings).map { files.merged($0, ofFile: path) }
    let syntax = findings.state
    let reader = PipelineReader(root, in: PipelineFolder(ofFile: path), plugins, values)
    let first = reader.read(syntax, in: nil)
    var loaded = LoadedPipeline(path: path, first, transports: plugins.transports)
    loaded.extendedFiles = Array(files.paths.dropFirst())
    loaded.reader = reader
    loaded.syntax = syntax
    return loaded
  }
}

/// The result of reading a pipeline file.
public struct LoadedPipeline: Sendable {
  /// The path as the user gave it.
  public let path: String
  /// The pipeline, or nil if reading found an error.
  ///
  /// Variables from the environment have placeholders as values; ``plan(in:)`` reads them.
  public var pipeline: Pipeline? { result.findings.isEmpty ? result.pipeline : nil }
  /// The names of the variables that the file declares.
  public var variables: [String] { result.variables }
  /// The paths of the files that it extends, with symbolic links resolved.
  package fileprivate(set) var extendedFiles: [String] = []
  /// The paths of the schemas that its plugins name, with symbolic links resolved.
  package var schemaFiles: [String] { result.schemaFiles }
  /// The result of reading, without the environment.
  private var result: PipelineReader.Result
  /// Reads the pipeline of the file again, with the environment or other values of variables; nil for one made in code.
  fileprivate var reader: PipelineReader?
  /// The errors of the syntax.
  fileprivate var syntax: SourceFindings.State
  private var changes: [@Sendable (inout Pipeline) -> Void] = []
  private let transports: TransportRegistry

  fileprivate init(path: String, _ result: PipelineReader.Result, transports: TransportRegistry) {
    self.path = path
    self.result = result
    syntax = result.findings
    self.transports = transports
  }

  /// Changes the pipeline, as far as it could be read.
  public mutating func change(_ change: @escaping @Sendable (inout Pipeline) -> Void) {
    changes.append(change)
    if var pipeline = result.pipeline {
      change(&pipeline)
      result.pipeline = pipeline
    }
  }

  /// The transports, with those that the file declares.
  var allTransports: TransportRegistry { transports.adding(result.transports) }

  /// The parameters that a request to `probekit serve` may set.
  package var parameters: RequestParameters { result.pipeline?.parameters ?? RequestParameters() }

  /// The pipeline with values of a request for its variables, by name, instead of those in the file.
  ///
  /// Neither the file nor one that it extends is read again.
  package func replacingVariables(with values: [String: String]) -> LoadedPipeline {
    guard var reader else { return self }
    reader.values.merge(values) { $1 }
    reader.requestedNames.formUnion(values.keys)
    var loaded = self
    loaded.reader = reader
    loaded.result = loaded.changed(reader.read(syntax, in: nil))
    return loaded
  }

  /// The result of reading, with the changes.
  private func changed(_ result: PipelineReader.Result) -> PipelineReader.Result {
    var result = result
    if var pipeline = result.pipeline {
      for change in changes { change(&pipeline) }
      result.pipeline = pipeline
    }
    return result
  }

  /// Creates a result from a pipeline made in code.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline.
  ///   - transports: The transports of its probes.
  package init(_ pipeline: Pipeline, over transports: TransportRegistry) {
    let findings = SourceFindings(SourceFile(path: "", bytes: []))
    self.init(
      path: "", PipelineReader.Result(findings: findings.state, pipeline: pipeline), transports: transports)
  }

  /// Every error, in the order of the file; if there are none, every warning.
  ///
  /// The secrets and files that the pipeline names are not read.
  public func findings() -> [SourceFinding] {
    do throws(UnusablePipeline) {
      // Only a pipeline to serve has parameters.
      let plan = try plan(in: .withoutSecrets, readsResources: false, isServed: !parameters.names.isEmpty)
      let findings = SourceFindings(result.findings)
      for warning in plan.warnings {
        if case .file(let node)? = result.pipeline?.origin(of: warning) {
          findings.warn(warning.input.message, remedy: warning.input.remedy, at: node.span.lowerBound)
        }
      }
      return findings.warnings
    } catch {
      return error.findings
    }
  }

  /// The error that the pipeline cannot be used for a purpose, although it is valid.
  package func unusable(_ problem: InvalidInput) -> UnusablePipeline {
    UnusablePipeline(findings: [SourceFinding(path: path, problem)])
  }

  /// Makes the plan of the pipeline, and reads its secrets and files.
  ///
  /// - Parameter context: How to read secrets; relative paths start at the file's folder.
  /// - Returns: The plan.
  /// - Throws: ``UnusablePipeline`` with every error.
  public func plan(in context: RequestContext = .process) throws(UnusablePipeline) -> ProbePlan {
    try plan(in: context.inFolder(PipelineFolder(ofFile: path).path), readsResources: true)
  }

  /// The plan for `probekit serve`, whose clients may choose what is requested.
  ///
  /// - Throws: `UnusablePipeline` with every error; one is that it has credentials and does not say who may receive them.
  package func servedPlan(in context: RequestContext) throws(UnusablePipeline) -> ProbePlan {
    try plan(in: context.inFolder(PipelineFolder(ofFile: path).path), readsResources: true, isServed: true)
  }

  /// Makes the plan for a purpose.
  ///
  /// - Parameters:
  ///   - context: How to read secrets.
  ///   - readsResources: Whether to read environment variables and files, and to require permission for programs.
  ///   - isServed: Whether clients may choose what is requested.
  /// - Returns: The plan.
  /// - Throws: ``UnusablePipeline`` with every error.
  private func plan(
    in context: RequestContext, readsResources: Bool, isServed: Bool = false
  ) throws(UnusablePipeline) -> ProbePlan {
    var result = result
    if readsResources, result.readsEnvironment, let reader {
      result = changed(reader.read(syntax, in: context))
    }
    let findings = SourceFindings(result.findings)
    if readsResources, context.programs == nil {
      for node in result.programs { findings.add(.programsNotAllowed, at: node) }
    }
    var others: [SourceFinding] = []
    if let draft = result.pipeline {
      var planner = Planner(
        draft, over: allTransports, in: context, readsResources: readsResources)
      do throws(InvalidPlan) {
        var plan = try planner.plan()
        plan.pluginTransports = result.transports
        if isServed, let mistake = draft.parameters.mistake(in: plan, secrets: draft.secrets),
          case .file(let node) = draft.origin["params"]
        {
          findings.add(mistake, at: node)
        }
        if findings.isEmpty { return plan }
      } catch {
        for problem in error.problems
        where !draft.basis(of: problem).contains(where: result.findings.hasFinding(in:)) {
          if findings.stopIfFull() { break }
          switch draft.origin(of: problem) {
          case .file(let node): findings.add(problem.input, at: node)
          case .argument(let name): others.append(SourceFinding(argument: name, problem.input))
          case .code: others.append(SourceFinding(path: path, problem.input))
          }
        }
        // The planner stops at the same limit. If it is reached, a finding says that not everything was checked.
        findings.stopIfFull()
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

/// Reads the values of a pipeline file.
struct PipelineReader: Sendable {
  struct Result: Sendable {
    /// The errors.
    var findings: SourceFindings.State
    /// The readable parts of the pipeline; nil if there are none.
    var pipeline: Pipeline?
    /// The names of the variables.
    var variables: [String] = []
    /// Whether a value comes from the environment.
    var readsEnvironment = false
    /// The transports that it declares.
    var transports: [any ProbeTransport] = []
    /// The keys that start a program.
    var programs: [SourceNode] = []
    /// The paths of the schemas of plugins.
    var schemaFiles: [String] = []
  }

  private let root: SourceNode?
  private let plugins: PluginRegistry
  private let folder: PipelineFolder
  /// Values that replace those in the file, by name.
  var values: [String: String]
  /// The names of values from a request to `probekit serve`.
  var requestedNames: Set<String> = []

  /// Prepares to read a value.
  init(
    _ root: SourceNode?, in folder: PipelineFolder, _ plugins: PluginRegistry, _ values: [String: String]
  ) {
    self.root = root
    self.folder = folder
    self.plugins = plugins
    self.values = values
  }

  /// Reads the pipeline.
  ///
  /// - Parameters:
  ///   - syntax: The errors so far.
  ///   - context: Reads the environment; nil to leave it unread.
  /// - Returns: The pipeline and all errors.
  func read(_ syntax: SourceFindings.State, in context: RequestContext?) -> Result {
    let findings = SourceFindings(syntax)
    guard var root else { return Result(findings: findings.state) }
    let variables = root.entry("vars").map {
      Variables($0.value, given: values, requestedNames, in: context, findings)
    }
    if let variables {
      findings.hide(context == nil ? [] : variables.secrets)
      var substitution = Substitution(variables, in: plugins.transports.requestKeys, findings)
      root = substitution.pipeline(root)
    }
    let declared = root.entry("plugins").flatMap {
      FieldReader.declaredPlugins(besides: plugins, in: folder).value(
        of: $0.value, field: "plugins", findings)
    }
    let language = PipelineLanguage(plugins, declared: declared ?? [], folder: folder)
    var pipeline = FieldReader.pipeline(language).document(root, called: "a pipeline", findings)
    pipeline?.secrets = variables?.secrets ?? []
    return Result(
      findings: findings.state, pipeline: pipeline, variables: variables?.names ?? [],
      readsEnvironment: variables?.readsEnvironment ?? false,
      transports: language.declared.compactMap(\.transport), programs: language.uses.nodes,
      schemaFiles: language.declared.compactMap(\.schemaFile))
  }
}
