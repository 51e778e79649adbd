internal import CProbeCurl
internal import CProbeShims
internal import ProbeOpenSSL
package import ProbeThreading

/// The transfers of one loop: has libcurl work on them when something happens on their sockets, or their time has come.
///
/// Asking libcurl to look at all of its transfers instead takes longer the more of them there are, and asks the system
/// about each of their sockets every time.
@safe package final class MultiDriver: LoopPart {
  private let multi: MultiHandle
  private unowned let thread: LoopThread
  /// When libcurl wants to be called, if nothing happens before.
  private var alarm: LoopAlarm?
  /// Whether libcurl wants to be called, or a transfer is to be taken up or has ended.
  package private(set) var isDue = false
  private var wantsCall = false
  /// How often libcurl has taken up what was new.
  private(set) var turn = 0
  /// Handles of transfers with a socket that the machine has no room to watch, each once.
  private var unwatched: [UnsafeMutableRawPointer] = unsafe []

  package init?(on thread: LoopThread) {
    guard let multi = MultiHandle() else { return nil }
    self.multi = multi
    self.thread = thread
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

  package func endTurn(on thread: LoopThread) {
    isDue = false
    if wantsCall {
      // It says when it wants to be called again.
      wantsCall = false
      turn += 1
      act(on: CURL_SOCKET_TIMEOUT, 0)
    }
    finishTransfers()
  }
}

extension MultiDriver {
  /// Begins a transfer.
  func start(_ transfer: Transfer) {
    // Held by the handle until it is removed.
    let retained = unsafe Unmanaged.passRetained(transfer).toOpaque()
    _ = unsafe probe_curl_set_pointer(transfer.easy.pointer, CURLOPT_PRIVATE, retained)
    transfer.begin(turn: turn)
    guard unsafe curl_multi_add_handle(multi.pointer, transfer.easy.pointer) == CURLM_OK else {
      transfer.finishUnstarted(.outOfMemory)
      return remove(transfer)
    }
    transfer.alarm = thread.setAlarm(at: transfer.nextLook, for: transfer)
  }

  /// Ends a transfer that is under way.
  func end(_ transfer: Transfer, _ code: CurlCode) {
    guard case .running(let first) = transfer.state else { return }
    if turn > first {
      transfer.finish(CURLcode(rawValue: code.rawValue), ended: .now)
    } else {
      transfer.finishUnstarted(code)
    }
    remove(transfer)
  }

  private func remove(_ transfer: Transfer) {
    transfer.state = .ended
    if let alarm = transfer.alarm { thread.cancel(alarm) }
    transfer.alarm = nil
    unsafe unwatched.removeAll { unsafe $0 == transfer.easy.pointer }
    _ = unsafe curl_multi_remove_handle(multi.pointer, transfer.easy.pointer)
    transfer.giveBackHandle()
    unsafe Unmanaged.passUnretained(transfer).release()
  }

  private func finishTransfers() {
    while let ended = unsafe nextEnded() {
      guard let user = unsafe probe_curl_get_pointer(ended.easy) else { continue }
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
      transfer.finish(unsafe ended.code)
      remove(transfer)
    }
  }

  /// A transfer that has ended, and how; nil when there is none.
  private func nextEnded() -> (easy: UnsafeMutableRawPointer, code: CURLcode)? {
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
}

extension MultiDriver: DescriptorWatcher, AlarmReceiver {
  package func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread) {
    act(on: curl_socket_t(descriptor), events.curlBits)
    isDue = true
  }

  package func alarmRings(on thread: LoopThread) {
    alarm = nil
    (isDue, wantsCall) = (true, true)
  }

  private func act(on socket: curl_socket_t, _ bits: Int32) {
    var running: Int32 = 0
    _ = unsafe curl_multi_socket_action(multi.pointer, socket, bits, &running)
  }

  /// What libcurl wants to know of a socket.
  private func watch(
    _ socket: curl_socket_t, _ what: Int32, of easy: UnsafeMutableRawPointer?, isKnown: Bool
  ) {
    guard what != CURL_POLL_REMOVE else { return thread.unwatch(socket) }
    var interest = Poller.Events()
    if what & CURL_POLL_IN != 0 { interest.insert(.readable) }
    if what & CURL_POLL_OUT != 0 { interest.insert(.writable) }
    if isKnown, thread.change(socket, interest) { return }
    if thread.watch(socket, interest, self) {
      // Handed back when the socket is told of again; any pointer will do.
      _ = unsafe curl_multi_assign(multi.pointer, socket, multi.pointer)
    } else if let easy = unsafe easy, unsafe !unwatched.contains(easy) {
      unsafe unwatched.append(easy)
      isDue = true
    }
  }

  /// When libcurl wants to be called.
  private func call(after milliseconds: Int) {
    if let alarm { thread.cancel(alarm) }
    alarm = nil
    switch milliseconds {
    case ..<0: wantsCall = false
    // Of all the times the most frequent, and no reason to look at the clock.
    case 0: (isDue, wantsCall) = (true, true)
    default:
      wantsCall = false
      alarm = thread.setAlarm(at: .now + .milliseconds(milliseconds), for: self)
    }
  }
}

extension Transfer: LoopOperation {
  package func start(on thread: LoopThread) {
    guard case .new = state, let driver = thread.part(MultiDriver.self) else {
      let wasCancelled = if case .cancelledEarly = state { true } else { false }
      state = .ended
      giveBackHandle()
      return finishUnstarted(wasCancelled ? .cancelled : .outOfMemory)
    }
    driver.start(self)
  }

  package func cancel(on thread: LoopThread) {
    switch state {
    case .new: state = .cancelledEarly
    case .running: thread.part(MultiDriver.self)?.end(self, .cancelled)
    case .cancelledEarly, .ended: break
    }
  }
}

/// Ends a transfer whose time is over and which libcurl has not ended.
///
/// libcurl 7.88 throws a transfer's time limit away when something happens on its socket within the millisecond before:
/// it takes what is due in less than a millisecond for done, and only then asks whether the time is over
/// (`add_next_timeout` in its lib/multi.c, which counts microseconds since 8.4: curl's pull request 11937). Nothing else
/// would ever end that transfer.
extension Transfer: AlarmReceiver {
  /// So long after its time a transfer counts as forgotten.
  private static let patience = Duration.milliseconds(50)

  /// When to look whether libcurl has forgotten it.
  var nextLook: ContinuousClock.Instant { nextLimit + Self.patience }

  package func alarmRings(on thread: LoopThread) {
    alarm = nil
    forgetConnectLimitOnceMet()
    guard nextLook > .now else {
      thread.part(MultiDriver.self)?.end(self, .timedOut)
      return
    }
    alarm = thread.setAlarm(at: nextLook, for: self)
  }
}

extension Poller.Events {
  /// The same for libcurl.
  fileprivate var curlBits: Int32 {
    // Without any it looks for itself, which tells one kind of end from another.
    if !isDisjoint(with: .broken) { return 0 }
    return (contains(.readable) ? CURL_CSELECT_IN : 0) | (contains(.writable) ? CURL_CSELECT_OUT : 0)
  }
}

/// libcurl's multi handle, freed with its last reference.
///
/// The loop's thread alone works with it; every other thread may wake it and do nothing else. Both sides hold a
/// reference, so that a wake-up on its way to a loop that has just ended still finds a handle.
@safe final class MultiHandle {
  let pointer: UnsafeMutableRawPointer

  /// A handle, or nil when the machine has no memory or descriptor left for one.
  init?() {
    guard let pointer = unsafe curl_multi_init() else { return nil }
    // Without descriptors libcurl makes a handle that nobody can wake: a loop on it would sleep through everything.
    guard unsafe curl_multi_wakeup(pointer) == CURLM_OK else {
      _ = unsafe curl_multi_cleanup(pointer)
      return nil
    }
    unsafe self.pointer = pointer
  }

  deinit {
    _ = unsafe curl_multi_cleanup(pointer)
  }

  /// Ends the loop's sleep, or its next one.
  func wake() {
    _ = unsafe curl_multi_wakeup(pointer)
  }
}

// Safe because curl_multi_wakeup is thread-safe, and what else is done with the handle is done by one thread.
extension MultiHandle: @unchecked Sendable {}
