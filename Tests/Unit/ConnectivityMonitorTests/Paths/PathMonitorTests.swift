import ProbeBase
import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import ConnectivityMonitor

/// The monitor on the actual network of this machine.
@Suite
struct PathMonitorTests {
  @Test func theLoopbackInterfaceAndItsRouteAreKnown() throws {
    let monitor = try PathMonitor()
    let loopback = try #require(monitor.path.interfaces.first { $0.kind == .loopback })
    #expect(loopback.isMetered == false)
    let own = IPAddress(v4: 0x7F00_0001)
    let route = try #require(try monitor.route(to: own))
    #expect(route.isLocal && route.destination == own && route.interface == loopback.index)
    #expect(!monitor.path.availableInterfaces.contains(loopback))
  }

  @Test(.patience(minutes: 1)) func eachReaderReceivesTheCurrentPathFirst() async throws {
    let monitor = try PathMonitor()
    for _ in 0..<3 {
      for await path in monitor.changes() {
        #expect(path.interfaces.contains { $0.kind == .loopback })
        break
      }
    }
  }

  @Test(.patience(minutes: 1)) func aMonitorLivesAsLongAsItHasAReader() async throws {
    weak var known: PathMonitor?
    do {
      var changes: AsyncStream<NetworkPath>.Iterator
      do {
        let monitor = try PathMonitor()
        known = monitor
        changes = monitor.changes().makeAsyncIterator()
      }
      #expect(await changes.next() != nil)
      #expect(known != nil)
    }
    #expect(known == nil)
  }
}

@Suite
struct ValueBroadcasterTests {
  private final class Source: Sendable {}

  @Test(.patience(minutes: 1)) func eachReaderReceivesEachChangeOnce()
    async
  {
    let newest = ValueBroadcaster(1)
    var one = newest.changes(keeping: Source()).makeAsyncIterator()
    var other = newest.changes(keeping: Source()).makeAsyncIterator()
    #expect(await one.next() == 1)
    newest.publish(1)
    newest.publish(2)
    #expect(await one.next() == 2)
    newest.publish(3)
    // The slow listener has missed two.
    #expect(await other.next() == 3)
    #expect(await one.next() == 3)
    newest.finish()
    #expect(await one.next() == nil)
    #expect(await other.next() == nil)
    var late = newest.changes(keeping: Source()).makeAsyncIterator()
    #expect(await late.next() == 3)
    #expect(await late.next() == nil)
  }

  @Test(.patience(minutes: 1))
  func theSourceIsKeptWhileItHasAReader() async {
    let newest = ValueBroadcaster(1)
    weak var known: Source?
    do {
      let source = Source()
      known = source
      _ = newest.changes(keeping: source)
      #expect(newest.listenerCount == 0)
    }
    #expect(known == nil)
    let stream: AsyncStream<Int>
    do {
      let source = Source()
      known = source
      stream = newest.changes(keeping: source)
    }
    #expect(known != nil && newest.listenerCount == 1)
    let reading = Task { for await _ in stream {} }
    reading.cancel()
    await reading.value
    #expect(known == nil && newest.listenerCount == 0)
  }

  /// Waking a reader and cancelling it both lock its task; neither may wait for the other meanwhile.
  @Test(.patience(minutes: 2))
  func readersCanBeCancelledDuringChanges() async throws {
    let newest = ValueBroadcaster(0)
    let isOver = Guarded(false)
    async let published = onAThread {
      var value = 0
      while !isOver.withLock(\.self) {
        value += 1
        newest.publish(value)
      }
      return value
    }
    // Many at a time, because each round waits for its turn among the tasks of other tests.
    for _ in 0..<100 {
      let readers = (0..<20).map { _ in Task { for await _ in newest.changes(keeping: Source()) {} } }
      // They mostly wait for the next value, so they are cancelled while a value is being delivered.
      await Task.yield()
      for reader in readers { reader.cancel() }
      for reader in readers { await reader.value }
    }
    isOver.withLock { $0 = true }
    #expect(try await published > 0)
    #expect(newest.listenerCount == 0)
  }
}
