import ProbeLocking
import ProbeThreading

/// Reads files again beside a running service, which does not wait for them.
///
/// A file may have become a pipe that nobody writes to, or be on a file system that does not respond. Reading has a
/// thread of its own, and a time limit after which a pipe is given up. A thread that the system holds up delays only
/// later readings.
final class FileRereading: Sendable {
  /// The maximum time of a reading.
  static let limit = Duration.seconds(10)

  /// The message about a reading whose time is over.
  static let noResponse = "a file does not respond within 10 s"

  private let loop = EventLoop(named: "probekit-reread")
  private let clock: any Clock<Duration>

  /// Prepares readings; the clock measures their time.
  init(clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
  }

  /// Reads files; a reading begins when the previous one has ended.
  ///
  /// - Parameter body: Reads the files; runs on another thread.
  /// - Returns: Its result, or nil if the time is over or the calling task is cancelled.
  func read<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
    guard loop.start() else { return nil }
    let result = Promise<Value?>()
    let clock = clock
    let reading = Task(executorPreference: loop) {
      if !Task.isCancelled { result.fulfill(body()) }
    }
    let timer = Task {
      guard (try? await clock.sleep(for: Self.limit)) != nil else { return }
      result.fulfill(nil)
      reading.cancel()
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await result.value()
    } onCancel: {
      reading.cancel()
      result.fulfill(nil)
    }
  }
}
