internal import Glibc
internal import Locking

/// Runs a body on several threads at once.
enum ManyThreads {
  private static let count = 4

  /// Runs the body on each thread, and waits for all of them.
  ///
  /// - Returns: What each returned, or nil when not even two threads could be started.
  static func collect<Result: Sendable>(_ body: @escaping @Sendable (_ thread: Int) -> Result) -> [Result]? {
    let results = Guarded<[Result]>([])
    let threads = (0..<count).compactMap { number in
      start {
        let result = body(number)
        results.withLock { $0.append(result) }
      }
    }
    for thread in threads { pthread_join(thread, nil) }
    return threads.count > 1 ? results.withLock { $0 } : nil
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  private static func start(_ run: @escaping @Sendable () -> Void) -> pthread_t? {
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
      return nil
    }
    return thread
  }
}
