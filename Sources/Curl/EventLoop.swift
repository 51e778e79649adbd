internal import CCurl
internal import CProbeShims

/// The loop itself, on its thread alone: takes messages, lets libcurl work, serves connections, sleeps.
final class EventLoop {
  private let driver: MultiDriver
  private let mailbox: LoopMailbox
  private let handles: EasyHandlePool
  private let operations: OperationsUnderWay
  private let limits = TimeLimits()
  private var messages: [LoopMessage] = []
  private var isStopping = false

  init(_ driver: MultiDriver, mailbox: LoopMailbox, handles: EasyHandlePool) {
    self.driver = driver
    self.mailbox = mailbox
    self.handles = handles
    operations = OperationsUnderWay(driver)
  }

  func run() {
    while true {
      handleMessages()
      if isStopping { return }
      let mayWait = mailbox.preparePolling()
      let deadline = earliest(operations.nextDeadline, limits.nextLook)
      driver.wait(until: deadline, mayWait: mayWait) { operations.goOn($0) }
      if mayWait { mailbox.endPolling() }
      driver.workOnWhatIsDue()
      finishTransfers()
      for transfer in limits.overdue() { end(transfer, .timedOut) }
      operations.expire()
    }
  }
}

// Safe because it is made by one thread and handed to the one it runs on, never to use again elsewhere.
extension EventLoop: @unchecked Sendable {}

extension EventLoop {
  /// How long messages may keep connections waiting: tasks that run here send new ones as they go on.
  private static let longestTurn = Duration.milliseconds(1)

  private func handleMessages() {
    mailbox.take(into: &messages)
    guard !messages.isEmpty else { return }
    let end = ContinuousClock.now + Self.longestTurn
    repeat {
      for message in messages { handle(message) }
      messages.removeAll(keepingCapacity: true)
      guard !isStopping, ContinuousClock.now < end else { return }
      mailbox.take(into: &messages)
    } while !messages.isEmpty
  }

  private func handle(_ message: LoopMessage) {
    switch message {
    case .start(let transfer): start(transfer)
    case .cancel(let transfer): cancel(transfer)
    case .operate(let operation): operations.start(operation)
    case .cancelOperation(let operation): operations.cancel(operation)
    case .run(let job, let loop): unsafe job.runSynchronously(on: loop.asUnownedTaskExecutor())
    // Nothing runs any more: whoever waits for a transfer holds a reference to the loop.
    case .stop: isStopping = true
    }
  }

  private func start(_ transfer: Transfer) {
    guard case .new = transfer.state else {
      transfer.state = .ended
      handles.give(transfer.easy)
      return transfer.finishUnstarted(.cancelled)
    }
    // Held by the handle until it is removed.
    let retained = unsafe Unmanaged.passRetained(transfer).toOpaque()
    _ = unsafe probe_curl_set_pointer(transfer.easy.pointer, CURLOPT_PRIVATE, retained)
    transfer.begin(turn: driver.turn)
    guard unsafe curl_multi_add_handle(driver.multi.pointer, transfer.easy.pointer) == CURLM_OK else {
      transfer.finishUnstarted(.outOfMemory)
      return remove(transfer)
    }
    limits.watch(transfer)
  }

  private func cancel(_ transfer: Transfer) {
    switch transfer.state {
    case .new: transfer.state = .cancelledEarly
    case .running: end(transfer, .cancelled)
    case .cancelledEarly, .ended: break
    }
  }

  /// Ends a transfer that is under way.
  private func end(_ transfer: Transfer, _ code: CurlCode) {
    guard case .running(let first) = transfer.state else { return }
    if driver.turn > first {
      transfer.finish(CURLcode(rawValue: code.rawValue), ended: .now)
    } else {
      transfer.finishUnstarted(code)
    }
    remove(transfer)
  }

  private func remove(_ transfer: Transfer) {
    transfer.state = .ended
    limits.forget(transfer)
    _ = unsafe curl_multi_remove_handle(driver.multi.pointer, transfer.easy.pointer)
    handles.give(transfer.easy)
    unsafe Unmanaged.passUnretained(transfer).release()
  }

  private func finishTransfers() {
    while let ended = unsafe driver.nextEnded() {
      guard let user = unsafe probe_curl_get_pointer(ended.easy) else { continue }
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
      transfer.finish(unsafe ended.code)
      remove(transfer)
    }
  }
}
