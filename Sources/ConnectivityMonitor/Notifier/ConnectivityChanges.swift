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
