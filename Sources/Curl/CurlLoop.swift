internal import CCurl
import Locking
internal import Synchronization

/// All transfers of a program on one libcurl multi handle, driven by one thread of its own.
///
/// The thread starts with the first transfer and ends with the last reference to the loop.
public final class CurlLoop: Sendable {
  private let mailbox = LoopMailbox()
  let handles = EasyHandlePool()
  private let underway = Atomic(0)

  /// A loop; its thread starts when it is first used.
  public init() {}

  deinit {
    mailbox.send(.stop)
  }

  /// Performs an HTTP exchange: one request, one answer, no redirects followed, on a connection of its own.
  ///
  /// Cancelling the task ends it at once, with ``CurlCode/cancelled``.
  ///
  /// - Parameter options: What to do; asked for here so that a task which waits keeps no room for it.
  /// - Returns: How it ended, and all that was learnt.
  /// - Throws: What `options` throws; then nothing was started.
  public func perform<Failure>(
    _ options: () throws(Failure) -> (TransferOptions, TransferOptions.HTTP)
  ) async throws(Failure) -> TransferResult {
    guard let transfer = try transfer(options) else { return .cannotStart }
    return await run(transfer)
  }

  private func transfer<Failure>(
    _ options: () throws(Failure) -> (TransferOptions, TransferOptions.HTTP)
  ) throws(Failure) -> Transfer? {
    let (options, http) = try options()
    guard let easy = handles.take(), start() else { return nil }
    return Transfer(easy: easy, options: options, http: http)
  }

  /// Connects to the URL's host and port, and keeps the connection for reading and writing.
  ///
  /// - Parameter options: Where to; asked for here so that a task which waits keeps no room for it.
  /// - Returns: The result of connecting and, when it stood, the connection.
  public func connect(_ options: () -> TransferOptions) async -> (
    result: TransferResult, connection: CurlConnection?
  ) {
    guard let transfer = connecting(options) else { return (.cannotStart, nil) }
    let result = await run(transfer)
    return (result, result.socket.map { CurlConnection($0, loop: self) })
  }

  // Not a part of its caller, which waits.
  @inline(never)
  private func connecting(_ options: () -> TransferOptions) -> Transfer? {
    guard let easy = handles.take(), start() else { return nil }
    return Transfer(connecting: options(), easy: easy)
  }

  /// How many transfers are under way.
  var load: Int { underway.load(ordering: .relaxed) }

  /// Starts the thread unless it runs.
  ///
  /// - Returns: false when the machine has no memory, descriptor or thread left for it.
  func start() -> Bool { mailbox.startLoop(handles: handles) }

  func run(_ transfer: Transfer) async -> TransferResult {
    underway.add(1, ordering: .relaxed)
    defer { underway.subtract(1, ordering: .relaxed) }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.setWaiter(continuation)
        mailbox.send(.start(transfer))
      }
    } onCancel: {
      mailbox.send(.cancel(transfer))
    }
    transfer.takeOver()
    return result
  }

  func send(_ message: LoopMessage) {
    mailbox.send(message)
  }
}

/// Tasks that prefer the loop run on its thread, between the transfers: no thread has to be woken when one of them
/// starts a transfer, nor when the transfer ends.
extension CurlLoop: TaskExecutor {
  /// Runs a piece of a task on the loop's thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if start() {
      mailbox.send(.run(job, on: self))
    } else {
      // Without a thread of its own the loop starts no transfer either; the task has to go on to say so.
      globalConcurrentExecutor.enqueue(job)
    }
  }
}

/// Easy handles that wait to be used again; making one anew costs more than resetting it.
final class EasyHandlePool: Sendable {
  private static let capacity = 1024
  private let free = Guarded<[Idle]>([])

  /// A handle nobody uses.
  private struct Idle: @unchecked Sendable {
    // Safe because the pool holds the only reference.
    let handle: EasyHandle
  }

  func take() -> EasyHandle? {
    while let idle = free.withLock({ $0.popLast() }) {
      if idle.handle.renew() { return idle.handle }
    }
    return EasyHandle()
  }

  func give(_ handle: EasyHandle) {
    handle.closeGivenSocket()
    guard handle.canBeUsedAgain else { return }
    let idle = Idle(handle: handle)
    free.withLock { free in
      if free.count < Self.capacity { free.append(idle) }
    }
  }
}
