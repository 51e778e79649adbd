import ProbeBase
internal import CProbeSystem
internal import Glibc
internal import ProbeSystem

/// The thread of a ``PathMonitor``: it waits for the kernel's messages and publishes the resulting paths.
///
/// It sleeps while no messages arrive; no timer runs then.
final class PathWorker: Sendable {
  /// The number of datagrams to read before checking whether a burst has lasted too long.
  private static let turn = 256
  /// The delay before querying the kernel again after a failure.
  private static let patience = Duration.seconds(1)

  let paths: NewestValue<NetworkPath>
  private let events: NetlinkSocket
  private let waker: Int32
  private let start = ContinuousClock.now

  init(_ path: NetworkPath, events: NetlinkSocket) throws(NetlinkError) {
    waker = probe_wake_descriptor()
    guard waker >= 0 else { throw NetlinkError("make an eventfd", systemCode: errno) }
    paths = NewestValue(path)
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
  ///   - idle: The rules for grouping a burst of messages into one change.
  func run(_ table: PathTable, isStale: Bool, coalescing idle: Coalescing) {
    defer { paths.finish() }
    let reader = PathReader(table)
    reader.isStale = isStale
    var coalescing = idle
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
        coalescing.note(at: now + Self.patience)
      }
    }
  }

  private var now: Duration { start.duration(to: .now) }

  /// Waits for messages, or until a deadline.
  ///
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
    while count < Self.turn || reader.isStale {
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
