internal import CCurl
internal import CProbeShims
internal import Threading

/// Has libcurl work on its transfers when something happens on their sockets, or their time has come.
///
/// Asking libcurl to look at all of its transfers instead takes longer the more of them there are, and asks the system
/// about each of their sockets every time.
///
/// Belongs to the loop's thread.
@safe final class MultiDriver {
  /// So many events are taken at once.
  private static let capacity = 256
  /// Marks the numbers of descriptors that are not libcurl's.
  private static let otherMark: UInt64 = 1 << 32

  let multi: MultiHandle
  private let poller: Poller
  private var events = [probe_event](repeating: probe_event(), count: capacity)
  private let start = ContinuousClock.now
  /// When libcurl wants to be called, if nothing happens before; nil for never.
  private var due: ContinuousClock.Instant?
  /// How often libcurl has taken up what was new.
  private(set) var turn = 0
  /// Handles of transfers with a socket that the machine has no room to watch, each once.
  private var unwatched: [UnsafeMutableRawPointer] = unsafe []

  init(_ multi: MultiHandle, _ poller: Poller) {
    self.multi = multi
    self.poller = poller
    unsafe probe_curl_watch(
      multi.pointer,
      { easy, socket, what, user, isKnown in
        unsafe MultiDriver.of(user)?.watch(socket, what, of: easy, isKnown: isKnown != nil)
        return 0
      },
      { _, milliseconds, user in
        unsafe MultiDriver.of(user)?.call(after: milliseconds)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    // Freeing the handle may still close sockets.
    unsafe probe_curl_watch(multi.pointer, nil, nil, nil)
  }

  private static func of(_ user: UnsafeMutableRawPointer?) -> MultiDriver? {
    unsafe user.map { unsafe Unmanaged<MultiDriver>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension MultiDriver {
  /// Has libcurl take up what is new, and do what is due.
  func workOnWhatIsDue() {
    guard let due, due <= .now else { return }
    // It says when it wants to be called again.
    self.due = nil
    turn += 1
    act(on: CURL_SOCKET_TIMEOUT, 0)
  }

  /// Waits until something happens, and has libcurl do what follows from it.
  ///
  /// - Parameters:
  ///   - deadline: Until when at the latest; nil for as long as libcurl likes.
  ///   - mayWait: Whether to wait at all.
  ///   - happened: Called with the number of each descriptor of others on which something has happened.
  func wait(until deadline: ContinuousClock.Instant?, mayWait: Bool, happened: (UInt32) -> Void) {
    var milliseconds: Int32? = 0
    if mayWait {
      milliseconds = earliest(due, deadline).map { ContinuousClock.now.duration(to: $0).pollTimeout }
    }
    let count = poller.wait(into: &events, milliseconds: milliseconds)
    for event in events[..<count] {
      if event.id >= Self.otherMark {
        happened(UInt32(truncatingIfNeeded: event.id))
      } else {
        act(on: curl_socket_t(event.id), Poller.Events(rawValue: event.events).curlBits)
      }
    }
  }

  /// A transfer that has ended, and how; nil when there is none.
  func nextEnded() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
    if let easy = unsafe unwatched.popLast() {
      return unsafe (easy, CURLE_OUT_OF_MEMORY)
    }
    var remaining: Int32 = 0
    while let message = unsafe curl_multi_info_read(multi.pointer, &remaining) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
        continue
      }
      return unsafe (easy, message.pointee.data.result)
    }
    return nil
  }

  /// Watches a descriptor that is not libcurl's, until it is watched no more.
  ///
  /// - Returns: Whether the machine has room for it.
  func watch(_ descriptor: Int32, _ events: Poller.Events, number: UInt32) -> Bool {
    poller.add(descriptor, events, id: Self.otherMark | UInt64(number))
  }

  /// Watches such a descriptor no more.
  func unwatch(_ descriptor: Int32) {
    poller.remove(descriptor)
  }
}

extension MultiDriver {
  private func act(on socket: curl_socket_t, _ bits: Int32) {
    var running: Int32 = 0
    _ = unsafe curl_multi_socket_action(multi.pointer, socket, bits, &running)
  }

  /// What libcurl wants to know of a socket.
  private func watch(
    _ socket: curl_socket_t, _ what: Int32, of easy: UnsafeMutableRawPointer?, isKnown: Bool
  ) {
    guard what != CURL_POLL_REMOVE else { return poller.remove(socket) }
    let interest = Poller.Events(
      rawValue: (what & CURL_POLL_IN != 0 ? probe_readable : 0)
        | (what & CURL_POLL_OUT != 0 ? probe_writable : 0))
    let id = UInt64(socket)
    if isKnown, poller.change(socket, interest, id: id) { return }
    if poller.add(socket, interest, id: id) {
      // Handed back when the socket is told of again; any pointer will do.
      _ = unsafe curl_multi_assign(multi.pointer, socket, multi.pointer)
    } else if let easy = unsafe easy, unsafe !unwatched.contains(easy) {
      unsafe unwatched.append(easy)
    }
  }

  /// When libcurl wants to be called.
  private func call(after milliseconds: Int) {
    switch milliseconds {
    case ..<0: due = nil
    // Of all the times the most frequent, and no reason to look at the clock.
    case 0: due = start
    default: due = .now + .milliseconds(milliseconds)
    }
  }
}

/// The earlier of two moments; nil is never.
func earliest(_ left: ContinuousClock.Instant?, _ right: ContinuousClock.Instant?) -> ContinuousClock.Instant?
{
  guard let left, let right else { return left ?? right }
  return min(left, right)
}

extension Poller.Events {
  /// The same for libcurl.
  fileprivate var curlBits: Int32 {
    // Without any it looks for itself, which tells one kind of end from another.
    if rawValue & probe_broken != 0 { return 0 }
    return (rawValue & probe_readable != 0 ? CURL_CSELECT_IN : 0)
      | (rawValue & probe_writable != 0 ? CURL_CSELECT_OUT : 0)
  }
}

extension Duration {
  /// Whole milliseconds for epoll_wait(2), rounded up so that the loop does not wake just before the moment.
  fileprivate var pollTimeout: Int32 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return Int32(min(seconds, 3600) * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
