internal import CProbeSystem
internal import Glibc
internal import ProbeBase
internal import ProbeSystem
public import ProbeCore

/// Reports this machine's interfaces and routes as the kernel announces them (rtnetlink(7)).
///
/// One thread waits for the kernel's messages; it sleeps while there are none. Messages are grouped into one
/// change until 10 ms pass without any, for at most 50 ms. The thread and its descriptors are released with
/// the monitor: when it is no longer referenced and its changes are no longer read.
///
/// It monitors the network namespace in which it is created.
public final class PathMonitor: PathSource {
  /// Settings for tests.
  package struct Tuning: Sendable {
    /// The rules for grouping a burst of messages into one change.
    var coalescing = Coalescing()
    /// The maximum number of bytes of messages that the kernel buffers for the monitor; memory is used only
    /// while there are any.
    package var room = 1 << 20

    package init() {}
  }

  private let worker: PathWorker

  /// A monitor with the current path.
  ///
  /// - Throws: ``PathFailure`` if the kernel cannot be queried, as in a sandbox without netlink sockets, or
  ///   if the machine has run out of threads or descriptors.
  public convenience init() throws(PathFailure) {
    try self.init(Tuning())
  }

  package init(_ tuning: Tuning) throws(PathFailure) {
    let reader = PathReader()
    do throws(NetlinkError) {
      // Before the first query, so that no change is missed.
      let events = try NetlinkSocket(room: tuning.room)
      worker = try PathWorker(try reader.path(), events: events)
    } catch {
      throw PathFailure(error)
    }
    let (worker, table, isStale) = (worker, reader.table, reader.isStale)
    do throws(WorkerThread.ThreadStartFailure) {
      try WorkerThread(named: "probekit-paths") {
        worker.run(table, isStale: isStale, coalescing: tuning.coalescing)
      }.detach()
    } catch {
      throw PathFailure("cannot start a thread", systemCode: error.systemCode)
    }
  }

  deinit {
    // Does not wait for the thread, which may be about to wake the very task whose cancellation ends the
    // monitor.
    worker.stop()
  }

  /// The current path, at most 50 ms old; while the kernel cannot be queried, the last known one.
  public var path: NetworkPath { worker.paths.value }

  /// The current path, and then each change of it; reading it keeps the monitor alive.
  ///
  /// A slow reader receives the newest path and misses those in between. The stream ends if the kernel's socket fails.
  public func changes() -> AsyncStream<NetworkPath> {
    worker.paths.changes(keeping: self)
  }

  /// The route that the kernel would use to a destination, or nil if there is none; nothing is sent.
  ///
  /// The query runs on the caller's thread and takes some microseconds. The route may use a link that has
  /// lost its carrier: check ``path`` for that.
  ///
  /// - Throws: ``PathFailure`` if the kernel cannot be queried.
  public func route(to destination: IPAddress) throws(PathFailure) -> Route? {
    do throws(NetlinkError) {
      return try NetlinkClient().route(to: destination)
    } catch {
      throw PathFailure(error)
    }
  }
}

/// The thread of a ``PathMonitor``: it waits for the kernel's messages and publishes the resulting paths.
///
/// It sleeps while no messages arrive; no timer runs then.
final class PathWorker: Sendable {
  /// The maximum number of datagrams to read before checking whether a burst has lasted too long; after a loss, there is
  /// none.
  private static let maximumDatagramsPerTurn = 256
  /// The delay before querying the kernel again after a failed query.
  private static let retryDelay = Duration.seconds(1)

  let paths: ValueBroadcaster<NetworkPath>
  private let events: NetlinkSocket
  /// The eventfd whose event ends the thread.
  private let waker: Int32
  /// The moment from which times are measured.
  private let start = ContinuousClock.now

  init(_ path: NetworkPath, events: NetlinkSocket) throws(NetlinkError) {
    waker = probe_wake_descriptor()
    guard waker >= 0 else { throw NetlinkError("make an eventfd", systemCode: errno) }
    paths = ValueBroadcaster(path)
    self.events = events
  }

  deinit {
    close(waker)
  }

  /// Ends the thread.
  func stop() {
    var one: UInt64 = 1
    _ = unsafe write(waker, &one, 8)
  }

  /// The body of the thread, which runs until it is stopped or the kernel's socket fails.
  ///
  /// - Parameters:
  ///   - table: The initial contents.
  ///   - isStale: Whether the table may be incomplete.
  ///   - initial: The rules for grouping, with no burst begun.
  func run(_ table: PathTable, isStale: Bool, coalescing initial: Coalescing) {
    defer { paths.finish() }
    let reader = PathReader(table)
    reader.isStale = isStale
    var coalescing = initial
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    if isStale { coalescing.note(at: now) }
    while wait(until: coalescing.end) {
      guard receive(reader, &buffer, &coalescing) else { return }
      guard coalescing.finish(at: now) else { continue }
      do throws(NetlinkError) {
        paths.publish(try reader.path())
        if reader.isStale { coalescing.note(at: now) }
      } catch {
        reader.isStale = true
        coalescing.note(at: now + Self.retryDelay)
      }
    }
  }

  private var now: Duration { start.duration(to: .now) }

  /// Waits for messages, or until a time.
  ///
  /// - Parameter end: The time, since ``start``; nil to wait for messages only.
  /// - Returns: false if the thread should end.
  private func wait(until end: Duration?) -> Bool {
    var both = [
      pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
      pollfd(fd: events.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let count = unsafe poll(&both, 2, end.map { Int32(clamping: ($0 - now).wholeMilliseconds) } ?? -1)
    // An interrupted wait has reported no events; any other failure would recur immediately.
    return both[0].revents == 0 && (count >= 0 || errno == EINTR)
  }

  /// Reads the messages that have arrived.
  ///
  /// - Returns: false if the socket is no longer usable.
  private func receive(_ reader: PathReader, _ buffer: inout [UInt8], _ coalescing: inout Coalescing) -> Bool
  {
    var count = 0
    // The messages that remain after a loss are older than the loss. Processed after the lists are read
    // again, they would overwrite newer values, so they must be drained first. The kernel buffers nothing
    // new until then.
    while count < Self.maximumDatagramsPerTurn || reader.isStale {
      count += 1
      switch events.receive(into: &buffer) {
      case .bytes(let size):
        coalescing.note(at: now)
        if !reader.isStale { reader.table.read(Array(buffer[..<size])) }
      case .lost:
        coalescing.note(at: now)
        reader.isStale = true
      case .nothing: return true
      case .failed: return false
      }
    }
    return true
  }
}

/// Groups a burst of messages into one change: it ends after a quiet period, or at a maximum duration.
///
/// Times are measured from any fixed moment.
package struct Coalescing: Sendable {
  /// The quiet period that ends a burst.
  package var quiet = Duration.milliseconds(10)
  /// The maximum time after the first message.
  package var maximumDuration = Duration.milliseconds(50)

  private var begun: Duration?
  private var last = Duration.zero

  /// The default: quiet for 10 ms, at most 50 ms.
  package init() {}

  /// Records a message.
  package mutating func note(at now: Duration) {
    begun = begun ?? now
    last = now
  }

  /// The end of the burst if no further message arrives; nil if no burst has begun.
  package var end: Duration? {
    begun.map { min($0 + maximumDuration, last + quiet) }
  }

  /// Ends the burst if its time has come.
  ///
  /// - Returns: Whether it ended.
  package mutating func finish(at now: Duration) -> Bool {
    guard let end, end <= now else { return false }
    begun = nil
    return true
  }
}
