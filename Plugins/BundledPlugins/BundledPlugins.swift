internal import ConnectionValidators
internal import HTTPValidators
internal import PCRE2Validator
public import ProbeCore
internal import StringValidators
internal import TCPTransport
internal import ProbeThreading

extension PluginRegistry {
  /// The plugins that come with ProbeKit, registered as anyone's own would be.
  ///
  /// The transports of all of these registries share their threads, which stay for the life of the process.
  ///
  /// - Throws: `InvalidInput` when two of them lay claim to the same name, which their tests rule out.
  public static var bundled: PluginRegistry {
    get throws(InvalidInput) { try bundled(over: sharedLoops) }
  }

  private static let sharedLoops = EventLoops(count: nil)

  /// The plugins that come with ProbeKit, their connections spread over no more than so many threads.
  ///
  /// - Parameter threads: How many; as many as processors when nil. A thread starts when there is work for it: few probes
  ///   at a time are all made by one.
  /// - Returns: A registry of its own.
  /// - Throws: `InvalidInput` when two of them lay claim to the same name, which their tests rule out.
  public static func bundled(threads: Int?) throws(InvalidInput) -> PluginRegistry {
    try bundled(over: EventLoops(count: threads))
  }

  private static func bundled(over loops: EventLoops) throws(InvalidInput) -> PluginRegistry {
    var plugins = PluginRegistry()
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
