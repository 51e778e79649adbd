import BundledPlugins
import Validators
import ProbeCore
import ProbePipeline

/// Whether the office is online; throws before anything is sent if the pipeline is wrong.
func isOfficeOnline(with plugins: PluginRegistry) async throws -> Bool {
  let body = try MatchesValidator(#"<BODY>\s*Success\s*</BODY>"#, options: [.caseless])
  let pipeline = try Pipeline("office") {
    try ProbeSet("apple", threshold: .percent(50)) {
      "https://www.apple.com/library/test/success.html"
      ProbeTarget("https://captive.apple.com/hotspot-detect.html").validate(body)
    }
    .validate(ContainsValidator("Success"))
    try ProbeSet("google", "https://www.google.com/generate_204").validate(StatusValidator(204))
  }
  .request { $0.timeout = .seconds(3) }
  return try await pipeline.run(with: plugins).verdict == .online
}
