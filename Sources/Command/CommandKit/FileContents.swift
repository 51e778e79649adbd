internal import ProbeSystem
package import ProbeBase

/// Reads files named on the command line.
package enum FileContents {
  /// All bytes of a file, or of a pipe such as a shell's `<(…)`.
  ///
  /// - Throws: ``InvalidInput`` if it cannot be read (with the system's error message), exceeds the limit, or the task is
  ///   cancelled while a pipe has no data.
  package static func read(_ path: String, limit: Int = 1 << 20) throws(InvalidInput) -> [UInt8] {
    do throws(FileError) {
      let bytes = try FileReading.bytes(of: path, limit: limit, .anything)
      if bytes.count <= limit { return bytes }
    } catch {
      throw InvalidInput("cannot be read: \(error)")
    }
    throw InvalidInput("the file has more than \(limit >> 10) KiB", remedy: "check that it is the right file")
  }
}

/// Reads files again while a service runs, which does not wait for them.
///
/// A file may have become a pipe that nobody writes to, or be on a file system that does not respond. Reading has a
/// thread of its own, and a time limit after which a pipe is given up. A thread that the system holds up delays only
/// later readings.
package final class FileRereading: Sendable {
  /// The maximum time of a reading.
  package static let limit = Duration.seconds(10)

  /// The message about a reading whose time is over.
  package static let isLate = "the files cannot be read within 10 s"

  private let loop = EventLoop(named: "probekit-reread")
  private let clock: any Clock<Duration>

  /// Prepares readings; the clock measures their time.
  package init(clock: any Clock<Duration> = ContinuousClock()) {
    self.clock = clock
  }

  /// Reads files; a reading begins when the previous one has ended.
  ///
  /// - Parameter body: Reads the files; runs on another thread.
  /// - Returns: Its result.
  /// - Throws: `InvalidInput` if the time is over, the calling task is cancelled, or no thread or descriptor is left.
  package func read<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async throws(InvalidInput)
    -> Value
  {
    guard loop.start() else {
      throw InvalidInput("the files cannot be read: no thread or descriptor is left")
    }
    let result = Promise<Result<Value, InvalidInput>>()
    let clock = clock
    let reading = Task(executorPreference: loop) {
      if !Task.isCancelled { result.fulfill(.success(body())) }
    }
    let timer = Task {
      guard (try? await clock.sleep(for: Self.limit)) != nil else { return }
      result.fulfill(.failure(InvalidInput(Self.isLate)))
      reading.cancel()
    }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
      await result.value()
    } onCancel: {
      reading.cancel()
      result.fulfill(.failure(InvalidInput("the reading was cancelled")))
    }.get()
  }
}
