import Dispatch
import Glibc
import Synchronization

/// Turns SIGINT and SIGTERM into the cancellation of a task, so that a command ends cleanly.
enum Interruption {
  /// Runs the body; the first signal cancels it, a second one ends the process at once.
  ///
  /// Called before the process has other threads, so that the signals are blocked in all of them.
  ///
  /// - Returns: What the body returned, and the signal that cancelled it, or nil when none came.
  static func watch(_ body: @escaping @Sendable () async -> ExitCode) async -> (
    code: ExitCode, signal: Int32?
  ) {
    block()
    let task = Task.detached { await body() }
    let caught = Caught()
    DispatchQueue(label: "probekit-signals").async {
      caught.wait()
      task.cancel()
      caught.wait()
    }
    return (await task.value, caught.first)
  }

  /// Ends the process by the signal, as a shell expects of a command that was interrupted.
  static func end(by number: Int32) {
    signal(number, SIG_DFL)
    var signals = signalsWaitedFor()
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(number)
  }

  private static func block() {
    var signals = signalsWaitedFor()
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  fileprivate static func signalsWaitedFor() -> sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe sigaddset(&signals, SIGTERM)
    return signals
  }
}

/// The signals that came.
private final class Caught: Sendable {
  private let number = Atomic<Int32>(0)

  /// The first signal, or nil while none has come.
  var first: Int32? {
    let number = number.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Waits for a signal; a second one ends the process.
  func wait() {
    var signals = Interruption.signalsWaitedFor()
    var received: Int32 = 0
    guard unsafe sigwait(&signals, &received) == 0 else { return }
    if number.exchange(received, ordering: .relaxed) != 0 { Interruption.end(by: received) }
  }
}
