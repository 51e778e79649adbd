import BundledPlugins
import FixtureReplay
import ProbeCore
import ProbePipeline
import TestSupport
import Testing

/// Pipeline files, as tests name them.
@Suite struct PlanFileTests {
  @Test func aFileIsReadWithTheFilesItNames() throws {
    let folder = try TemporaryFolder([
      "token.txt": "s3cret",
      "office.yaml": """
      version: 1
      name: office
      request: { auth: { bearer: { file: token.txt } } }
      sets: [{ name: front, urls: [https://shop.example/, https://pay.example/] }]
      """,
    ])
    let plan = try ProbePlan(file: "\(folder.path)/office.yaml", with: .bundled)
    #expect(plan.name == "office")
    #expect(plan.probes.map(\.url) == ["https://shop.example/", "https://pay.example/"])
  }

  @Test func allErrorsAreReported() throws {
    let folder = try TemporaryFolder(["office.yaml": "version: 1\nname: office\nset: []\nnames: office\n"])
    let error = #expect(throws: UnusablePipeline.self) {
      try ProbePlan(file: "\(folder.path)/office.yaml", with: .bundled)
    }
    #expect(error?.findings.count == 2)
    let text = error?.description ?? ""
    #expect(
      text.contains("office.yaml:3:1: a pipeline has an unknown key \"set\": did you mean sets?\n"), "\(text)"
    )
  }

  @Test func aMissingFile() {
    let error = #expect(throws: UnusablePipeline.self) {
      try ProbePlan(file: "/nonexistent/office.yaml", with: .bundled)
    }
    #expect(error?.description == "/nonexistent/office.yaml: cannot be read: No such file or directory")
  }
}
