import BundledPlugins
import ProbeCore

/// The bundled plugins and one of one's own, which pipeline files then name as `health`.
func plugins() throws -> PluginRegistry {
  var plugins = try PluginRegistry.bundled
  try plugins.register(HealthValidator.self)
  return plugins
}
