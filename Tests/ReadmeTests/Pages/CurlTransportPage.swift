import CurlTransport
import ProbeCore
import TCPTransport

/// HTTP, HTTPS and TCP, without any validator that files could name.
func transportsAlone() throws -> PluginRegistry {
  var plugins = PluginRegistry()
  try plugins.register(CurlTransport())
  try plugins.register(TCPTransport())
  return plugins
}
