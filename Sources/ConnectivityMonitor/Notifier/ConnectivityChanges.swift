import ProbeLocking
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

/// What a ``Connectivity`` tells, as a sequence; iterating it starts the monitor.
///
/// An iterator keeps the monitor alive; when it goes, the monitor stops unless somebody else has started it.
public struct ConnectivityChanges<Element: Sendable>: AsyncSequence, Sendable {
  private let connectivity: Connectivity
  private let listen: Listening

  /// Begins to listen: what there is to hear at once, and the rest.
  typealias Listening =
    @Sendable (ConnectivityEngine) -> (first: Element?, rest: AsyncStream<Element>)

  init(of connectivity: Connectivity, _ listen: @escaping Listening) {
    self.connectivity = connectivity
    self.listen = listen
  }

  /// Listens from now on.
  public func makeAsyncIterator() -> Iterator {
    let (first, rest) = connectivity.listen(listen)
    return Iterator(connectivity: connectivity, first: first, rest: rest.makeAsyncIterator())
  }

  /// One who listens.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let connectivity: Connectivity
    /// Kept apart, so that nothing newer takes its place.
    fileprivate var first: Element?
    fileprivate var rest: AsyncStream<Element>.Iterator

    /// Waits for the next element; nil when the monitor is stopped, or the task cancelled.
    public mutating func next() async -> Element? {
      await next(isolation: #isolation)
    }

    /// Waits for the next element; nil when the monitor is stopped, or the task cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      if let first = first.take() { return first }
      return await rest.next(isolation: actor)
    }
  }
}

/// Those who listen to something, each at a pace of its own.
///
/// Each listener has room for one element, the newest: a slow one misses those between, and holds up nobody. Nobody may be
/// told under a lock that `left` takes: the runtime locks the task that is woken, and who cancels it calls `left` under
/// that lock. So ``everyone`` says under a lock whom to tell outside of it.
final class Listeners<Element: Sendable>: Sendable {
  private struct State {
    var nextID = 0
    var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
  }

  private let state = Guarded(State())

  /// Nobody yet.
  init() {}

  /// A listener more.
  ///
  /// - Parameter left: Called once when it listens no more, unless ``dismiss()`` came before.
  /// - Returns: What it hears.
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

  /// Those who listen now.
  struct Recipients: Sendable {
    fileprivate let continuations: [AsyncStream<Element>.Continuation]

    /// Tells each of them.
    func tell(_ element: Element) {
      for continuation in continuations { continuation.yield(element) }
    }

    /// Tells each of them that no more comes.
    func finish() {
      for continuation in continuations { continuation.finish() }
    }
  }

  /// Those who listen now.
  var everyone: Recipients {
    Recipients(continuations: state.withLock { Array($0.continuations.values) })
  }

  /// Lets everyone go who listens now; each of them still has to be told.
  func dismiss() -> Recipients {
    let all = state.withLock { state in
      defer { state.continuations = [:] }
      return Array(state.continuations.values)
    }
    return Recipients(continuations: all)
  }
}
