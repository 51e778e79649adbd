internal import ProbeNetlink
public import ProbeCore
internal import ProbeThreading

/// Tells of this machine's interfaces and routes, by what the kernel says of them (rtnetlink(7)).
///
/// One thread waits for the kernel's messages; as long as there are none, nothing runs. What happens within 10 ms, or
/// 50 ms when it does not stop, is one change. The thread and its descriptors are gone when the monitor is: when nobody
/// holds it, nor reads its changes.
///
/// It sees the network namespace that it is made in.
public final class PathMonitor: PathSource {
  /// What can be set for tests.
  package struct Tuning: Sendable {
    /// When a burst of messages counts as one change.
    package var coalescing = Coalescing()
    /// How many bytes of messages the kernel keeps for the monitor; none of it is taken before there are any.
    package var room = 1 << 20

    /// The defaults.
    package init() {}
  }

  private let worker: PathWorker

  /// A monitor, which knows the path as it is now.
  ///
  /// - Throws: ``PathFailure`` when the kernel cannot be asked, as in a sandbox without netlink sockets, or when the machine
  ///   has no thread or descriptor left.
  public convenience init() throws(PathFailure) {
    try self.init(Tuning())
  }

  package init(_ tuning: Tuning) throws(PathFailure) {
    let reader = PathReader()
    do throws(NetlinkError) {
      // Before anything is asked, so that nothing is missed.
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
    // The thread is not waited for: it may be about to wake the very task whose cancellation ends the monitor.
    worker.stop()
  }

  /// The path as it is now, or was up to 50 ms ago.
  public var path: NetworkPath { worker.paths.value }

  /// The path now, and then each change of it; reading it keeps the monitor alive.
  ///
  /// A slow reader gets the newest path and misses those between.
  public func changes() -> AsyncStream<NetworkPath> {
    worker.paths.changes(keeping: self)
  }

  /// The way that the kernel would take to a destination, or nil when there is none; nothing is sent.
  ///
  /// It is asked at once, on the caller's thread, which takes some microseconds. A way may lead over a link that has lost
  /// its carrier: ask ``path`` for that.
  ///
  /// - Throws: ``PathFailure`` when the kernel cannot be asked.
  public func route(to destination: IPAddress) throws(PathFailure) -> Route? {
    do throws(NetlinkError) {
      return try NetlinkClient().route(to: destination)
    } catch {
      throw PathFailure(error)
    }
  }
}
