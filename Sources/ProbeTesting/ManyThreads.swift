internal import Locking
internal import Threading

/// Runs a body on several threads at once.
enum ManyThreads {
  private static let count = 4

  /// Runs the body on each thread, and waits for all of them.
  ///
  /// - Returns: What each returned, or nil when not even two threads could be started.
  static func collect<Result: Sendable>(_ body: @escaping @Sendable (_ thread: Int) -> Result) -> [Result]? {
    let results = Guarded<[Result]>([])
    let threads = (0..<count).compactMap { number in
      try? WorkerThread(named: "probekit-kit") {
        let result = body(number)
        results.withLock { $0.append(result) }
      }
    }
    for thread in threads { thread.join() }
    return threads.count > 1 ? results.withLock { $0 } : nil
  }
}
