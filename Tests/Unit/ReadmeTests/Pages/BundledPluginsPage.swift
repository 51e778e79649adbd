import BundledPlugins
import ProbeCore

/// The bundled plugins and a custom validator, which pipeline files refer to as `health`.
func plugins() throws -> PluginRegistry {
  var plugins = try PluginRegistry.bundled
  try plugins.register(HealthValidator.self)
  return plugins
}
