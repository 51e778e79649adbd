import BundledPlugins
import ProbeCore
import Testing
import TestTransports

@testable import ProbePipeline

/// Numbers of a pipeline file are compared with those of a response with all their digits.
@Suite struct ExactNumberTests {
  @Test(arguments: [
    ("18446744073709551617", true), ("18446744073709551616", false), ("18446744073709551617.0", true),
    ("1.8446744073709551617e19", true), ("\"18446744073709551617\"", false), ("1e400", false),
  ])
  func numbersOfAFileAreExact(_ number: String, _ isEqual: Bool) async throws {
    let file = """
      version: 1
      name: numbers
      sets:
        - name: a
          urls: ["https://a.example/"]
          validate: { json: { at: /n, equals: \(number) } }
      """
    let plan = try PipelineLoader(try .bundled).load(path: "a.yaml", bytes: Array(file.utf8)).plan()
    let transport = FakeTransport {
      ProbeResponse(
        url: $0.url, head: HTTPResponseHead(status: 200), body: Array(#"{"n":18446744073709551617}"#.utf8))
    }
    let result = await PipelineRunner(try transport.registry).run(plan)
    #expect((result.sets.first?.accepted == 1) == isEqual)
  }
}
