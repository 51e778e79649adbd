internal import CProbeCurl
import ProbeBase
package import ProbeSystem

/// HTTP exchanges by libcurl, each on its own connection, on the threads of event loops.
package final class CurlClient: Sendable {
  /// The version of libcurl that is running.
  package static var libraryVersion: String {
    unsafe String(cString: curl_version_info(CURLVERSION_FIRST).pointee.version)
  }

  package let loops: EventLoops
  let handles = EasyHandlePool()

  package init(loops: EventLoops = EventLoops()) {
    self.loops = loops
  }

  /// Performs an HTTP exchange: one request and one response on its own connection, without following
  /// redirects.
  ///
  /// Cancelling the task ends it at once, with ``CurlCode/cancelled``.
  ///
  /// - Parameter options: Returns the options; a closure, so that a waiting task needs no space for them.
  /// - Returns: The outcome, with all available facts.
  /// - Throws: The error of `options`; then nothing was started.
  package func perform<Failure>(
    _ options: () throws(Failure) -> (TransferOptions, TransferOptions.HTTP)
  ) async throws(Failure) -> TransferResult {
    let loop = loops.forThisTask()
    guard let transfer = try transfer(options, on: loop) else { return .cannotStart }
    return await run(transfer, on: loop)
  }

  private func transfer<Failure>(
    _ options: () throws(Failure) -> (TransferOptions, TransferOptions.HTTP), on loop: EventLoop
  ) throws(Failure) -> Transfer? {
    let (options, http) = try options()
    guard let easy = handles.take(), loop.start() else { return nil }
    return Transfer(easy: easy, from: handles, options: options, http: http)
  }

  func run(_ transfer: Transfer, on loop: EventLoop) async -> TransferResult {
    loop.addLoad(1)
    defer { loop.addLoad(-1) }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.setWaiter(continuation)
        loop.start(transfer)
      }
    } onCancel: {
      loop.cancel(transfer)
    }
    transfer.takeOver()
    return result
  }
}

/// Easy handles for reuse; creating one costs more than resetting it.
final class EasyHandlePool: Sendable {
  private static let capacity = 1024
  private let free = Guarded<[Idle]>([])

  /// An unused handle.
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
    guard handle.canBeUsedAgain else { return }
    let idle = Idle(handle: handle)
    free.withLock { free in
      if free.count < Self.capacity { free.append(idle) }
    }
  }
}
