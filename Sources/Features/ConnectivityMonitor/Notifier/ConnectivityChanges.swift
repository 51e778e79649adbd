import ProbeBase
public import ProbePipeline

/// A check that has finished, even if it changed nothing.
public struct ConnectivityCheck: Sendable {
  /// The result of the run, with the outcome of every URL.
  public var result: RunResult
  /// The state after the check.
  public var state: ConnectivityState
  /// The time until the next check unless an event causes an earlier one; nil if none is scheduled.
  public var nextCheck: Duration?

  /// A check.
  public init(result: RunResult, state: ConnectivityState, nextCheck: Duration? = nil) {
    self.result = result
    self.state = state
    self.nextCheck = nextCheck
  }
}

/// The events of a ``Connectivity`` as a sequence; iterating it starts the monitor.
///
/// An iterator keeps the monitor alive; releasing it stops the monitor, unless another caller has started it.
public struct ConnectivityChanges<Element: Sendable>: AsyncSequence, Sendable {
  private let connectivity: Connectivity
  private let listen: Listening

  /// Subscribes: returns the element that is available immediately, and a stream of the rest.
  typealias Listening =
    @Sendable (ConnectivityEngine) -> (first: Element?, rest: AsyncStream<Element>)

  init(of connectivity: Connectivity, _ listen: @escaping Listening) {
    self.connectivity = connectivity
    self.listen = listen
  }

  /// Subscribes to the events.
  public func makeAsyncIterator() -> Iterator {
    let (first, rest) = connectivity.listen(listen)
    return Iterator(connectivity: connectivity, first: first, rest: rest.makeAsyncIterator())
  }

  /// An iterator over the events.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let connectivity: Connectivity
    /// Stored separately, so that no newer element replaces it.
    fileprivate var first: Element?
    fileprivate var rest: AsyncStream<Element>.Iterator

    /// Waits for the next element; nil if the monitor is stopped or the task is cancelled.
    public mutating func next() async -> Element? {
      await next(isolation: #isolation)
    }

    /// Waits for the next element; nil if the monitor is stopped or the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      if let first = first.take() { return first }
      return await rest.next(isolation: actor)
    }
  }
}

/// The listeners to a sequence of elements, each at its own pace.
///
/// Each listener buffers one element, the newest: a slow one misses those in between, and does not delay the
/// others. Never yield to a listener under a lock that `left` acquires: the runtime locks the task that it
/// wakes, and cancelling that task calls `left` under the same lock. Therefore ``everyone`` returns, under a
/// lock, the recipients to notify outside it.
final class Listeners<Element: Sendable>: Sendable {
  private struct State {
    var nextID = 0
    var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
  }

  private let state = Guarded(State())

  /// No listeners yet.
  init() {}

  /// Adds a listener.
  ///
  /// - Parameter left: Called once when it stops listening, unless ``dismiss()`` was called first.
  /// - Returns: The stream of its elements.
  func add(left: @escaping @Sendable () -> Void) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.nextID += 1
      state.continuations[state.nextID] = continuation
      return state.nextID
    }
    continuation.onTermination = { [self] _ in
      if state.withLock({ $0.continuations.removeValue(forKey: id) }) != nil { left() }
    }
    return stream
  }

  /// The current listeners.
  struct Recipients: Sendable {
    fileprivate let continuations: [AsyncStream<Element>.Continuation]

    func send(_ element: Element) {
      for continuation in continuations { continuation.yield(element) }
    }

    /// Ends the stream of each of them.
    func finish() {
      for continuation in continuations { continuation.finish() }
    }
  }

  /// The current listeners.
  var everyone: Recipients {
    Recipients(continuations: state.withLock { Array($0.continuations.values) })
  }

  /// Removes all current listeners; the caller still has to notify them.
  func dismiss() -> Recipients {
    let all = state.withLock { state in
      defer { state.continuations = [:] }
      return Array(state.continuations.values)
    }
    return Recipients(continuations: all)
  }
}
