private import Glibc

/// A thread that must be joined.
struct WorkerThread: Sendable {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  private let thread: pthread_t

  /// Starts a thread.
  init(_ run: @escaping @Sendable () -> Void) throws {
    let body = unsafe Unmanaged.passRetained(Body(run))
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, nil,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      }, body.toOpaque())
    guard result == 0 else {
      unsafe body.release()
      throw LoopbackError.system("cannot start a thread", result)
    }
    self.thread = thread
  }

  /// Waits for the thread's end; to be called once, from another thread.
  func join() {
    pthread_join(thread, nil)
  }
}
