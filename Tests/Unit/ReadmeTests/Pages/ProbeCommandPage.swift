import BundledPlugins
import ProbeCommand
import ProbeCore

/// The exit code and the output of `probekit lint` for a file.
func lint(_ path: String) async throws -> (ExitCode, String) {
  let output = MemoryOutput()
  let tool = CommandLineTool(plugins: try .bundled)
  let code = await tool.run(
    arguments: [Array("lint".utf8), Array(path.utf8)], output: output.sink(), errors: output.sink())
  return (code, output.text)
}
