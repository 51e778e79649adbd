import ProbeCore
import ProbePipeline
import SourceDocuments
import TestRequirements
import Testing

@Suite(.heavy) struct InvalidFileTests {
  /// The exact text of every finding: location, message, remedy, source line and caret.
  @Test(arguments: PipelineFile.names(.invalid))
  func allErrorsAreReported(_ name: String) throws {
    let file = PipelineFile(name: name, table: .invalid)
    let loaded = try file.load()
    #expect(throws: UnusablePipeline.self) { try loaded.plan(in: .ofLanguageTests) }
    #expect(!loaded.findings().isEmpty)
    let text = loaded.findings().map { "\($0)\n" }.joined()
    #expect(try text == file.snapshot(is: text))
  }

  @Test(arguments: PipelineFile.names(.invalid))
  func everyFindingHasItsLocationAndIsReportedOnce(_ name: String) throws {
    let findings = try PipelineFile(name: name, table: .invalid).load().findings()
    for finding in findings {
      #expect(finding.location != nil)
      #expect(!finding.message.isEmpty)
      #expect(!finding.message.hasSuffix("."))
      #expect(finding.description.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    }
    #expect(Set(findings).count == findings.count)
  }

  /// Neither table is empty, so the tests of both can fail.
  @Test func bothTablesHaveFiles() {
    #expect(PipelineFile.names(.invalid).count > 200)
    #expect(PipelineFile.names(.valid).count > 30)
  }
}
