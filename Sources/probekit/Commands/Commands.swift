import ProbeCore

extension CommandLineTool {
  /// Every command, in the order of the help.
  static func commands(over plugins: PluginRegistry) -> [any Subcommand] {
    [
      CheckCommand(plugins: plugins), RunCommand(plugins: plugins), LintCommand(plugins: plugins),
      ReplayCommand(),
    ]
  }
}
