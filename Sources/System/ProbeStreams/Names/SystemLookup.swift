internal import CProbeSystem
internal import Glibc
internal import ProbeSystem
package import ProbeBase

/// Lookups by the C library, getaddrinfo(3), for the services in nsswitch.conf(5) other than the hosts file
/// and DNS.
///
/// A lookup blocks until the system's timeouts expire, so each one has a thread; at most 32 run at a time in
/// the process. Others are queued.
package enum SystemLookup {
  private static let queue = LookupQueue(threads: 32) { host, family in lookUp(host, family) }

  /// Resolves a name.
  ///
  /// - Parameters:
  ///   - host: The name.
  ///   - family: The address family; nil for both.
  ///   - done: Called once, on another thread or within ``PendingLookup/cancel()``. It receives the addresses
  ///     in the order in which to try them (RFC 6724 §6), without their zones; at least one.
  /// - Returns: The lookup, to cancel it.
  @discardableResult
  package static func addresses(
    of host: String, family: IPFamily?, _ done: @escaping @Sendable (Result<[IPAddress], NameError>) -> Void
  ) -> PendingLookup {
    queue.add(host, family, done)
  }

  /// Resolves a name and waits for the result.
  ///
  /// - Parameters:
  ///   - host: The name.
  ///   - family: The address family; nil for both.
  ///   - time: The timeout; nil for none.
  /// - Returns: The addresses, or the reason why there are none, `cancelled` if the task is cancelled; nil
  ///   after the timeout.
  package static func addresses(
    of host: String, family: IPFamily?, within time: Duration?
  ) async -> Result<[IPAddress], NameError>? {
    if Task.isCancelled { return .failure(.cancelled) }
    let promise = Promise<Result<[IPAddress], NameError>?>()
    let lookup = addresses(of: host, family: family) { promise.fulfill($0) }
    let timer = time.map { time in
      Task {
        if (try? await Task.sleep(for: time)) != nil { promise.fulfill(nil) }
      }
    }
    defer {
      timer?.cancel()
      lookup.cancel()
    }
    return await withTaskCancellationHandler {
      await promise.value()
    } onCancel: {
      lookup.cancel()
    }
  }

  private static func lookUp(_ host: String, _ family: IPFamily?) -> Result<[IPAddress], NameError> {
    var hints = unsafe addrinfo()
    // Each address once, not once for each type of socket.
    unsafe hints.ai_socktype = probe_stream
    unsafe hints.ai_family =
      switch family {
      case .v4: AF_INET
      case .v6: AF_INET6
      case nil: AF_UNSPEC
      }
    var list: UnsafeMutablePointer<addrinfo>?
    errno = 0
    let result = unsafe getaddrinfo(host, nil, &hints, &list)
    guard result == 0 else { return .failure(NameError(resolver: result, systemCode: errno)) }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [IPAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let address = unsafe IPAddress(socketAddress: entry.pointee.ai_addr), !addresses.contains(address) {
        addresses.append(address)
      }
      unsafe next = entry.pointee.ai_next
    }
    return addresses.isEmpty ? .failure(.noSuchHost) : .success(addresses)
  }
}

extension NameError {
  /// An error of getaddrinfo(3).
  ///
  /// - Parameters:
  ///   - code: Its return value.
  ///   - systemCode: The value of errno(3) after the call.
  init(resolver code: Int32, systemCode: Int32) {
    // It reports a lack of descriptors as if there were no DNS servers.
    let shortage = code == EAI_SYSTEM ? systemCode : descriptorShortage()
    switch shortage {
    case EMFILE, ENFILE: self = .noDescriptors(Self.words(shortage))
    case ENOMEM, ENOBUFS: self = .noMemory(Self.words(shortage))
    default:
      switch code {
      case EAI_NONAME, probe_no_address_of_family(): self = .noSuchHost
      case EAI_MEMORY: self = .noMemory(Self.words(ENOMEM))
      case EAI_SYSTEM: self = .failed(Self.words(systemCode))
      default:
        self = .failed(
          unsafe gai_strerror(code).map { unsafe String(cString: $0).lowercased() } ?? "error \(code)")
      }
    }
  }

  private static func words(_ systemCode: Int32) -> String {
    unsafe strerror(systemCode).map { unsafe String(cString: $0).lowercased() } ?? "error \(systemCode)"
  }
}

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
  typealias BlockingLookup = @Sendable (String, IPFamily?) -> Result<[IPAddress], NameError>

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
  private let lookUp: BlockingLookup

  /// A queue.
  ///
  /// - Parameters:
  ///   - threads: The maximum number of threads; a thread ends when the queue is empty.
  ///   - lookUp: The blocking call.
  init(threads: Int, _ lookUp: @escaping BlockingLookup) {
    limit = threads
    self.lookUp = lookUp
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
      lookup.end(lookUp(lookup.host, lookup.family))
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
