import FixtureReplay
import ProbeCore
import ProbePipeline
import CommandKit

extension CommandLineTool {
  /// Every command, in the order of the help text.
  static func commands(
    over plugins: PluginRegistry, of program: ToolName = ToolName(version: probeKitVersion)
  ) -> [any Subcommand] {
    // Commands that list all commands find them when they run.
    let outlines: @Sendable () -> [CommandOutline] = {
      commands(over: plugins, of: program).map { $0.outline(for: program) }
    }
    let others: [any Subcommand] = [
      CheckCommand(plugins: plugins), RunCommand(plugins: plugins), LintCommand(plugins: plugins),
      DiffCommand(), ScanCommand(plugins: plugins), ReplayCommand(), VerifyCommand(plugins: plugins),
      CaptureCommand(plugins: plugins),
      MonitorCommand(plugins: plugins),
      ServeCommand(plugins: plugins),
      PortalCommand(plugins: plugins), LoginCommand(plugins: plugins),
      ProfilesCommand(),
      PluginCommand(),
      SchemaCommand(schemas: schemas(over: plugins)),
      CompletionCommand(program: program, commands: outlines),
    ]
    let topics: @Sendable () -> [String] = {
      [program.name] + others.map(\.name) + [ManualCommand.name] + Manual.fileTopics
    }
    let manual = ManualCommand(topics: topics) {
      Manual(of: program, commands: outlines(), plugins: plugins)
    }
    return others + [manual]
  }

  /// The schemas of the files that commands can read.
  private static func schemas(over plugins: PluginRegistry) -> [SchemaCommand.Schema] {
    [
      SchemaCommand.Schema(
        kind: "pipeline", meaning: "the files of probekit run", text: { PipelineSchema(plugins).text },
        textForFile: { try PipelineSchema(plugins, declaredIn: $0, bytes: $1).text }),
      SchemaCommand.Schema(
        kind: "fixture", meaning: "the fixture.yaml of a fixture", text: { FixtureSchema.text }),
    ]
  }
}
