internal import ProbeCore

/// How a probe ended, and how long that took.
struct ProbeEnding: Sendable {
  /// The answer or the error; nil when it had not ended when patience did.
  var result: Result<ProbeResponse, any Error>?
  /// The time that passed.
  var took: Duration

  /// The answer, if it is one.
  var answer: ProbeResponse? { try? result?.get() }

  /// The error, if it is one.
  var error: (any Error)? {
    guard case .failure(let error) = result else { return nil }
    return error
  }

  /// How it ended, in words.
  var inShort: String {
    switch result {
    case .success(let response):
      response.status.map { "an answer with status \($0)" } ?? "an answer of \(response.body.count) bytes"
    case .failure(let failure as ProbeFailure): "\(failure)"
    case .failure(let error): "\(type(of: error)): \(error)"
    case nil: "it did not end within \(took.inSeconds)"
    }
  }
}

/// A probe that has been started and is waited for with patience, but not for ever.
///
/// A task group would wait for its children whatever happens, and a transport that hangs would hang the kit.
struct StartedProbe: Sendable {
  private let task: Task<Result<ProbeResponse, any Error>, Never>
  private let start = ContinuousClock.now

  /// Starts a probe, and cancels it before it begins when it is to be cancelled.
  init(_ request: ProbeRequest, over transport: any ProbeTransport, isCancelled: Bool = false) {
    task = Task {
      // Ends when the task is cancelled, which it is below.
      if isCancelled { try? await Task.sleep(for: .seconds(3600)) }
      do {
        return .success(try await transport.probe(request))
      } catch {
        return .failure(error)
      }
    }
    if isCancelled { task.cancel() }
  }

  /// Cancels it.
  func cancel() {
    task.cancel()
  }

  /// Waits for its end.
  func ending(patience: Duration) async -> ProbeEnding {
    let (endings, continuation) = AsyncStream<Result<ProbeResponse, any Error>?>.makeStream()
    let watcher = Task { [task] in
      continuation.yield(await task.value)
    }
    let alarm = Task {
      try? await Task.sleep(for: patience)
      continuation.yield(nil)
    }
    defer {
      watcher.cancel()
      alarm.cancel()
    }
    for await result in endings {
      if result == nil { task.cancel() }
      return ProbeEnding(result: result, took: start.duration(to: .now))
    }
    return ProbeEnding(result: nil, took: start.duration(to: .now))
  }
}

extension Duration {
  /// The time in words.
  var inSeconds: String {
    let milliseconds = self / .milliseconds(1)
    return "\((milliseconds / 10).rounded() / 100) s"
  }
}
