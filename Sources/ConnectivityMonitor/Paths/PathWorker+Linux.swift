internal import CProbeShims
internal import Glibc
internal import ProbeNetlink

/// What the thread of a ``PathMonitor`` does: it waits for the kernel's messages, and publishes what they amount to.
///
/// It sleeps for as long as nothing happens; there is no timer then.
final class PathWorker: Sendable {
  /// How many datagrams are read before it is looked whether a burst has lasted for too long.
  private static let turn = 256
  /// When the kernel is asked again after it could not be asked.
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

  /// Has the thread end.
  func stop() {
    var one: UInt64 = 1
    _ = unsafe write(waker, &one, 8)
  }

  /// What the thread does until it is told to end, or the kernel tells nothing any more.
  ///
  /// - Parameters:
  ///   - table: What is known already.
  ///   - isStale: Whether that may not be all.
  ///   - idle: When a burst of messages counts as one change.
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

  /// Waits for messages, or until a time.
  ///
  /// - Returns: false when the thread shall end.
  private func wait(until end: Duration?) -> Bool {
    var both = [
      pollfd(fd: waker, events: Int16(POLLIN), revents: 0),
      pollfd(fd: events.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let count = unsafe poll(&both, 2, end.map { ($0 - now).wholeMilliseconds } ?? -1)
    // An interrupted wait has seen nothing; any other failure would be back at once.
    return both[0].revents == 0 && (count >= 0 || errno == EINTR)
  }

  /// Takes in what has come.
  ///
  /// - Returns: false when the socket is of no use any more.
  private func receive(_ reader: PathReader, _ buffer: inout [UInt8], _ coalescing: inout Coalescing) -> Bool
  {
    var count = 0
    // After a loss what is left is older than the loss. Taken in after lists were read anew, it would undo what they say; so
    // it has to be gone by then. The kernel keeps nothing new until it is.
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

extension Duration {
  /// The milliseconds to wait so that it is over, at least 0.
  fileprivate var wholeMilliseconds: Int32 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
