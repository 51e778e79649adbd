import FixtureReplay
import ProbeCore
import ProbePipeline

extension CommandLineTool {
  /// Every command, in the order of the help.
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

  /// The schemas of the files that commands read.
  private static func schemas(over plugins: PluginRegistry) -> [SchemaCommand.Schema] {
    [
      SchemaCommand.Schema(kind: "pipeline", meaning: "the files of probekit run") {
        PipelineSchema(plugins).text
      },
      SchemaCommand.Schema(kind: "fixture", meaning: "the fixture.yaml of a fixture") {
        FixtureSchema.text
      },
    ]
  }
}
