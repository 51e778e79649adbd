import BundledPlugins
import ProbeCore

/// The bundled plugins and an own validator, which pipeline files name as `health`.
func plugins() throws -> PluginRegistry {
  var plugins = try PluginRegistry.bundled
  try plugins.register(HealthValidator.self)
  return plugins
}
