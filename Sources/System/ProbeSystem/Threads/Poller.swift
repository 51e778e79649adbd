package import CProbeSystem
internal import Glibc

/// Waits for many descriptors at once (epoll), and can be woken from other threads.
///
/// Everything but ``wake()`` must be used on one thread.
package final class Poller: Sendable {
  package struct Events: OptionSet, Sendable {
    package let rawValue: UInt32

    package static let readable = Events(rawValue: probe_readable)
    package static let writable = Events(rawValue: probe_writable)
    /// The peer has closed its side.
    static let peerEnded = Events(rawValue: probe_peer_ended)
    /// Whether each event is reported once, instead of as long as it persists (edge-triggered).
    package static let once = Events(rawValue: probe_edge_triggered)
    /// An error or a hang-up, reported without being requested.
    package static let broken = Events(rawValue: probe_broken)

    /// All events of a connection, each reported once.
    package static let ofConnection: Events = [.readable, .writable, .peerEnded, .once]
    /// The events that receiving handles.
    package static let input: Events = [.readable, .broken]
    /// The events that end a connection.
    package static let endings: Events = [.peerEnded, .broken]

    package init(rawValue: UInt32) {
      self.rawValue = rawValue
    }
  }

  private static let wakeID = UInt64.max
  private let descriptor: Int32
  private let waker: Int32

  /// A poller without descriptors, or nil if there are none left, or only a few.
  package init?() {
    let waker = probe_wake_descriptor()
    // Opens only one at first: others may need the last ones at this very moment.
    let poller = waker < 0 || probe_descriptor_is_reserved(waker) ? -1 : probe_poller_make()
    guard poller >= 0, probe_poller_add(poller, waker, probe_readable, Self.wakeID) == 0 else {
      if poller >= 0 { close(poller) }
      if waker >= 0 { close(waker) }
      return nil
    }
    descriptor = poller
    self.waker = waker
  }

  deinit {
    close(descriptor)
    close(waker)
  }

  /// Watches a descriptor until it and its duplicates are closed, or it is removed.
  ///
  /// - Returns: Whether it succeeded; it fails for lack of resources.
  package func add(_ watched: Int32, _ events: Events, id: UInt64) -> Bool {
    probe_poller_add(descriptor, watched, events.rawValue, id) == 0
  }

  /// Changes the events to watch for on a descriptor.
  ///
  /// - Returns: Whether it is watched at all.
  @discardableResult
  package func change(_ watched: Int32, _ events: Events, id: UInt64) -> Bool {
    probe_poller_change(descriptor, watched, events.rawValue, id) == 0
  }

  /// Stops watching a descriptor.
  package func remove(_ watched: Int32) {
    _ = probe_poller_remove(descriptor, watched)
  }

  /// Waits until there is an event, a wake-up, or a timeout; nil waits without a timeout.
  package func wait(into events: inout [probe_event], milliseconds: Int32?) -> Int {
    let capacity = Int32(clamping: events.count)
    let count = unsafe events.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return Int32(0) }
      return unsafe probe_poller_wait(descriptor, start, capacity, milliseconds ?? -1)
    }
    guard count > 0 else { return 0 }
    var kept = 0
    for index in 0..<Int(clamping: count) {
      if events[index].id == Self.wakeID {
        var value: UInt64 = 0
        _ = unsafe read(waker, &value, 8)
      } else {
        events[kept] = events[index]
        kept += 1
      }
    }
    return kept
  }

  /// Ends a wait, from any thread.
  package func wake() {
    var one: UInt64 = 1
    _ = unsafe write(waker, &one, 8)
  }
}
