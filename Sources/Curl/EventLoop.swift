internal import CCurl
internal import CProbeShims

/// The loop itself, on its thread alone: takes messages, lets libcurl work, serves connections, sleeps.
final class EventLoop {
  private let multi: MultiHandle
  private let mailbox: LoopMailbox
  private let handles: EasyHandlePool
  private var operations: [ConnectionOperation] = []
  private var messages: [LoopMessage] = []
  /// How often libcurl has worked.
  private var turn = 0
  private var isStopping = false

  init(multi: MultiHandle, mailbox: LoopMailbox, handles: EasyHandlePool) {
    self.multi = multi
    self.mailbox = mailbox
    self.handles = handles
  }

  func run() {
    while true {
      handleMessages()
      if isStopping { return }
      var running: Int32 = 0
      _ = unsafe curl_multi_perform(multi.pointer, &running)
      turn += 1
      finishTransfers()
      expireOperations()
      if mailbox.preparePolling() {
        poll()
        mailbox.endPolling()
      }
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
    case .operate(let operation): start(operation)
    case .cancelOperation(let operation): cancel(operation)
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
    transfer.begin(turn: turn)
    guard unsafe curl_multi_add_handle(multi.pointer, transfer.easy.pointer) == CURLM_OK else {
      transfer.finishUnstarted(.outOfMemory)
      return remove(transfer)
    }
  }

  private func cancel(_ transfer: Transfer) {
    switch transfer.state {
    case .new: transfer.state = .cancelledEarly
    case .running(let first):
      if turn > first {
        transfer.finish(CURLE_ABORTED_BY_CALLBACK)
      } else {
        transfer.finishUnstarted(.cancelled)
      }
      remove(transfer)
    case .cancelledEarly, .ended: break
    }
  }

  private func remove(_ transfer: Transfer) {
    transfer.state = .ended
    _ = unsafe curl_multi_remove_handle(multi.pointer, transfer.easy.pointer)
    handles.give(transfer.easy)
    unsafe Unmanaged.passUnretained(transfer).release()
  }

  private func finishTransfers() {
    var remaining: Int32 = 0
    while let message = unsafe curl_multi_info_read(multi.pointer, &remaining) {
      guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle,
        let user = unsafe probe_curl_get_pointer(easy)
      else { continue }
      let code = unsafe message.pointee.data.result
      let transfer = unsafe Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
      transfer.finish(code)
      remove(transfer)
    }
  }
}

extension EventLoop {
  private func start(_ operation: ConnectionOperation) {
    guard operation.state == .new else { return operation.finish(.cancelled) }
    operation.state = .waiting
    if let outcome = operation.attempt() { return operation.finish(outcome) }
    operations.append(operation)
  }

  private func cancel(_ operation: ConnectionOperation) {
    switch operation.state {
    case .new: operation.state = .cancelledEarly
    case .waiting: finish(operation, .cancelled)
    case .cancelledEarly, .finished: break
    }
  }

  private func finish(_ operation: ConnectionOperation, _ outcome: ConnectionOperation.Outcome) {
    operation.finish(outcome)
    operations.removeAll { $0 === operation }
  }

  private func expireOperations() {
    guard !operations.isEmpty else { return }
    let now = ContinuousClock.now
    for operation in operations where operation.deadline <= now { operation.finish(.timedOut) }
    operations.removeAll { $0.state == .finished }
  }

  /// Sleeps until libcurl, an operation's descriptor or deadline, or a message wants attention.
  private func poll() {
    var timeout: Int32 = 60_000
    guard !operations.isEmpty else {
      _ = unsafe curl_multi_poll(multi.pointer, nil, 0, timeout, nil)
      return
    }
    let now = ContinuousClock.now
    var descriptors: [curl_waitfd] = []
    for operation in operations {
      var descriptor = curl_waitfd()
      descriptor.fd = operation.descriptor
      descriptor.events = Int16(operation.isSending ? CURL_WAIT_POLLOUT : CURL_WAIT_POLLIN)
      descriptors.append(descriptor)
      timeout = min(timeout, (operation.deadline - now).pollTimeout)
    }
    _ = unsafe descriptors.withUnsafeMutableBufferPointer { buffer in
      unsafe curl_multi_poll(multi.pointer, buffer.baseAddress, UInt32(buffer.count), timeout, nil)
    }
    for (operation, descriptor) in zip(operations, descriptors) where descriptor.revents != 0 {
      if let outcome = operation.attempt() { operation.finish(outcome) }
    }
    operations.removeAll { $0.state == .finished }
  }
}

extension Duration {
  /// Whole milliseconds for poll(2), rounded up so that the loop does not wake just before the moment.
  fileprivate var pollTimeout: Int32 {
    let (seconds, attoseconds) = components
    let milliseconds = min(seconds, 3600) * 1000 + attoseconds / 1_000_000_000_000_000 + 1
    return Int32(clamping: max(0, milliseconds))
  }
}
