import Dispatch
import ProbeCore
import TestRequirements
import Testing

@testable import ConnectivityMonitor

/// The table of docs/migration.md for Reachability.swift (ashleymills), line by line.
@Suite
struct ReachabilitySwiftTests {
  private static func path(_ kind: InterfaceKind?) -> NetworkPath {
    guard let kind else { return NetworkPath() }
    var path = NetworkPath(interfaces: [NetworkInterface(index: 2, name: "if0", kind: kind)])
    path.internet[.v4] = Route(
      to: IPAddress(v4: 0xC629_0004), interface: 2, gateway: IPAddress(v4: 0xC000_0201))
    return path
  }

  @Test(
    arguments: [
      (InterfaceKind.wifi, ReachabilityStatus.reachableViaWiFi), (.cellular, .reachableViaCellular),
      (.ethernet, .reachable), (nil, .notReachable),
    ] as [(InterfaceKind?, ReachabilityStatus)])
  func theConnectionIsTheStatus(_ kind: InterfaceKind?, _ status: ReachabilityStatus) {
    let reachability = ReachabilityObserver(.internet, paths: RoutedPaths(Self.path(kind))).reachability
    #expect(reachability.status == status)
    #expect(reachability.isDetermined)
    #expect(reachability.isReachable == (kind != nil))
    #expect(reachability.isReachableViaWiFi == (kind == .wifi))
    #expect(reachability.isReachableViaCellular == (kind == .cellular))
    #expect(reachability.flags.contains(.reachable) == (kind != nil))
    #expect(!reachability.description.isEmpty)
  }

  /// whenReachable, whenUnreachable, startNotifier, stopNotifier and the queue of the notifications.
  @Test(.patience(minutes: 1)) func closuresReceiveEachChangeUntilTheObserverStops() async {
    let paths = RoutedPaths(Self.path(.wifi))
    let observer = ReachabilityObserver(.internet, paths: paths)
    let queue = DispatchQueue(label: "notifications")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let (calls, call) = AsyncStream.makeStream(of: String.self)
    observer.start(queue: queue) { reachability in
      let isOnQueue = DispatchQueue.getSpecific(key: key) == true
      if reachability.isReachable {
        call.yield("reachable \(isOnQueue)")
      } else if reachability.isDetermined {
        call.yield("unreachable \(isOnQueue)")
      }
    }
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == "reachable true")
    paths.change(Self.path(nil))
    #expect(await iterator.next() == "unreachable true")
    paths.change(Self.path(.cellular))
    #expect(await iterator.next() == "reachable true")
    observer.stop()
    // Stopping twice does no harm, so notifierRunning is not needed.
    observer.stop()
    while paths.listenerCount > 0 { await Task.yield() }
    paths.change(Self.path(nil))
    queue.sync {}
    call.finish()
    #expect(await iterator.next() == nil)
  }

  /// reachabilityChanged.
  @Test(.patience(minutes: 1)) func changesAreASequence() async {
    let paths = RoutedPaths(Self.path(nil))
    let observer = ReachabilityObserver(.internet, paths: paths)
    var changes = observer.changes().makeAsyncIterator()
    #expect(await changes.next()?.status == .notReachable)
    paths.change(Self.path(.wifi))
    #expect(await changes.next()?.status == .reachableViaWiFi)
  }

  /// Reachability(hostname:).
  @Test(.patience(minutes: 1)) func aHostIsResolved() async throws {
    let address = IPAddress(v4: 0xC000_0209)
    let paths = RoutedPaths(
      Self.path(.wifi), routes: [Route(to: address, interface: 2, gateway: IPAddress(v4: 0xC000_0201))])
    let resolver = HostResolver { _ in .addresses([address]) }
    let observer = ReachabilityObserver(.host("example.com"), paths: paths, resolver: resolver)
    for await reachability in observer.changes() where reachability.isDetermined {
      #expect(reachability.isReachableViaWiFi)
      break
    }
  }
}
