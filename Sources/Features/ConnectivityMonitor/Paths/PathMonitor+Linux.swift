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

    /// The defaults.
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

  /// The current path, at most 50 ms old.
  public var path: NetworkPath { worker.paths.value }

  /// The current path, and then each change of it; reading it keeps the monitor alive.
  ///
  /// A slow reader receives the newest path and misses those in between.
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
