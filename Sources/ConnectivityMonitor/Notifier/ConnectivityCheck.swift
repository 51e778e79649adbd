public import ProbePipeline

/// A check that has finished, whether it changed anything or not.
public struct ConnectivityCheck: Sendable {
  /// What came of it, with the outcome of every URL.
  public var result: RunResult
  /// What is known after it.
  public var state: ConnectivityState
  /// The time until the next one unless something happens before; nil when nothing is planned.
  public var nextCheck: Duration?

  /// A check.
  public init(result: RunResult, state: ConnectivityState, nextCheck: Duration? = nil) {
    self.result = result
    self.state = state
    self.nextCheck = nextCheck
  }
}
