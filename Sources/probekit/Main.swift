import ProbeCommand
import ProbeCore

@main struct Main {
  static func main() async {
    await CommandLineTool.main(plugins: PluginRegistry())
  }
}
