import BundledPlugins
import FixtureReplay
import ProbePipeline
import TestSupport
import Testing

@testable import ProbeCommand
@testable import CommandKit
@testable import ProbeSystem

/// `probekit schema`.
@Suite struct SchemaCommandTests {
  private static func run(_ arguments: String...) async -> (code: ExitCode, output: String, errors: String) {
    struct Broken: Error {}
    let (output, errors) = (MemoryOutput(), MemoryOutput())
    let command = SchemaCommand(schemas: [
      SchemaCommand.Schema(kind: "pipeline", meaning: "what probekit run runs") { "{\"type\":\"object\"}\n" },
      SchemaCommand.Schema(kind: "broken", meaning: "one that cannot be made") { throw Broken() },
    ])
    let code = await CommandLineTool(commands: [command]).run(
      arguments: (["schema"] + arguments).map { Array($0.utf8) }, output: output.sink(),
      errors: errors.sink())
    return (code, output.text, errors.text)
  }

  @Test func theSchemaIsPrinted() async {
    let run = await Self.run("pipeline")
    #expect(run.code == .success)
    #expect(run.output == "{\"type\":\"object\"}\n")
    #expect(run.errors.isEmpty)
  }

  @Test func everyKindOfFileHasASchema() throws {
    let commands = CommandLineTool.commands(over: try .bundled)
    let schemas = try #require(commands.lazy.compactMap { $0 as? SchemaCommand }.first).schemas
    #expect(schemas.map(\.kind) == ["pipeline", "fixture"])
    #expect(try schemas.map { try $0.text() } == [PipelineSchema(.bundled).text, FixtureSchema.text])
  }

  @Test func anUnknownKindIsAnError() async {
    let near = await Self.run("pipelin")
    #expect(near.code == .usage)
    #expect(near.output.isEmpty)
    #expect(near.errors == "probekit schema: \"pipelin\": there is no such schema: did you mean pipeline?\n")
    #expect(await Self.run("xyz").errors.contains("use pipeline or broken"))
    #expect(await Self.run().errors == "probekit schema: KIND is missing\n")
  }

  @Test func aFailingSchemaIsAnInternalError() async {
    #expect(await Self.run("broken").code == .internalError)
  }

  @Test func help() async throws {
    let help = await Self.run("--help")
    #expect(try help.output == Snapshot("help-schema", is: help.output).text)
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }
}
