import BundledPlugins
import ProbeCommand
import ProbeCore

@main struct Main {
  static func main() async throws {
    await CommandLineTool.main(plugins: try .bundled)
  }
}
