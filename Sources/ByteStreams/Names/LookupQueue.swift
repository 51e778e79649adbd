internal import ProbeLocking
internal import ProbeCore
internal import ProbeThreading

/// A lookup that waits for its turn, or is under way on a thread.
package final class PendingLookup: Sendable {
  typealias Done = @Sendable (Result<[IPAddress], NameError>) -> Void

  fileprivate let host: String
  fileprivate let family: IPFamily?
  private let done: Guarded<Done?>

  fileprivate init(_ host: String, _ family: IPFamily?, _ done: @escaping Done) {
    self.host = host
    self.family = family
    self.done = Guarded(done)
  }

  /// Ends it with ``NameError/cancelled``, unless it is over; what is under way on its thread goes on there
  /// for nobody.
  package func cancel() {
    end(.failure(.cancelled))
  }

  fileprivate var isOver: Bool { done.withLock { $0 == nil } }

  fileprivate func end(_ result: Result<[IPAddress], NameError>) {
    done.withLock { $0.take() }?(result)
  }
}

/// Lookups that block, on so many threads at most.
final class LookupQueue: Sendable {
  typealias Ask = @Sendable (String, IPFamily?) -> Result<[IPAddress], NameError>

  private struct State {
    var threads = 0
    var waiting: [PendingLookup] = []
    /// How many at the start of those have had their turn.
    var taken = 0

    /// The next one that somebody still waits for.
    mutating func next() -> PendingLookup? {
      while taken < waiting.count {
        let lookup = waiting[taken]
        taken += 1
        guard lookup.isOver else { return lookup }
      }
      waiting.removeAll()
      taken = 0
      return nil
    }

    /// All that have not had their turn.
    mutating func takeAll() -> [PendingLookup] {
      defer { (waiting, taken) = ([], 0) }
      return Array(waiting.dropFirst(taken))
    }

    /// Those that are over, or were taken, need no room.
    mutating func add(_ lookup: PendingLookup) {
      if waiting.count == waiting.capacity {
        waiting.removeFirst(taken)
        taken = 0
        waiting.removeAll(where: \.isOver)
      }
      waiting.append(lookup)
    }
  }

  private let state = Guarded(State())
  private let limit: Int
  private let ask: Ask

  /// A queue.
  ///
  /// - Parameters:
  ///   - threads: How many threads there may be at a time; one ends when nothing waits.
  ///   - ask: What blocks.
  init(threads: Int, _ ask: @escaping Ask) {
    limit = threads
    self.ask = ask
  }

  /// Looks a name up when its turn comes.
  func add(_ host: String, _ family: IPFamily?, _ done: @escaping PendingLookup.Done) -> PendingLookup {
    let lookup = PendingLookup(host, family, done)
    let isStarting = state.withLock { state in
      state.add(lookup)
      guard state.threads < limit else { return false }
      state.threads += 1
      return true
    }
    guard isStarting else { return lookup }
    do {
      try WorkerThread(named: "probekit-lookup") { self.work() }.detach()
    } catch {
      // The other threads go on with it, if there are any.
      let stranded = state.withLock { state in
        state.threads -= 1
        return state.threads == 0 ? state.takeAll() : []
      }
      for lookup in stranded { lookup.end(.failure(.noMemory("no memory or thread left"))) }
    }
    return lookup
  }

  /// What each thread does.
  private func work() {
    while let lookup = next() {
      lookup.end(ask(lookup.host, lookup.family))
    }
  }

  private func next() -> PendingLookup? {
    state.withLock { state in
      let lookup = state.next()
      if lookup == nil { state.threads -= 1 }
      return lookup
    }
  }
}
