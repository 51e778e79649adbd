import FixtureCapture
import ProbeCore
import ProbePipeline
import SourceDocuments

/// The pipeline file that a capture of URLs is made by, and its fixture asked by later.
struct CapturePipeline {
  /// Its text.
  let text: String

  /// The pipeline for URLs.
  ///
  /// A URL that the built-in pipeline knows is judged as there; of any other a 2xx answer is accepted.
  init(_ urls: [ProbeURL], name: String, _ options: CaptureOptions) {
    var request = ["timeout: \(Self.milliseconds(options.timeout))ms"]
    if options.redirects > 0 { request.append("redirects: \(options.redirects)") }
    if let agent = options.userAgent { request.append("userAgent: \(agent.inYAML)") }
    if let family = options.family { request.append("family: \(family.rawValue)") }
    var lines = [
      "version: 1", "name: \(name.inYAML)", "policy: { https: optional }",
      "request: { \(request.joined(separator: ", ")) }", "sets:", "  - name: urls", "    urls:",
    ]
    var known: Set<String> = []
    for url in urls where known.insert(url.string).inserted {
      lines.append("      - url: \(url.string.inYAML)")
      if let target = BuiltInTarget.all.first(where: { $0.url == url.string }) {
        lines.append("        validate: \(target.validate)")
      }
    }
    text = lines.joined(separator: "\n") + "\n"
  }

  /// The plan.
  ///
  /// - Parameters:
  ///   - plugins: What it can name.
  ///   - overrides: What holds for every request besides.
  /// - Returns: The plan, of which every probe is carried out.
  /// - Throws: ``UnusablePipeline`` when an option cannot be used, such as a user agent with a line break.
  func plan(
    _ plugins: PluginRegistry, overriding overrides: [RequestSetting] = []
  ) throws(UnusablePipeline) -> ProbePlan {
    try Self.plan(text, plugins, overriding: overrides)
  }

  /// The plan of a pipeline's text.
  static func plan(
    _ text: String, _ plugins: PluginRegistry, overriding overrides: [RequestSetting] = []
  ) throws(UnusablePipeline) -> ProbePlan {
    let loaded = PipelineLoader(plugins).load(path: "pipeline.yaml", bytes: Array(text.utf8))
    var plan = try loaded.plan(overriding: overrides)
    plan.stopsEarly = false
    return plan
  }

  private static func milliseconds(_ duration: Duration) -> Int {
    max(1, Int((duration / .milliseconds(1)).rounded()))
  }
}
