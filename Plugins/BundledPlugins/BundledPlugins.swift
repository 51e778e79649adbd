internal import ConnectionValidators
internal import HTTPValidators
internal import PCRE2Validator
public import ProbeCore
internal import StringValidators
internal import TCPTransport
internal import Threading

extension PluginRegistry {
  /// The plugins that come with ProbeKit, registered as anyone's own would be.
  ///
  /// The transports of one registry share their threads; keep the registry rather than make a new one each time.
  ///
  /// - Throws: `InvalidInput` when two of them lay claim to the same name, which their tests rule out.
  public static var bundled: PluginRegistry {
    get throws(InvalidInput) { try bundled(threads: nil) }
  }

  /// The plugins that come with ProbeKit, their connections spread over no more than so many threads.
  ///
  /// - Parameter threads: How many; as many as processors when nil. A thread starts when there is work for it: few probes
  ///   at a time are all made by one.
  /// - Returns: A registry of its own.
  /// - Throws: `InvalidInput` when two of them lay claim to the same name, which their tests rule out.
  public static func bundled(threads: Int?) throws(InvalidInput) -> PluginRegistry {
    var plugins = PluginRegistry()
    let loops = EventLoops(count: threads)
    try plugins.register(HTTPClients(loops: loops))
    try plugins.register(TCPTransport(loops: loops))
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
