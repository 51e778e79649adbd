import Dispatch
import ProbeBase
import ProbeCore
import TestRequirements
import TestSupport
import Testing

@testable import ConnectivityMonitor

@Suite
struct ReachabilityObserverTests {
  private static let address = IPAddress(v4: 0xC000_0209)
  private static let wifi = NetworkInterface(index: 2, name: "wlan0", kind: .wifi)
  private static let up = NetworkPath(interfaces: [wifi])
  private static let down: NetworkPath = {
    var interface = wifi
    interface.isRunning = false
    return NetworkPath(interfaces: [interface])
  }()
  private static let route = Route(to: address, interface: 2, gateway: IPAddress(v4: 0xC000_0201))

  /// A resolver whose answers the test gives.
  private final class Questions: Sendable {
    private let (stream, continuation) = AsyncStream<
      (String, CheckedContinuation<HostResolver.LookupResult, Never>)
    >.makeStream()
    private let count = Guarded(0)

    /// How often a name was looked up.
    var lookups: Int { count.withLock { $0 } }

    var resolver: HostResolver {
      HostResolver { [self] name in
        await withCheckedContinuation { waiter in
          count.withLock { $0 += 1 }
          continuation.yield((name, waiter))
        }
      }
    }

    /// Waits for a query, and resolves it.
    func resolve(to result: HostResolver.LookupResult) async -> String? {
      for await (name, waiter) in stream {
        waiter.resume(returning: result)
        return name
      }
      return nil
    }
  }

  /// Reads until a condition is true.
  private func next(
    _ changes: inout AsyncStream<Reachability>.Iterator, where holds: (Reachability) -> Bool = { _ in true }
  ) async -> Reachability? {
    while let reachability = await changes.next(isolation: #isolation) {
      if holds(reachability) { return reachability }
    }
    return nil
  }

  @Test(.patience(minutes: 1)) func theCurrentStateIsReportedAndThenOnlyChanges() async {
    let paths = RoutedPaths(Self.up, routes: [Self.route])
    let observer = ReachabilityObserver(.address(Self.address), paths: paths)
    #expect(observer.reachability.isReachableViaWiFi)
    #expect(paths.listenerCount == 0)
    var changes = observer.changes().makeAsyncIterator()
    #expect(await changes.next()?.description == "reachable viaWiFi via wlan0 by 192.0.2.1")
    // Another interface changes nothing for the address.
    var more = Self.up
    more.interfaces.append(NetworkInterface(index: 9, name: "eth9", kind: .ethernet))
    paths.change(more, routes: [Self.route])
    paths.change(Self.down, routes: [Self.route])
    #expect(await changes.next()?.description == "unreachable connectionRequired")
    paths.change(Self.up, routes: [Self.route])
    #expect(await changes.next()?.status == .reachableViaWiFi)
    #expect(observer.reachability.isReachable)
  }

  @Test(.patience(minutes: 1))
  func aHostIsUndeterminedUntilItsLookup() async {
    let questions = Questions()
    let paths = RoutedPaths(Self.up, routes: [Self.route])
    let observer = ReachabilityObserver(.host("server.example"), paths: paths, resolver: questions.resolver)
    #expect(observer.reachability == .undetermined)
    var changes = observer.changes().makeAsyncIterator()
    #expect(await changes.next() == .undetermined)
    #expect(await questions.resolve(to: .addresses([Self.address])) == "server.example")
    #expect(await changes.next()?.addresses == [Self.address])
    #expect(observer.reachability.isReachable)
    // With the known addresses, the loss of the path is reported at once.
    paths.change(Self.down)
    #expect(await changes.next()?.isReachable == false)
    #expect(await questions.resolve(to: .failed) == "server.example")
    paths.change(Self.up, routes: [Self.route])
    #expect(await changes.next()?.isReachable == true)
    #expect(await questions.resolve(to: .noSuchHost) == "server.example")
    let gone = await changes.next()
    #expect(gone?.isDetermined == true && gone?.isReachable == false && gone?.addresses == [])
    #expect(questions.lookups == 3)
  }

  @Test(.patience(minutes: 1)) func aFailedLookupIsRetried() async {
    let (questions, clock) = (Questions(), ManualClock())
    let paths = RoutedPaths(Self.up, routes: [Self.route])
    let observer = ReachabilityObserver(
      .host("server.example"), paths: paths, resolver: questions.resolver, clock: clock)
    var changes = observer.changes().makeAsyncIterator()
    _ = await questions.resolve(to: .failed)
    #expect(await next(&changes) { $0.isDetermined }?.isReachable == false)
    await clock.waitForSleeper()
    clock.advance(by: .seconds(1))
    _ = await questions.resolve(to: .addresses([Self.address]))
    #expect(await changes.next()?.isReachable == true)
  }

  @Test(
    .patience(minutes: 1),
    arguments: [
      ReachabilityTarget.host("192.0.2.9"), .address(IPAddress(v4: 0xC000_0209)), .internet, .localWiFi,
    ])
  func addressesNeedNoLookup(_ target: ReachabilityTarget) async {
    let questions = Questions()
    let paths = RoutedPaths(Self.up, routes: [Self.route])
    let observer = ReachabilityObserver(target, paths: paths, resolver: questions.resolver)
    var changes = observer.changes().makeAsyncIterator()
    #expect(await changes.next()?.isDetermined == true)
    #expect(questions.lookups == 0)
  }

  @Test(.patience(minutes: 1)) func theNetworkIsWatchedWhileThereIsAListener() async {
    let paths = RoutedPaths(Self.up, routes: [Self.route])
    let observer = ReachabilityObserver(.address(Self.address), paths: paths)
    do {
      var one = observer.changes().makeAsyncIterator()
      var other = observer.changes().makeAsyncIterator()
      #expect(await one.next()?.isReachable == true)
      #expect(await other.next()?.isReachable == true)
      paths.change(Self.down)
      #expect(await one.next()?.isReachable == false)
      #expect(await other.next()?.isReachable == false)
      // The two share one path source.
      #expect(paths.listenerCount == 1)
    }
    while paths.listenerCount > 0 { await Task.yield() }
    // It starts again.
    paths.change(Self.up, routes: [Self.route])
    var again = observer.changes().makeAsyncIterator()
    #expect(await again.next()?.isReachable == true)
  }

  @Test(.patience(minutes: 1)) func anObserverLivesAsLongAsItHasAReader() async {
    let paths = RoutedPaths(Self.up, routes: [Self.route])
    weak var known: ReachabilityObserver?
    do {
      let changes: AsyncStream<Reachability>
      do {
        let observer = ReachabilityObserver(.address(Self.address), paths: paths)
        known = observer
        changes = observer.changes()
      }
      #expect(known != nil)
      var iterator = changes.makeAsyncIterator()
      _ = await iterator.next()
      paths.change(Self.down)
      #expect(await iterator.next()?.isReachable == false)
    }
    while known != nil || paths.listenerCount > 0 { await Task.yield() }
    do {
      let observer = ReachabilityObserver(.address(Self.address), paths: paths)
      known = observer
      observer.start()
      while paths.listenerCount == 0 { await Task.yield() }
    }
    while known != nil || paths.listenerCount > 0 { await Task.yield() }
  }

  @Test(.patience(minutes: 1))
  func changesAreReportedOnAQueueUntilTheObserverStops() async {
    let paths = RoutedPaths(Self.up, routes: [Self.route])
    let observer = ReachabilityObserver(.address(Self.address), paths: paths)
    let queue = DispatchQueue(label: "reports")
    let (reports, continuation) = AsyncStream<Bool>.makeStream()
    observer.start(queue: queue) { reachability in
      dispatchPrecondition(condition: .onQueue(queue))
      continuation.yield(reachability.isReachable)
    }
    var all = reports.makeAsyncIterator()
    #expect(await all.next() == true)
    paths.change(Self.down)
    #expect(await all.next() == false)
    // The second call replaces the first.
    let (laterReports, continuationAgain) = AsyncStream<Bool>.makeStream()
    observer.start { continuationAgain.yield($0.isReachable) }
    var again = laterReports.makeAsyncIterator()
    #expect(await again.next() == false)
    paths.change(Self.up, routes: [Self.route])
    #expect(await again.next() == true)
    observer.stop()
    while paths.listenerCount > 0 { await Task.yield() }
  }

  @Test(.patience(minutes: 1)) func withoutRoutesTheStateIsUndetermined() async {
    let paths = RoutedPaths(Self.up, routes: [Self.route])
    paths.fail(PathFailure("cannot open a netlink socket", systemCode: 24))
    let observer = ReachabilityObserver(.address(Self.address), paths: paths)
    #expect(observer.reachability == .undetermined)
  }

  @Test(.patience(minutes: 1)) func theSystemResolverIsTheDefault() async {
    guard case .addresses(let addresses) = await HostResolver.system.resolve("localhost") else {
      Issue.record("localhost has no address")
      return
    }
    #expect(!addresses.isEmpty && addresses.allSatisfy(\.isLoopback))
    #expect(Set(addresses).count == addresses.count)
  }

  @Test(.patience(minutes: 1)) func aCancelledLookupEndsAtOnce() async {
    let lookup = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await HostResolver.system.resolve("localhost")
    }
    #expect(await lookup.value == .failed)
  }
}
