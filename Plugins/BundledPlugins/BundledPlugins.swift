internal import ConnectionValidators
internal import Curl
internal import CurlTransport
internal import HTTPValidators
internal import PCRE2Validator
public import ProbeCore
internal import StringValidators
internal import TCPTransport

extension PluginRegistry {
  /// The plugins that come with ProbeKit, registered as anyone's own would be.
  ///
  /// The transports of one registry share a loop thread; keep the registry rather than make a new one each time.
  ///
  /// - Throws: `InvalidInput` when two of them lay claim to the same name, which their tests rule out.
  public static var bundled: PluginRegistry {
    get throws(InvalidInput) {
      var plugins = PluginRegistry()
      let loop = CurlLoop()
      try plugins.register(CurlTransport(loop: loop))
      try plugins.register(TCPTransport(loop: loop))
      try plugins.register(EqualsValidator.self)
      try plugins.register(ContainsValidator.self)
      try plugins.register(MatchesValidator.self)
      try plugins.register(StatusValidator.self)
      try plugins.register(HeaderValidator.self)
      try plugins.register(CertificateValidator.self)
      try plugins.register(LatencyValidator.self)
      try plugins.register(AddressValidator.self)
      return plugins
    }
  }
}
