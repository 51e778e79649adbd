internal import ProbeBase
internal import ProbeSystem

/// A lookup that is queued, or in progress on a thread.
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

  /// Ends it with ``NameError/cancelled``, unless it has ended; a lookup in progress continues on its thread,
  /// and its result is ignored.
  package func cancel() {
    end(.failure(.cancelled))
  }

  fileprivate var isOver: Bool { done.withLock { $0 == nil } }

  fileprivate func end(_ result: Result<[IPAddress], NameError>) {
    done.withLock { $0.take() }?(result)
  }
}

/// Blocking lookups on a limited number of threads.
final class LookupQueue: Sendable {
  typealias Ask = @Sendable (String, IPFamily?) -> Result<[IPAddress], NameError>

  private struct State {
    var threads = 0
    var waiting: [PendingLookup] = []
    /// The number of leading entries that have been started.
    var taken = 0

    /// The next one that has not been cancelled.
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

    /// Removes all lookups, and returns those that have not been started.
    mutating func takeAll() -> [PendingLookup] {
      defer { (waiting, taken) = ([], 0) }
      return Array(waiting.dropFirst(taken))
    }

    /// Adds a lookup; entries that have ended or were started need no space.
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
  ///   - threads: The maximum number of threads; a thread ends when the queue is empty.
  ///   - ask: The blocking call.
  init(threads: Int, _ ask: @escaping Ask) {
    limit = threads
    self.ask = ask
  }

  /// Enqueues the lookup of a name.
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
      // The other threads, if any, process it.
      let stranded = state.withLock { state in
        state.threads -= 1
        return state.threads == 0 ? state.takeAll() : []
      }
      for lookup in stranded { lookup.end(.failure(.noMemory("no memory or thread left"))) }
    }
    return lookup
  }

  /// The body of each thread.
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
