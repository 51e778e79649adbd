package import Glibc
import ProbeBase
import Synchronization

/// Turns SIGINT, SIGTERM and SIGHUP into the cancellation of a task, so that a command ends cleanly.
///
/// It uses a handler and a pipe rather than blocked signals and a waiting thread, because the main thread of
/// a program with an asynchronous entry point sleeps in sigsuspend(2) with no signal blocked.
package enum Interruption {
  /// Runs the body; the first signal cancels it, a second one ends the process at once.
  ///
  /// A signal that is already ignored, as under nohup(1) or in a background job of a script, stays ignored.
  ///
  /// - Returns: The result of the body, and the signal that cancelled it, or nil if there was none.
  package static func watch<Result: Sendable>(
    _ body: @escaping @Sendable () async -> Result
  ) async -> (result: Result, signal: Int32?) {
    guard let signals = openPipe() else { return (await body(), nil) }
    // The handler must exist before a signal can arrive with the first request.
    let (handled, gate) = AsyncStream.makeStream(of: Void.self)
    let task = Task.detached {
      for await _ in handled {}
      return await body()
    }
    let first = FirstSignal()
    // A thread rather than a queue, one of whose workers would be blocked forever.
    let reader = try? WorkerThread(named: "probekit-signals") {
      while let number = nextSignal(from: signals) {
        if let listener = listeners.withLock({ $0[number] }) {
          listener.yield()
        } else if first.number.load(ordering: .relaxed) == 0 {
          first.number.store(number, ordering: .relaxed)
          hasBegun.store(true, ordering: .relaxed)
          task.cancel()
        } else if first.number.load(ordering: .relaxed) == SIGPIPE {
          // The SIGPIPE is synthetic; this signal is the first real one.
          first.number.store(number, ordering: .relaxed)
        } else if number != SIGPIPE {
          end(by: number)
        }
      }
    }
    // Without a reader, signals keep their default action.
    guard let reader else {
      gate.finish()
      return (await task.value, nil)
    }
    reader.detach()
    for number in [SIGINT, SIGTERM, SIGHUP] { handle(number) }
    gate.finish()
    let result = await task.value
    let number = first.number.load(ordering: .relaxed)
    return (result, number == 0 ? nil : number)
  }

  /// A signal, each time it arrives, instead of its default action.
  ///
  /// Arrivals that are not handled yet count as one, as in the kernel; many of one signal never displace another.
  /// A signal that is ignored stays ignored. The stream is empty while ``watch(_:)`` is not running, as in tests.
  package static func arrivals(of number: Int32) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    guard signalPipe.load(ordering: .acquiring) != -1 else { return stream }
    listeners.withLock { $0[number] = continuation }
    handle(number)
    return stream
  }

  /// Whether a signal has cancelled the command.
  static var isUnderWay: Bool { hasBegun.load(ordering: .relaxed) }

  /// Cancels the command as if this signal had arrived; has no effect while ``watch(_:)`` is not running.
  package static func cancel(by number: Int32) {
    let descriptor = signalPipe.load(ordering: .acquiring)
    guard descriptor != -1 else { return }
    unsafe withUnsafePointer(to: UInt8(truncatingIfNeeded: number)) { _ = unsafe write(descriptor, $0, 1) }
  }

  /// Whether the action for a signal is to ignore it.
  package static func isIgnored(_ handler: __sighandler_t?) -> Bool {
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Ends the process by the signal, as a shell expects of an interrupted command.
  package static func end(by number: Int32) {
    signal(number, SIG_DFL)
    // The threads of the runtime block every signal.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
  }
}

extension Interruption {
  private static func openPipe() -> Int32? {
    guard let pipe = SystemPipe() else { return nil }
    signalPipe.store(pipe.writing, ordering: .releasing)
    return pipe.reading
  }

  private static func handle(_ number: Int32) {
    let previous = signal(number) { number in
      // Only functions that signal-safety(7) lists may be called here.
      let (before, byte) = (errno, UInt8(truncatingIfNeeded: number))
      unsafe withUnsafePointer(to: byte) { _ = unsafe write(signalPipe.load(ordering: .acquiring), $0, 1) }
      errno = before
    }
    if isIgnored(previous) { signal(number, SIG_IGN) }
  }

  private static func nextSignal(from descriptor: Int32) -> Int32? {
    var byte: UInt8 = 0
    while true {
      let count = unsafe read(descriptor, &byte, 1)
      if count == 1 { return Int32(truncatingIfNeeded: byte) }
      guard count < 0, errno == EINTR else { return nil }
    }
  }
}

/// The pipe that the handler writes a signal to; global, because a handler has no context.
private let signalPipe = Atomic<Int32>(-1)

/// Whether a signal has cancelled the command, for code outside its task.
private let hasBegun = Atomic(false)

/// The receivers of signals that do not end the command.
private let listeners = Guarded<[Int32: AsyncStream<Void>.Continuation]>([:])

/// The first signal that arrived, or 0.
private final class FirstSignal: Sendable {
  let number = Atomic<Int32>(0)
}
