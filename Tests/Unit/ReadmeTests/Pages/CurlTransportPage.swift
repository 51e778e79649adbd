import CurlTransport
import ProbeCore
import Transports

/// Transports for HTTP, HTTPS and TCP, without validators.
func transportsAlone() throws -> PluginRegistry {
  var plugins = PluginRegistry()
  try plugins.register(LibcurlTransport())
  try plugins.register(TCPTransport())
  return plugins
}
