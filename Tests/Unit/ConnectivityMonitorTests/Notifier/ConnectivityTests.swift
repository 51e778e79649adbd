import ConnectivityNotifications
import Dispatch
import Foundation
import ProbeBase
import ProbeCore
import ProbePipeline
import TestRequirements
import TestSupport
import Testing

@testable import ConnectivityMonitor

/// The entire monitor, with simulated networks and responses, on a manual clock.
@Suite(.patience(minutes: 2)) struct ConnectivityTests {
  /// A monitor with all its parts.
  struct Lab: Sendable {
    let clock = ManualClock()
    let paths: MadeUpPaths
    /// The status of the response to the only probe.
    let status = Guarded(204)
    let count = Guarded(0)
    let connectivity: Connectivity

    init(_ path: NetworkPath = .wifi, _ change: (inout MonitorSettings) -> Void = { _ in }) throws {
      paths = MadeUpPaths(path)
      let (status, count) = (status, count)
      var transports = TransportRegistry()
      try transports.register(
        MadeUpTransport { request throws(ProbeFailure) in
          count.withLock { $0 += 1 }
          return .madeUp(request.url, status: status.withLock(\.self))
        })
      var settings = MonitorSettings()
      settings.polling.jitter = 0
      change(&settings)
      let plan = try Pipeline("lab", sets: [ProbeSet("a", "https://a.example/")]).plan(over: transports)
      connectivity = Connectivity(
        plan: plan, over: transports, settings: settings, paths: paths, clock: clock)
    }
  }

  @Test func reportsDeterminingFirstAndThenOnlyChanges() async throws {
    let lab = try Lab { $0.fall = 1 }
    var changes = lab.connectivity.changes.makeAsyncIterator()
    #expect(await changes.next()?.status == .determining)
    #expect(await changes.next()?.status == .connectedViaWiFi)
    await lab.clock.waitForSleeper(until: .seconds(10))
    lab.clock.advance(by: .seconds(10))
    await lab.clock.waitForSleeper(until: .seconds(20))
    lab.status.withLock { $0 = 500 }
    lab.clock.advance(by: .seconds(10))
    let state = await changes.next()
    #expect(state?.status == .connectedViaWiFiWithoutInternet)
    #expect(state?.result?.sets.first?.probes.first?.reason == .httpStatus)
    #expect(lab.count.withLock(\.self) == 3)
    #expect(lab.connectivity.status == .connectedViaWiFiWithoutInternet)
  }

  @Test func aChangedPathIsCheckedAfterTheSettleTime() async throws {
    let lab = try Lab { $0.polling.isEnabled = false }
    var changes = lab.connectivity.changes.makeAsyncIterator()
    _ = await changes.next()
    #expect(await changes.next()?.status == .connectedViaWiFi)
    lab.paths.change(to: .ethernet)
    await lab.clock.waitForSleeper(until: .milliseconds(500))
    lab.clock.advance(by: .milliseconds(500))
    #expect(await changes.next()?.status == .connectedViaEthernet)
    lab.paths.change(to: .nowhere)
    #expect(await changes.next()?.status == .notConnected)
  }

  @Test func iteratingStartsAndTheLastListenerLeavingStops() async throws {
    let lab = try Lab()
    #expect(!lab.connectivity.isRunning)
    do {
      var first: ConnectivityChanges.Iterator? = lab.connectivity.changes.makeAsyncIterator()
      var second: ConnectivityChanges.Iterator? = lab.connectivity.checks.makeAsyncIterator()
      #expect(lab.connectivity.isRunning)
      #expect(await first?.next()?.status == .determining)
      first = nil
      #expect(lab.connectivity.isRunning)
      #expect(await second?.next()?.state.status == .connectedViaWiFi)
      second = nil
    }
    #expect(!lab.connectivity.isRunning)
    await lab.connectivity.stopped()
    // After an explicit start it continues.
    lab.connectivity.start()
    do {
      var third = lab.connectivity.changes.makeAsyncIterator()
      _ = await third.next()
    }
    #expect(lab.connectivity.isRunning)
    lab.connectivity.stop()
    #expect(!lab.connectivity.isRunning)
  }

  @Test func aCancelledTaskStopsListening() async throws {
    let lab = try Lab()
    let heard = Guarded(0)
    let task = Task {
      for await _ in lab.connectivity.changes { heard.withLock { $0 += 1 } }
    }
    for await _ in lab.connectivity.checks { break }
    task.cancel()
    await task.value
    #expect(!lab.connectivity.isRunning)
  }

  @Test func stoppingEndsTheLoops() async throws {
    let lab = try Lab()
    let loops = (0..<20).map { _ in
      Task {
        var last: ConnectivityStatus?
        for await state in lab.connectivity.changes { last = state.status }
        return last
      }
    }
    for await check in lab.connectivity.checks where check.state.isConnected { break }
    lab.connectivity.stop()
    for loop in loops { _ = await loop.value }
    await lab.connectivity.stopped()
    #expect(!lab.connectivity.isRunning)
  }

  @Test func everyListenerIsNotifiedAndASlowOneReceivesTheNewestState() async throws {
    let lab = try Lab { $0.polling.isEnabled = false }
    var slow = lab.connectivity.changes.makeAsyncIterator()
    var others = (0..<50).map { _ in lab.connectivity.changes.makeAsyncIterator() }
    for index in others.indices {
      var state = await others[index].next()
      while state?.status == .determining { state = await others[index].next() }
      #expect(state?.status == .connectedViaWiFi)
    }
    lab.paths.change(to: .nowhere)
    for index in others.indices { #expect(await others[index].next()?.status == .notConnected) }
    // It has received nothing so far; the state at its start is what it receives first.
    #expect(await slow.next()?.status == .determining)
    #expect(await slow.next()?.status == .notConnected)
  }

  @Test func aLateListenerReceivesTheCurrentState() async throws {
    let lab = try Lab()
    lab.connectivity.start()
    for await state in lab.connectivity.changes where state.isConnected { break }
    var late = lab.connectivity.changes.makeAsyncIterator()
    #expect(await late.next()?.status == .connectedViaWiFi)
  }

  @Test func theEndOfThePathSourceIsReported() async throws {
    let lab = try Lab { $0.polling.isEnabled = false }
    var changes = lab.connectivity.changes.makeAsyncIterator()
    _ = await changes.next()
    _ = await changes.next()
    lab.paths.end()
    let state = await changes.next()
    #expect(state?.status == .connected)
    #expect(state?.pathFailure?.description == "interfaces and routes can be watched no more")
  }
}

/// Checks on request.
extension ConnectivityTests {
  @Test func checksOnceWithoutBeingStarted() async throws {
    let lab = try Lab()
    let state = await lab.connectivity.check()
    #expect(state.status == .connectedViaWiFi)
    #expect(!lab.connectivity.isRunning)
    #expect(lab.connectivity.status == .connectedViaWiFi)
    #expect(lab.count.withLock(\.self) == 1)
    lab.paths.change(to: .nowhere)
    #expect(await lab.connectivity.check().status == .notConnected)
    #expect(lab.count.withLock(\.self) == 1)
  }

  @Test func aManualCheckWhileMonitoringCounts() async throws {
    let lab = try Lab { $0.fall = 1 }
    var changes = lab.connectivity.changes.makeAsyncIterator()
    _ = await changes.next()
    _ = await changes.next()
    lab.status.withLock { $0 = 500 }
    #expect(await lab.connectivity.check().status == .connectedViaWiFiWithoutInternet)
    #expect(await changes.next()?.status == .connectedViaWiFiWithoutInternet)
  }

  @Test func aCheckThatIsCancelledEndsPromptly() async throws {
    var transports = TransportRegistry()
    let (begins, begin) = AsyncStream.makeStream(of: Void.self)
    var begun = begins.makeAsyncIterator()
    try transports.register(
      MadeUpTransport { request throws(ProbeFailure) in
        begin.yield()
        // Only cancellation ends it.
        try? await Task.sleep(for: .seconds(3600))
        throw ProbeFailure(.cancelled, "cancelled")
      })
    let plan = try Pipeline("lab", sets: [ProbeSet("a", "https://a.example/")]).plan(over: transports)
    let connectivity = Connectivity(plan: plan, over: transports, paths: MadeUpPaths())
    let task = Task { await connectivity.check() }
    _ = await begun.next()
    task.cancel()
    #expect(await task.value.status == .determining)
    // So does a task that joined a check of the monitor, which continues.
    connectivity.start()
    _ = await begun.next()
    let joined = Task { await connectivity.check() }
    joined.cancel()
    #expect(await joined.value.status == .determining)
    #expect(connectivity.isRunning)
    connectivity.stop()
    await connectivity.stopped()
  }
}

/// Callbacks and notifications.
extension ConnectivityTests {
  @Test func callbacksComeInOrderOnTheQueue() async throws {
    let lab = try Lab { $0.fall = 1 }
    let queue = DispatchQueue(label: "callbacks", attributes: .concurrent)
    let key = DispatchSpecificKey<Int>()
    queue.setSpecific(key: key, value: 7)
    let (calls, call) = AsyncStream.makeStream(of: String.self)
    let report: @Sendable (String, Connectivity) -> Void = { word, connectivity in
      call.yield("\(word) \(connectivity.isConnected) \(DispatchQueue.getSpecific(key: key) ?? 0)")
    }
    lab.connectivity.whenConnected = { report("connected", $0) }
    lab.connectivity.whenDisconnected = { report("disconnected", $0) }
    lab.connectivity.startNotifier(queue: queue)
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == "connected true 7")
    lab.status.withLock { $0 = 500 }
    await lab.clock.waitForSleeper(until: .seconds(10))
    lab.clock.advance(by: .seconds(10))
    #expect(await iterator.next() == "disconnected false 7")
    lab.paths.change(to: .nowhere)
    #expect(await iterator.next() == "disconnected false 7")
    lab.connectivity.stopNotifier()
    await lab.connectivity.stopped()
  }

  @Test func aNotificationIsPostedOnChangesOnly() async throws {
    let lab = try Lab()
    let center = NotificationCenter()
    let (posts, post) = AsyncStream.makeStream(of: String.self)
    let observer = center.addObserver(forName: .ConnectivityDidChange, object: lab.connectivity, queue: nil) {
      post.yield(($0.object as? Connectivity)?.status.description ?? "?")
    }
    defer { center.removeObserver(observer) }
    lab.connectivity.postNotifications(to: center)
    lab.connectivity.startNotifier()
    var iterator = posts.makeAsyncIterator()
    #expect(await iterator.next() == "Wi-Fi with Internet access")
    // An equal result is not a change.
    await lab.clock.waitForSleeper(until: .seconds(10))
    lab.clock.advance(by: .seconds(10))
    await lab.clock.waitForSleeper(until: .seconds(20))
    lab.paths.change(to: .nowhere)
    #expect(await iterator.next() == "No Connection")
  }

  // Defect 8 of Connectivity: the timer retains its owner, sessions are never invalidated.
  @Test func nothingRetainsItAndItsReleaseStopsEverything() async throws {
    weak var weakConnectivity: Connectivity?
    weak var weakPaths: MadeUpPaths?
    let requests = Guarded(0)
    let clock: ManualClock
    do {
      let lab = try Lab()
      clock = lab.clock
      (weakConnectivity, weakPaths) = (lab.connectivity, lab.paths)
      lab.connectivity.whenConnected = { _ in }
      lab.connectivity.postNotifications(to: NotificationCenter())
      lab.connectivity.start()
      for await state in lab.connectivity.changes where state.isConnected { break }
      await clock.waitForSleeper(until: .seconds(10))
      requests.withLock { $0 = lab.count.withLock(\.self) }
    }
    // A running callback retains it until it returns, and the work it has started takes a moment to end.
    while weakConnectivity != nil || weakPaths != nil { await Task.yield() }
    clock.advance(by: .seconds(100))
    #expect(requests.withLock(\.self) == 1)
  }

  @Test func startsAndStopsAThousandTimes() async throws {
    let lab = try Lab()
    for round in 0..<1000 {
      lab.connectivity.start()
      if round.isMultiple(of: 100) {
        for await state in lab.connectivity.changes where state.isConnected { break }
      }
      lab.connectivity.stop()
    }
    await lab.connectivity.stopped()
    #expect(!lab.connectivity.isRunning)
    #expect(await lab.connectivity.check().status == .connectedViaWiFi)
  }
}
