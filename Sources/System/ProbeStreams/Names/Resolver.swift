internal import ProbeSystem
internal import ProbeBase

/// Resolves names on a loop, according to the system's name service configuration.
///
/// It reads the configuration again when its files change. If a configured service is available only through
/// the C library, a thread queries it (``SystemLookup``); all other lookups share a socket for each DNS
/// server.
final class Resolver: LoopPart {
  /// Receives the result for some families of a name: their addresses, or the reason why there are none.
  typealias Receiver = ([IPFamily], Result<ResolvedName, NameError>) -> Void

  private struct SetUp {
    let configuration: ResolverConfiguration
    let services: NameServices
  }

  private static let files = ["/etc/nsswitch.conf", "/etc/resolv.conf"]
  /// The minimum time between checks of the files.
  private static let patience = Duration.seconds(1)

  /// Whether its resolver has been released; shared with lookups in progress, which end after it.
  ///
  /// This is not a weak reference, whose memory a leak detector reports as lost while its object lives.
  private final class ShutdownFlag {
    var hasHappened = false
  }

  private unowned let thread: LoopThread
  private let shutdown = ShutdownFlag()
  private var signatures: [FileSignature?] = []
  private var lastLook: ContinuousClock.Instant?
  private var setUp: Result<SetUp, FileError>?
  private var channels: [AresChannel.Source: WatchedChannel] = [:]
  /// The channels of servers that requests name.
  private var channelsOfServers: [SocketAddress: WatchedChannel] = [:]
  /// The maximum number of these; requests of untrusted origin may name many.
  private static let maximumServers = 16

  /// The resolver handles only the events of its channels.
  let isDue = false

  init?(on thread: LoopThread) {
    self.thread = thread
  }

  deinit {
    shutdown.hasHappened = true
  }

  func endTurn(on thread: LoopThread) {}

  /// Resolves a name.
  ///
  /// - Parameters:
  ///   - host: The name.
  ///   - families: The address families to resolve.
  ///   - server: The only DNS server to query, without search domains; nil for the configuration of the system.
  ///   - receiver: Called on the loop's thread until it has received each family once, possibly before this
  ///     returns.
  /// - Returns: The lookup if the C library does it, to cancel it.
  func lookUp(
    _ host: String, _ families: [IPFamily], at server: SocketAddress?, _ receiver: @escaping Receiver
  ) -> PendingLookup? {
    if let server {
      query([.dns], host, families, at: server, receiver)
      return nil
    }
    switch readSetUp() {
    case .failure(let error): receiver(families, .failure(NameError(error)))
    case .success(let setUp):
      switch setUp.services.route(of: host) {
      case .own(let sources): query(sources[...], host, families, receiver)
      case .system: return querySystem(host, families, receiver)
      }
    }
    return nil
  }

  /// The current configuration of the machine.
  private func readSetUp() -> Result<SetUp, FileError> {
    let now = ContinuousClock.now
    if let setUp, case .success = setUp, let lastLook, lastLook + Self.patience > now { return setUp }
    lastLook = now
    let signatures = Self.files.map { FileSignature(of: $0) }
    if let setUp, case .success = setUp, signatures == self.signatures { return setUp }
    self.signatures = signatures
    // Lookups in progress end on their old channels.
    channels = [:]
    let read = Result { () throws(FileError) in
      let configuration = try ResolverConfiguration.ofMachine()
      return SetUp(configuration: configuration, services: try NameServices.ofMachine(configuration))
    }
    setUp = read
    return read
  }

  private func querySystem(
    _ host: String, _ families: [IPFamily], _ receiver: @escaping Receiver
  ) -> PendingLookup {
    let family = families.count == 1 ? families.first : nil
    let delivery = ResultDelivery(families, receiver)
    let remote = thread.remote
    return SystemLookup.addresses(of: host, family: family) { result in
      delivery.result = result
      remote.start(delivery)
    }
  }

  /// Queries one source after the other until one knows the name.
  ///
  /// If none does, a lookup failure takes precedence over another source's report that the name does not
  /// exist.
  private func query(
    _ sources: ArraySlice<AresChannel.Source>, _ host: String, _ families: [IPFamily],
    at server: SocketAddress? = nil, after failures: [NameError] = [], _ receiver: @escaping Receiver
  ) {
    guard let source = sources.first else {
      return receiver(families, .failure(NameError.bestExplanation(of: failures)))
    }
    if source == .dns, NameServices.isLocalhost(host) {
      let addresses = [IPAddress(v6: 1), IPAddress(v4: 0x7F00_0001)]
      return receiver(families, .success(ResolvedName(addresses.map { ResolvedName.Entry($0) })))
    }
    let channel: WatchedChannel
    do throws(AresError) {
      if let server { channel = try self.channel(of: server) } else { channel = try self.channel(source) }
    } catch {
      return receiver(families, .failure(NameError(error)))
    }
    // An entry for one family in the hosts file is conclusive for both: DNS is not queried for the other.
    let questions: [[IPFamily]] = source == .hostsFile ? [families] : families.map { [$0] }
    for question in questions {
      // Safe: everything runs on the loop's thread, after a check of `shutdown`.
      let me = unsafe Unmanaged.passUnretained(self)
      channel.lookUp(host, question.count == 1 ? question.first : nil) { [shutdown] result in
        switch result {
        case .success(let answer): receiver(question, .success(answer))
        case .failure(let error):
          let error = NameError(error)
          guard !shutdown.hasHappened, error != .cancelled else { return receiver(question, .failure(error)) }
          unsafe me.takeUnretainedValue().query(
            sources.dropFirst(), host, question, at: server, after: failures + [error], receiver)
        }
      }
    }
  }

  private func channel(_ source: AresChannel.Source) throws(AresError) -> WatchedChannel {
    if let channel = channels[source] { return channel }
    let configuration = try? setUp?.get().configuration
    let channel = try WatchedChannel(source, configuration, on: thread)
    channels[source] = channel
    return channel
  }

  private func channel(of server: SocketAddress) throws(AresError) -> WatchedChannel {
    if let channel = channelsOfServers[server] { return channel }
    var configuration = ResolverConfiguration()
    configuration.servers = [server]
    let channel = try WatchedChannel(.dns, configuration, on: thread)
    // Lookups in progress end on their old channels.
    if channelsOfServers.count == Self.maximumServers { channelsOfServers = [:] }
    channelsOfServers[server] = channel
    return channel
  }
}

/// A channel whose sockets and timeouts a loop watches.
final class WatchedChannel: DescriptorWatcher, TimerReceiver {
  private unowned let thread: LoopThread
  private var channel: AresChannel?
  private var timer: LoopTimer?

  init(
    _ source: AresChannel.Source, _ configuration: ResolverConfiguration?, on thread: LoopThread
  ) throws(AresError) {
    self.thread = thread
    channel = try AresChannel(source, configuration) { [weak self] descriptor, readable, writable in
      self?.watch(descriptor, readable, writable)
    }
  }

  func lookUp(
    _ host: String, _ family: IPFamily?, _ done: @escaping (Result<ResolvedName, AresError>) -> Void
  ) {
    // While a query is pending, its timer retains the channel, even if the resolver no longer does.
    channel?.lookUp(host, family, done)
    setTimer()
  }

  func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread) {
    channel?.process(
      descriptor, readable: !events.isDisjoint(with: .input),
      writable: events.contains(.writable))
    setTimer()
  }

  func timerFired(on thread: LoopThread) {
    timer = nil
    channel?.processTimeouts()
    setTimer()
  }

  /// Checks the timeouts when the first is due, and once a second: a later query may time out before it.
  private func setTimer() {
    guard timer == nil, let left = channel?.timeLeft else { return }
    timer = thread.setTimer(at: .now + min(left, .seconds(1)), for: self)
  }

  private func watch(_ descriptor: Int32, _ readable: Bool, _ writable: Bool) {
    var events = Poller.Events()
    if readable { events.insert(.readable) }
    if writable { events.insert(.writable) }
    if events.isEmpty {
      thread.unwatch(descriptor)
    } else if !thread.change(descriptor, events) {
      // If it cannot be watched, the query times out.
      _ = thread.watch(descriptor, events, self)
    }
  }
}

extension NameError {
  /// An error of reading a configuration file.
  fileprivate init(_ error: FileError) {
    self =
      error.isShortageOfDescriptors
      ? .noDescriptors(error.description) : .failed("its set-up cannot be read: \(error.description)")
  }
}

/// The result of another thread in transit to the loop's.
private final class ResultDelivery: LoopOperation {
  private let families: [IPFamily]
  private let receiver: Resolver.Receiver
  var result: Result<[IPAddress], NameError> = .failure(.noSuchHost)

  init(_ families: [IPFamily], _ receiver: @escaping Resolver.Receiver) {
    self.families = families
    self.receiver = receiver
  }

  func start(on thread: LoopThread) {
    receiver(families, result.map { ResolvedName($0.map { ResolvedName.Entry($0) }) })
  }

  func cancel(on thread: LoopThread) {}
}

// Safe because the loop's thread creates it, another one fills it, and the mailbox's lock is between that and
// the end.
extension ResultDelivery: @unchecked Sendable {}
