import ProbeCore
import SourceDocuments
import TestRequirements
import TestSupport
import Testing

@testable import ProbePipeline

/// Extreme numbers in pipeline files: each is accepted or a finding, and none ends the process.
@Suite(.heavy) struct ExtremeFileTests {
  @Test(arguments: PipelineFile.names(.valid))
  func extremeNumbersAreAcceptedOrFindings(_ name: String) throws {
    let file = PipelineFile(name: name, table: .valid)
    let loader = PipelineLoader(try .ofLanguageTests)
    for bytes in ExtremeNumbers(in: try file.bytes, seed: 55, each: 1) {
      let loaded = loader.load(path: name, bytes: bytes)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(loaded.pipeline != nil || !loaded.findings().isEmpty, "seed 55: \(text)")
      guard loaded.pipeline != nil else { continue }
      do {
        let plan = try loaded.plan(in: .ofLanguageTests)
        #expect(!PlanOutline(plan).text.isEmpty)
      } catch {
        #expect(!error.findings.isEmpty, "seed 55: \(text)")
      }
    }
  }
}
