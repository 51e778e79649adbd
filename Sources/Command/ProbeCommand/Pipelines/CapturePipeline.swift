import EngineProfiles
import FixtureCapture
import ProbeCore
import ProbePipeline
import SourceDocuments

/// The pipeline that captures URLs, and later probes the fixture.
struct CapturePipeline {
  /// The pipeline.
  let pipeline: Pipeline
  /// The text of the fixture's pipeline file.
  let text: String

  /// The targets of the built-in pipeline by URL, with their validators.
  static func knownTargets(over plugins: PluginRegistry) -> [String: ProbeTarget] {
    let targets = EngineProfile.own.loaded(over: plugins).pipeline?.sets.flatMap(\.targets) ?? []
    return Dictionary(targets.map { ($0.url, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Creates the pipeline for URLs.
  ///
  /// A URL of the built-in pipeline has the same validators as there; for any other, a 2xx status is
  /// accepted.
  init(_ urls: [ProbeURL], name: String, _ options: CaptureOptions, over plugins: PluginRegistry) {
    let known = Self.knownTargets(over: plugins)
    var seen: Set<String> = []
    let targets = urls.map(\.string).filter { seen.insert($0).inserted }.map { url in
      var target = ProbeTarget(url)
      target.judge = known[url]?.judge
      return target
    }
    var pipeline = Pipeline(name, sets: [ProbeSet("urls", targets: targets)])
    pipeline.policy = .plaintextAllowed
    pipeline.settings = options.asking.overrides
    pipeline.stopsEarly = false
    self.pipeline = pipeline

    var request = ["timeout: \(Self.milliseconds(options.timeout))ms"]
    if options.redirects > 0 { request.append("redirects: \(options.redirects)") }
    if let agent = options.userAgent { request.append("userAgent: \(agent.inYAML)") }
    if let family = options.family { request.append("family: \(family.rawValue)") }
    var lines = [
      "version: 1", "name: \(name.inYAML)", "policy: { https: optional }",
      "request: { \(request.joined(separator: ", ")) }", "sets:", "  - name: urls", "    urls:",
    ]
    for target in targets {
      lines.append("      - url: \(target.url.inYAML)")
      if case .file(let node)? = known[target.url]?.origin, let judge = node.entry("validate")?.value {
        lines.append("        validate: \(judge.inYAML)")
      }
    }
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func milliseconds(_ duration: Duration) -> Int {
    max(1, Int(bounding: (duration / .milliseconds(1)).rounded()))
  }
}

extension SourceNode {
  /// The value as one line of YAML.
  fileprivate var inYAML: String {
    switch content {
    case .scalar(let scalar):
      let isWord = scalar.text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
      return scalar.isPlain && isWord ? scalar.text : scalar.text.inYAML
    case .sequence(let items): return "[\(items.map(\.inYAML).joined(separator: ", "))]"
    case .mapping(let entries):
      return "{ \(entries.map { "\($0.key): \($0.value.inYAML)" }.joined(separator: ", ")) }"
    case .unusable: return "~"
    }
  }
}
