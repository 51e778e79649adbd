internal import Validators
internal import Transports
public import ProbeCore
internal import ProbeSystem

extension PluginRegistry {
  /// The plugins that come with ProbeKit, registered in the same way as custom ones.
  ///
  /// The transports of all these registries share their threads, which exist for the life of the process.
  ///
  /// - Throws: `InvalidInput` if two plugins have the same name, which tests rule out.
  public static var bundled: PluginRegistry {
    get throws(InvalidInput) { try bundled(over: sharedLoops) }
  }

  private static let sharedLoops = EventLoops(count: nil)

  /// The plugins that come with ProbeKit, with their connections distributed over a limited number of
  /// threads.
  ///
  /// - Parameter threads: The maximum number of threads; nil for the number of processors. A thread starts
  ///   only when there is work for it, so a few concurrent probes use a single thread.
  /// - Returns: A registry with its own threads.
  /// - Throws: `InvalidInput` if two plugins have the same name, which tests rule out.
  public static func bundled(threads: Int?) throws(InvalidInput) -> PluginRegistry {
    try bundled(over: EventLoops(count: threads))
  }

  private static func bundled(over loops: EventLoops) throws(InvalidInput) -> PluginRegistry {
    var plugins = PluginRegistry()
    let http = HTTPClients(loops: loops)
    try plugins.register(http)
    try plugins.register(TCPTransport(loops: loops))
    try plugins.register(UDPTransport(loops: loops))
    try plugins.register(DNSTransport(loops: loops, http: http))
    try plugins.register(ICMPTransport(loops: loops))
    try plugins.register(CheckTransport())
    try plugins.register(EqualsValidator.self)
    try plugins.register(ContainsValidator.self)
    try plugins.register(StartsWithValidator.self)
    try plugins.register(SizeValidator.self)
    try plugins.register(HashValidator.self)
    try plugins.register(MatchesValidator.self)
    try plugins.register(JSONValidator.self)
    try plugins.register(StatusValidator.self)
    try plugins.register(HeaderValidator.self)
    try plugins.register(RedirectValidator.self)
    try plugins.register(DeviationValidator.self)
    try plugins.register(CertificateValidator.self)
    try plugins.register(LatencyValidator.self)
    try plugins.register(AddressValidator.self)
    try plugins.register(RecordsValidator.self)
    try plugins.register(LossValidator.self)
    try plugins.register(CommandValidator.self)
    return plugins
  }
}
