internal import CProbeCurl
internal import ProbeTLS
package import ProbeSystem

/// The transfers of one loop: calls libcurl when there are events on their sockets, or when their timers
/// expire.
///
/// Polling all transfers through libcurl instead takes longer the more there are, and makes a system call for
/// each socket every time.
@safe package final class MultiDriver: LoopPart {
  private let multi: MultiHandle
  private unowned let thread: LoopThread
  /// The timer of the loop that implements the one of libcurl.
  private var timer: LoopTimer?
  /// Whether libcurl's timer has expired, or a transfer is to be started or has ended.
  package private(set) var isDue = false
  private var wantsCall = false
  /// The number of calls of libcurl; each starts the new transfers, also one for the socket of another transfer.
  private(set) var calls = 0
  /// Handles of transfers with a socket that cannot be watched for lack of resources, each once.
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
      // libcurl sets the timer again.
      wantsCall = false
      act(on: CURL_SOCKET_TIMEOUT, 0)
    }
    finishTransfers()
  }
}

extension MultiDriver {
  func start(_ transfer: Transfer) {
    // Retained by the handle until it is removed.
    let retained = unsafe Unmanaged.passRetained(transfer).toOpaque()
    _ = unsafe probe_curl_set_pointer(transfer.easy.pointer, CURLOPT_PRIVATE, retained)
    transfer.begin(afterCalls: calls)
    guard unsafe curl_multi_add_handle(multi.pointer, transfer.easy.pointer) == CURLM_OK else {
      transfer.finishUnstarted(.outOfMemory)
      return remove(transfer)
    }
    transfer.timer = thread.setTimer(at: transfer.nextLook, for: transfer)
  }

  func end(_ transfer: Transfer, _ code: CurlCode) {
    guard case .running(let first) = transfer.state else { return }
    if calls > first {
      transfer.finish(CURLcode(rawValue: code.rawValue), ended: .now)
    } else {
      transfer.finishUnstarted(code)
    }
    remove(transfer)
  }

  /// Continues a transfer whose body had to wait for memory.
  fileprivate func resume(_ transfer: Transfer) {
    guard case .running = transfer.state else { return }
    // Delivers the pieces that waited.
    if unsafe curl_easy_pause(transfer.easy.pointer, CURLPAUSE_CONT) != CURLE_OK {
      end(transfer, .writeError)
    }
    isDue = true
  }

  private func remove(_ transfer: Transfer) {
    transfer.state = .ended
    if let timer = transfer.timer { thread.cancel(timer) }
    transfer.timer = nil
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

  /// A transfer that has ended, and its result; nil if there is none.
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

extension MultiDriver: DescriptorWatcher, TimerReceiver {
  package func descriptorIsReady(_ descriptor: Int32, _ events: Poller.Events, on thread: LoopThread) {
    act(on: curl_socket_t(descriptor), events.curlBits)
    isDue = true
  }

  package func timerFired(on thread: LoopThread) {
    timer = nil
    (isDue, wantsCall) = (true, true)
  }

  private func act(on socket: curl_socket_t, _ bits: Int32) {
    calls += 1
    var running: Int32 = 0
    _ = unsafe curl_multi_socket_action(multi.pointer, socket, bits, &running)
  }

  /// Handles libcurl's request to watch a socket.
  private func watch(
    _ socket: curl_socket_t, _ what: Int32, of easy: UnsafeMutableRawPointer?, isKnown: Bool
  ) {
    guard what != CURL_POLL_REMOVE else { return thread.unwatch(socket) }
    var interest = Poller.Events()
    if what & CURL_POLL_IN != 0 { interest.insert(.readable) }
    if what & CURL_POLL_OUT != 0 { interest.insert(.writable) }
    if isKnown, thread.change(socket, interest) { return }
    if thread.watch(socket, interest, self) {
      // libcurl passes it back with the next request for the socket; any pointer will do.
      _ = unsafe curl_multi_assign(multi.pointer, socket, multi.pointer)
    } else if let easy = unsafe easy, unsafe !unwatched.contains(easy) {
      unsafe unwatched.append(easy)
      isDue = true
    }
  }

  /// Handles libcurl's request to set its timer.
  private func call(after milliseconds: Int) {
    if let timer { thread.cancel(timer) }
    timer = nil
    switch milliseconds {
    case ..<0: wantsCall = false
    // The most frequent value, for which the clock is not needed.
    case 0: (isDue, wantsCall) = (true, true)
    default:
      wantsCall = false
      timer = thread.setTimer(at: .now + .milliseconds(milliseconds), for: self)
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
    loop = thread.remote
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

/// Continues a transfer on its loop's thread.
final class TransferResumption: LoopOperation {
  private let transfer: Transfer

  init(_ transfer: Transfer) {
    self.transfer = transfer
  }

  func start(on thread: LoopThread) {
    thread.part(MultiDriver.self)?.resume(transfer)
  }

  func cancel(on thread: LoopThread) {}
}

/// Ends a transfer whose timeout has expired without libcurl ending it.
///
/// libcurl 7.88 discards the timeout of a transfer if there is an event on its socket within the millisecond
/// before: it considers a timer with less than a millisecond left as expired, and only then checks whether
/// the timeout has been reached (`add_next_timeout` in its lib/multi.c, which counts microseconds since 8.4:
/// curl's pull request 11937). Nothing else would ever end that transfer.
extension Transfer: TimerReceiver {
  /// The time after its timeout at which a transfer counts as forgotten.
  private static let patience = Duration.milliseconds(50)

  /// The time at which to check whether libcurl has forgotten it.
  var nextLook: ContinuousClock.Instant { nextLimit + Self.patience }

  package func timerFired(on thread: LoopThread) {
    timer = nil
    removeConnectTimeoutIfConnected()
    guard nextLook > .now else {
      thread.part(MultiDriver.self)?.end(self, .timedOut)
      return
    }
    timer = thread.setTimer(at: nextLook, for: self)
  }
}

extension Poller.Events {
  /// The corresponding libcurl bits.
  fileprivate var curlBits: Int32 {
    // Without bits libcurl polls the socket itself, which distinguishes the kinds of end.
    if !isDisjoint(with: .broken) { return 0 }
    return (contains(.readable) ? CURL_CSELECT_IN : 0) | (contains(.writable) ? CURL_CSELECT_OUT : 0)
  }
}

/// libcurl's multi handle, freed with its last reference.
///
/// Only the loop's thread uses it; other threads may only wake it. Both sides retain it, so that a wake-up in
/// transit to a loop that has just ended still finds a handle.
@safe final class MultiHandle {
  let pointer: UnsafeMutableRawPointer

  /// A handle, or nil if no memory or descriptor is available.
  init?() {
    guard let pointer = unsafe curl_multi_init() else { return nil }
    // Without descriptors libcurl creates a handle that cannot be woken: a loop on it would never notice
    // messages.
    guard unsafe curl_multi_wakeup(pointer) == CURLM_OK else {
      _ = unsafe curl_multi_cleanup(pointer)
      return nil
    }
    unsafe self.pointer = pointer
  }

  deinit {
    _ = unsafe curl_multi_cleanup(pointer)
  }

  /// Wakes the loop, or prevents its next sleep.
  func wake() {
    _ = unsafe curl_multi_wakeup(pointer)
  }
}

// Safe because curl_multi_wakeup is thread-safe, and one thread does everything else.
extension MultiHandle: @unchecked Sendable {}
