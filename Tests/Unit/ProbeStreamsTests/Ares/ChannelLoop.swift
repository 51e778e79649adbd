import CProbeSystem
import LoopbackDNS
import ProbeCore
import ProbeSystem

@testable import ProbeStreams

/// A channel with a minimal event loop, on the calling thread.
final class ChannelLoop {
  private(set) var channel: AresChannel?
  // Separate, because a channel still reports its sockets when it is released with this loop.
  private let sockets: WatchedSockets
  // The servers run as long as they are referenced.
  private var servers: [LoopbackDNS] = []

  init(
    _ source: AresChannel.Source, _ configuration: ResolverConfiguration? = nil,
    hostsOfEnvironment: Bool = false
  )
    throws
  {
    let sockets = try WatchedSockets()
    self.sockets = sockets
    channel = try AresChannel(source, configuration, hasHostsOfEnvironment: hostsOfEnvironment) {
      sockets.watch($0, $1, $2)
    }
  }

  /// Queries these servers, without a search domain.
  convenience init(
    asking servers: LoopbackDNS..., timeout: Duration = .seconds(60),
    _ change: (inout ResolverConfiguration) -> Void = { _ in }
  ) throws {
    var configuration = ResolverConfiguration()
    configuration.servers = servers.map(\.address)
    configuration.timeout = timeout
    change(&configuration)
    try self.init(.dns, configuration)
    self.servers = servers
  }

  /// The calls of the watch closure, in order.
  var calls: [String] { sockets.calls }

  /// The sockets that are watched.
  var descriptors: Set<Int32> { sockets.watched }

  func drop() {
    channel = nil
  }

  /// Looks up all names at once, and waits for the results.
  func lookUp(_ names: [String], _ family: IPFamily? = .v4) -> [Result<ResolvedName, AresError>?] {
    var results = [Result<ResolvedName, AresError>?](repeating: nil, count: names.count)
    for (index, name) in names.enumerated() {
      channel?.lookUp(name, family) { result in
        // A second result is an error.
        results[index] = results[index] == nil ? result : .failure(AresError(.other, "called twice"))
      }
    }
    run()
    return results
  }

  func lookUp(_ name: String, _ family: IPFamily? = .v4) throws(AresError) -> ResolvedName {
    guard let result = lookUp([name], family)[0] else { throw AresError(.other, "never called") }
    return try result.get()
  }

  /// The error of a lookup without a result.
  func failure(_ name: String, _ family: IPFamily? = .v4) -> AresError.Code? {
    if case .failure(let error) = lookUp([name], family)[0] { error.code } else { nil }
  }

  /// Waits until no lookup is pending.
  func run() {
    var events = [probe_event](repeating: probe_event(), count: 16)
    while let channel, channel.underway > 0 {
      step(&events)
    }
  }

  func step(_ events: inout [probe_event]) {
    guard let channel else { return }
    let left = channel.timeLeft.map { Int32(($0 / .milliseconds(1)).rounded(.up)) }
    let count = sockets.poller.wait(into: &events, milliseconds: left)
    for event in events.prefix(count) {
      let what = Poller.Events(rawValue: event.events)
      channel.process(
        Int32(event.id), readable: !what.isDisjoint(with: [.readable, .broken]),
        writable: what.contains(.writable))
    }
    if count == 0 { channel.processTimeouts() }
  }
}

/// The sockets of a channel.
private final class WatchedSockets {
  let poller: Poller
  private(set) var calls: [String] = []
  private(set) var watched: Set<Int32> = []

  struct NoPoller: Error {}

  init() throws {
    guard let poller = Poller() else { throw NoPoller() }
    self.poller = poller
  }

  func watch(_ descriptor: Int32, _ readable: Bool, _ writable: Bool) {
    calls.append("\(readable ? "r" : "")\(writable ? "w" : "")")
    var events: Poller.Events = []
    if readable { events.insert(.readable) }
    if writable { events.insert(.writable) }
    if events.isEmpty {
      poller.remove(descriptor)
      watched.remove(descriptor)
    } else if watched.insert(descriptor).inserted {
      _ = poller.add(descriptor, events, id: UInt64(descriptor))
    } else {
      poller.change(descriptor, events, id: UInt64(descriptor))
    }
  }
}
