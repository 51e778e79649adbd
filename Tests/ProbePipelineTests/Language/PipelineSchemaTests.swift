import BundledPlugins
import ProbeCore
import ProbePipeline
import TestSupport
import Testing

/// The schema beside the loader, as an independent checker (python3-jsonschema) reads it.
@Suite struct PipelineSchemaTests {
  /// The mistakes that a look at one value after the other does not show; all others the schema must refuse.
  static let onlyTheLoaderKnows: Set<String> = [
    // What two places say together.
    "duplicate-set-name.yaml", "fallback-first.yaml", "nothing-required.yaml", "sets-empty.yaml",
  ]

  @Test func anIndependentCheckerAgrees() async throws {
    let valid = PipelineFile.names(.valid).map { PipelineFile(name: $0, table: .valid) }
    let invalid = PipelineFile.names(.invalid).map { PipelineFile(name: $0, table: .invalid) }
    let said = try await check(valid + invalid)
    #expect(said.count == valid.count + invalid.count)
    for (file, words) in zip(valid, said) {
      #expect(words == "accepted \(file.name)")
    }
    for (file, words) in zip(invalid, said.dropFirst(valid.count)) {
      let isAccepted = Self.onlyTheLoaderKnows.contains(file.name)
      #expect(words.hasPrefix("accepted") == isAccepted, "\(words)")
    }
    #expect(Self.onlyTheLoaderKnows.isSubset(of: invalid.map(\.name)))
  }

  @Test func theSchemaIsTheSameEachTime() throws {
    let plugins = try PluginRegistry.ofLanguageTests
    #expect(PipelineSchema(plugins).text == PipelineSchema(plugins).text)
    #expect(try PipelineSchema(.bundled).text != PipelineSchema(plugins).text)
  }

  /// What the checker prints, a line a file.
  private func check(_ files: [PipelineFile]) async throws -> [String] {
    let folder = try TemporaryFolder(["schema.json": PipelineSchema(try .ofLanguageTests).text])
    let script = "\(PipelineFile.folder)/check-schema.py"
    let command =
      "/usr/bin/python3 -B \(script) \(folder.path)/schema.json \"$@\" >\(folder.path)/out 2>\(folder.path)/err"
    let paths = files.map(\.path)
    let status = try await onAThread { try runProgram("sh", ["-c", command, "sh"] + paths) }
    #expect(status == 0, "\(readText("\(folder.path)/err"))")
    return readText("\(folder.path)/out").split(separator: "\n").map(String.init)
  }
}
