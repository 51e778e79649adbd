import BundledPlugins
import FoundationEssentials
import ProbeCore
import ProbePipeline
import SourceDocuments
import TestRequirements
import TestSupport
import Testing
import TestTransports

/// `urls: { file: LIST }`.
@Suite struct URLListTests {
  private static func load(
    _ list: String?, named name: String = "urls.txt", in folder: TemporaryFolder? = nil
  ) throws
    -> LoadedPipeline
  {
    let folder = try folder ?? TemporaryFolder()
    if let list { try folder.write("p/urls.txt", list) }
    let text = "version: 1\nname: p\nsets:\n  - name: a\n    threshold: 50%\n    urls: { file: \(name) }\n"
    let path = try folder.write("p/p.yaml", text)
    return PipelineLoader(try .bundled).load(path: path, bytes: Array(text.utf8))
  }

  @Test(.heavy) func everyLineIsAProbe() async throws {
    let list =
      "\u{FEFF}# all\r\n\r\nhttps://a.example/\r\n  https://b.example/ü \nnothing\nhttps://u:pass@c.example/\nhttp://d.example/\n"
    let loaded = try Self.load(list)
    let warnings = loaded.findings()
    #expect(warnings.allSatisfy { $0.severity == .warning })
    #expect(
      warnings.map(\.message) == [
        "line 5: the URL has no scheme, so its probe fails",
        "line 6: the URL contains credentials, which are not allowed because URLs appear in logs and reports, so its probe fails",
      ])
    let plan = try loaded.plan()
    #expect(
      plan.probes.map(\.url) == [
        "https://a.example/", "https://b.example/ü", "nothing", "https://<redacted>@c.example/",
        "http://d.example/",
      ])
    let transport = FakeTransport { ProbeResponse(url: $0.url, head: HTTPResponseHead(status: 204)) }
    let result = await PipelineRunner(try transport.registry).run(plan)
    #expect(
      result.sets[0].probes.map(\.reason) == [nil, nil, .invalidRequest, .invalidRequest, .plaintext])
  }

  @Test(.heavy) func errorsAreReportedAtTheirLocation() throws {
    let folder = try TemporaryFolder([
      "out.txt": "https://a.example/\n", "p/deep/urls.txt": "https://a.example/\n",
    ])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(of: "p/link.txt"), withDestinationPath: "../out.txt")
    func finding(_ list: String?, _ name: String = "urls.txt") throws -> String? {
      let findings = try Self.load(list, named: name, in: folder).findings()
      for finding in findings { #expect(finding.location == FileLocation(line: 6, column: 19)) }
      #expect(findings.count <= 1)
      return findings.first?.message.replacing(folder.path, with: "DIR")
    }
    #expect(try finding("# nothing\n") == "the file has no URLs")
    #expect(
      try finding(nil, "no.txt") == "the file \"DIR/p/no.txt\" cannot be read: no such file or directory")
    #expect(
      try finding(nil, "../out.txt") == "the file \"DIR/p/../out.txt\" is outside of the pipeline's folder")
    #expect(try finding(nil, "link.txt") == "the file \"DIR/p/link.txt\" is outside of the pipeline's folder")
    #expect(try finding(nil, "deep/urls.txt") == nil)
    #expect(
      try finding(String(repeating: "https://a.example/\n", count: 100_001))
        == "the file has 100001 URLs, more than 100000")
    #expect(try finding(String(repeating: "#", count: (8 << 20) + 1)) == "the file has more than 8 MiB")
  }
}
