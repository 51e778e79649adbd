internal import ProbeAres
internal import ProbeFiles
internal import ProbeCore
internal import ProbeThreading

/// Looks names up on a loop, as the system's name service is set up to.
///
/// It reads the set-up again when its files change. Where a service is named that only the C library can ask, a thread asks
/// it (``SystemLookup``); all other lookups share a socket for each DNS server.
final class Resolver: LoopPart {
  /// What it tells of some families of a name: their addresses, or why there are none.
  typealias Receiver = ([IPFamily], Result<NameAnswer, NameError>) -> Void

  private struct SetUp {
    let configuration: ResolverConfiguration
    let services: NameServices
  }

  private static let files = ["/etc/nsswitch.conf", "/etc/resolv.conf"]
  /// The files are looked at this often, at most.
  private static let patience = Duration.seconds(1)

  /// Whether its resolver is no more; shared with the lookups under way, which end after it.
  ///
  /// Not a weak reference: the memory of one looks lost to a leak detector while its object lives.
  private final class ShutdownFlag {
    var hasHappened = false
  }

  private unowned let thread: LoopThread
  private let shutdown = ShutdownFlag()
  private var signatures: [FileSignature?] = []
  private var lastLook: ContinuousClock.Instant?
  private var setUp: Result<SetUp, FileError>?
  private var channels: [AresChannel.Source: WatchedChannel] = [:]

  /// Nothing to do but what its channels are told.
  let isDue = false

  init?(on thread: LoopThread) {
    self.thread = thread
  }

  deinit {
    shutdown.hasHappened = true
  }

  func endTurn(on thread: LoopThread) {}

  /// Looks a name up.
  ///
  /// - Parameters:
  ///   - host: The name.
  ///   - families: The families of addresses that are wanted.
  ///   - receiver: Called on the loop's thread until it has been told of each family once, maybe before this returns.
  /// - Returns: The lookup where the C library does it, to cancel it.
  func lookUp(_ host: String, _ families: [IPFamily], _ receiver: @escaping Receiver) -> PendingLookup? {
    switch readSetUp() {
    case .failure(let error): receiver(families, .failure(NameError(error)))
    case .success(let setUp):
      switch setUp.services.route(of: host) {
      case .own(let sources): ask(sources[...], host, families, receiver)
      case .system: return askSystem(host, families, receiver)
      }
    }
    return nil
  }

  /// The machine's set-up, as its files say now.
  private func readSetUp() -> Result<SetUp, FileError> {
    let now = ContinuousClock.now
    if let setUp, case .success = setUp, let lastLook, lastLook + Self.patience > now { return setUp }
    lastLook = now
    let signatures = Self.files.map { FileSignature(of: $0) }
    if let setUp, case .success = setUp, signatures == self.signatures { return setUp }
    self.signatures = signatures
    // Lookups under way end where they began.
    channels = [:]
    let read = Result { () throws(FileError) in
      let configuration = try ResolverConfiguration.ofMachine()
      return SetUp(configuration: configuration, services: try NameServices.ofMachine(configuration))
    }
    setUp = read
    return read
  }

  private func askSystem(
    _ host: String, _ families: [IPFamily], _ receiver: @escaping Receiver
  ) -> PendingLookup {
    let family = families.count == 1 ? families.first : nil
    let answer = CrossThreadAnswer(families, receiver)
    let remote = thread.remote
    return SystemLookup.addresses(of: host, family: family) { result in
      answer.result = result
      remote.start(answer)
    }
  }

  /// Asks one source after the other until one knows the name.
  ///
  /// Where none does, the failure of one that could not say counts for more than that another one has no such name.
  private func ask(
    _ sources: ArraySlice<AresChannel.Source>, _ host: String, _ families: [IPFamily],
    after failures: [NameError] = [], _ receiver: @escaping Receiver
  ) {
    guard let source = sources.first else {
      return receiver(families, .failure(NameError.mostTelling(of: failures)))
    }
    if source == .dns, NameServices.isLocalhost(host) {
      let addresses = [IPAddress(v6: 1), IPAddress(v4: 0x7F00_0001)]
      return receiver(families, .success(NameAnswer(addresses.map { NameAnswer.Entry($0) })))
    }
    let channel: WatchedChannel
    do throws(AresError) {
      channel = try self.channel(source)
    } catch {
      return receiver(families, .failure(NameError(error)))
    }
    // What the hosts file says of one family holds for the other, too: DNS is not asked for the rest.
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
          unsafe me.takeUnretainedValue().ask(
            sources.dropFirst(), host, question, after: failures + [error], receiver)
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
}

/// A channel whose sockets and timeouts a loop watches.
final class WatchedChannel: DescriptorWatcher, AlarmReceiver {
  private unowned let thread: LoopThread
  private var channel: AresChannel?
  private var alarm: LoopAlarm?

  init(
    _ source: AresChannel.Source, _ configuration: ResolverConfiguration?, on thread: LoopThread
  ) throws(AresError) {
    self.thread = thread
    channel = try AresChannel(source, configuration) { [weak self] descriptor, readable, writable in
      self?.watch(descriptor, readable, writable)
    }
  }

  func lookUp(
    _ host: String, _ family: IPFamily?, _ done: @escaping (Result<NameAnswer, AresError>) -> Void
  ) {
    // While it owes an answer its alarm keeps it, also when it is no longer the resolver's.
    channel?.lookUp(host, family, done)
    setAlarm()
  }

  func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread) {
    channel?.process(
      descriptor, readable: !events.isDisjoint(with: [.readable, .broken]),
      writable: events.contains(.writable))
    setAlarm()
  }

  func alarmRings(on thread: LoopThread) {
    alarm = nil
    channel?.processTimeouts()
    setAlarm()
  }

  /// Looks at the timeouts again when the first is due, and once a second: that of a later question may come before it.
  private func setAlarm() {
    guard alarm == nil, let left = channel?.timeLeft else { return }
    alarm = thread.setAlarm(at: .now + min(left, .seconds(1)), for: self)
  }

  private func watch(_ descriptor: Int32, _ readable: Bool, _ writable: Bool) {
    var events = Poller.Events()
    if readable { events.insert(.readable) }
    if writable { events.insert(.writable) }
    if events.isEmpty {
      thread.unwatch(descriptor)
    } else if !thread.change(descriptor, events) {
      // Without room for it the question runs out of time.
      _ = thread.watch(descriptor, events, self)
    }
  }
}

extension NameError {
  /// A file of the set-up that cannot be read.
  fileprivate init(_ error: FileError) {
    self =
      error.isShortageOfDescriptors
      ? .noDescriptors(error.description) : .failed("its set-up cannot be read: \(error.description)")
  }
}

/// The answer of another thread on its way to the loop's.
private final class CrossThreadAnswer: LoopOperation {
  private let families: [IPFamily]
  private let receiver: Resolver.Receiver
  var result: Result<[IPAddress], NameError> = .failure(.noSuchHost)

  init(_ families: [IPFamily], _ receiver: @escaping Resolver.Receiver) {
    self.families = families
    self.receiver = receiver
  }

  func start(on thread: LoopThread) {
    receiver(families, result.map { NameAnswer($0.map { NameAnswer.Entry($0) }) })
  }

  func cancel(on thread: LoopThread) {}
}

// Safe because the loop's thread makes it, the other one fills it, and the mailbox's lock is between that and the end.
extension CrossThreadAnswer: @unchecked Sendable {}
