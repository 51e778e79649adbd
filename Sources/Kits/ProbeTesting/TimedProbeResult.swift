internal import ProbeCore

/// The result of a probe, and its duration.
struct TimedProbeResult: Sendable {
  /// The response or the error; nil if the probe had not ended when waiting was given up.
  var result: Result<ProbeResponse, any Error>?
  /// The time until the result, or until waiting was given up.
  var took: Duration

  /// The response, if there is one.
  var response: ProbeResponse? { try? result?.get() }

  /// The error, if there is one.
  var error: (any Error)? {
    guard case .failure(let error) = result else { return nil }
    return error
  }

  /// A short description of the result.
  var inShort: String {
    switch result {
    case .success(let response):
      response.status.map { "an answer with status \($0)" } ?? "an answer of \(response.body.count) bytes"
    case .failure(let failure as ProbeFailure): "\(failure)"
    case .failure(let error): "\(type(of: error)): \(error)"
    case nil: "it did not end within \(took.secondsDescription)"
    }
  }
}

/// A running probe that is awaited for a limited time.
///
/// A task group would wait for its children in any case, so a transport that hangs would block the kit.
struct StartedProbe: Sendable {
  private let task: Task<Result<ProbeResponse, any Error>, Never>
  private let start = ContinuousClock.now

  /// Starts a probe, or one that is already cancelled when it starts.
  init(_ request: ProbeRequest, over transport: any ProbeTransport, isCancelled: Bool = false) {
    task = Task {
      // The sleep ends when the task is cancelled below.
      if isCancelled { try? await Task.sleep(for: .seconds(3600)) }
      do {
        return .success(try await transport.probe(request))
      } catch {
        return .failure(error)
      }
    }
    if isCancelled { task.cancel() }
  }

  func cancel() {
    task.cancel()
  }

  /// Waits for the probe to end, at most for a given time.
  func timedResult(patience: Duration) async -> TimedProbeResult {
    let (endings, continuation) = AsyncStream<Result<ProbeResponse, any Error>?>.makeStream()
    let watcher = Task { [task] in
      continuation.yield(await task.value)
    }
    let timer = Task {
      await SteppedDelay(patience).wait()
      continuation.yield(nil)
    }
    defer {
      watcher.cancel()
      timer.cancel()
    }
    for await result in endings {
      if result == nil { task.cancel() }
      return TimedProbeResult(result: result, took: start.duration(to: .now))
    }
    return TimedProbeResult(result: nil, took: start.duration(to: .now))
  }
}

extension Duration {
  /// The duration in seconds, rounded to hundredths, such as `1.25 s`.
  var secondsDescription: String {
    let milliseconds = self / .milliseconds(1)
    return "\((milliseconds / 10).rounded() / 100) s"
  }
}

/// How long a check waits for something that may never happen.
///
/// The time passes in many steps, each of which has to be scheduled like everything else in the process. On a
/// busy machine, where a correct transport has to wait for the processor, the steps have to wait as well: what
/// needs few turns ends before a time that needs a hundred, however long a turn takes.
struct SteppedDelay: Sendable {
  private static let steps = 100

  /// The time that passes if nothing delays the process.
  let duration: Duration

  init(_ duration: Duration) {
    self.duration = duration
  }

  /// Waits for all of it, or until a condition is true, or the task is cancelled.
  func wait(until isOver: () -> Bool = { false }) async {
    for _ in 0..<Self.steps where !isOver() && !Task.isCancelled {
      try? await Task.sleep(for: duration / Self.steps)
    }
  }
}
