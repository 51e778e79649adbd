import Dispatch
import ProbeBase
import ProbeCore
import TestSupport
import Testing

@testable import ProbeStreams

@Suite struct SystemLookupTests {
  private func lookUp(_ host: String, _ family: IPFamily? = nil) async -> Result<[IPAddress], NameError> {
    await withCheckedContinuation { continuation in
      SystemLookup.addresses(of: host, family: family) { continuation.resume(returning: $0) }
    }
  }

  @Test func localhostResolvesToLoopback() async throws {
    let addresses = try await lookUp("localhost", .v4).get()
    #expect(addresses == [IPAddress(v4: 0x7F00_0001)])
    for address in try await lookUp("localhost").get() { #expect(address.isLoopback) }
    // Not a valid name, so that no server is queried.
    #expect(await lookUp(String(repeating: "a", count: 300)) == .failure(.noSuchHost))
  }

  @Test func manyConcurrentLookupsSucceed() async {
    let all = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 { group.addTask { (try? await lookUp("localhost", .v4).get().count) == 1 } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(all == [Bool](repeating: true, count: 100))
  }

  /// Blocks until it is released, and counts the concurrent calls.
  private final class Gate: Sendable {
    struct State {
      var inside = 0
      var most = 0
      var hosts: Set<String> = []
    }
    let state = Guarded(State())
    private let semaphore = DispatchSemaphore(value: 0)

    func open() {
      for _ in 0..<100 { semaphore.signal() }
    }

    func pass(_ host: String) -> Result<[IPAddress], NameError> {
      state.withLock { state in
        state.inside += 1
        state.most = max(state.most, state.inside)
        state.hosts.insert(host)
      }
      semaphore.wait()
      state.withLock { $0.inside -= 1 }
      return .success([])
    }
  }

  private func eventually(_ condition: () -> Bool) async {
    while !condition() { try? await Task.sleep(for: .milliseconds(1)) }
  }

  @Test func threadsAreBounded() async {
    let gate = Gate()
    let queue = LookupQueue(threads: 4) { host, _ in gate.pass(host) }
    let ended = Guarded(0)
    for number in 0..<100 {
      _ = queue.add("\(number)", nil) { _ in ended.withLock { $0 += 1 } }
    }
    await eventually { gate.state.withLock { $0.inside == 4 } }
    gate.open()
    await eventually { ended.withLock { $0 == 100 } }
    #expect(gate.state.withLock(\.most) == 4)
    #expect(gate.state.withLock(\.hosts.count) == 100)
  }

  @Test func aCancelledLookupLeavesTheQueue() async {
    let gate = Gate()
    let queue = LookupQueue(threads: 1) { host, _ in gate.pass(host) }
    let ended = Guarded<[String: [Result<[IPAddress], NameError>]]>([:])
    func add(_ host: String) -> PendingLookup {
      queue.add(host, nil) { result in ended.withLock { $0[host, default: []].append(result) } }
    }
    let first = add("first")
    await eventually { gate.state.withLock { $0.inside == 1 } }
    let (second, _) = (add("second"), add("third"))
    second.cancel()
    second.cancel()
    first.cancel()
    #expect(ended.withLock { $0 } == ["first": [.failure(.cancelled)], "second": [.failure(.cancelled)]])
    gate.open()
    await eventually { ended.withLock { $0["third"] != nil } }
    #expect(ended.withLock { $0["third"] } == [.success([])])
    #expect(ended.withLock { $0["first"]?.count } == 1)
    #expect(gate.state.withLock(\.hosts) == ["first", "third"])
  }
}
