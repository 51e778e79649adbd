import ProbeCore
import ProbePipeline
import SourceDocuments
import Testing

@Suite struct ValidFileTests {
  /// The summary of each file's plan.
  @Test(arguments: PipelineFile.names(.valid))
  func plansMatchTheirSnapshots(_ name: String) throws {
    let file = PipelineFile(name: name, table: .valid)
    let plan = try file.plan()
    let text = PlanOutline(plan).text
    #expect(try text == file.snapshot(is: text))
  }

  @Test(arguments: PipelineFile.names(.valid))
  func validFilesHaveNoFindings(_ name: String) throws {
    let loaded = try PipelineFile(name: name, table: .valid).load()
    #expect(loaded.findings().map(\.description) == [])
    #expect(loaded.pipeline != nil)
  }
}

extension PipelineFile {
  /// The plan of a file; files that it names are not read.
  func plan() throws -> ProbePlan {
    let loaded = try load()
    do {
      return try loaded.plan(in: .ofLanguageTests)
    } catch {
      throw DescribedError(text: error.findings.map(\.description).joined(separator: "\n"))
    }
  }
}

/// An error whose text a test shows.
struct DescribedError: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}
