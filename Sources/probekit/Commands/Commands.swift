import FixtureReplay
import ProbeCore
import ProbePipeline

extension CommandLineTool {
  /// Every command, in the order of the help text.
  static func commands(over plugins: PluginRegistry) -> [any Subcommand] {
    [
      CheckCommand(plugins: plugins), RunCommand(plugins: plugins), LintCommand(plugins: plugins),
      ReplayCommand(), VerifyCommand(plugins: plugins),
      CaptureCommand(plugins: plugins),
      MonitorCommand(plugins: plugins),
      ProfilesCommand(),
      SchemaCommand(schemas: schemas(over: plugins)),
    ]
  }

  /// The schemas of the files that commands can read.
  private static func schemas(over plugins: PluginRegistry) -> [SchemaCommand.Schema] {
    [
      SchemaCommand.Schema(kind: "pipeline", meaning: "the files that probekit run runs") {
        PipelineSchema(plugins).text
      },
      SchemaCommand.Schema(kind: "fixture", meaning: "the fixture.yaml of a folder that is replayed") {
        FixtureSchema.text
      },
    ]
  }
}
