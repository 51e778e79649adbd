import ProbeCore
import SourceDocuments

/// Reads the values of a pipeline file.
struct PipelineReading: Sendable {
  /// The result of reading.
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
  var requested: Set<String> = []

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
      Variables($0.value, given: values, requested, in: context, findings)
    }
    if let variables {
      findings.hide(context == nil ? [] : variables.secrets)
      var substitution = Substitution(variables, findings)
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
