import ConnectivityMonitor
import Dispatch
import Foundation
import ProbeCore
import ProbePipeline
import Validators
import TestRequirements
import TestSupport
import Testing

/// When checks run as configured, on which queue callbacks run, and what can be changed later.
@Suite(.patience(minutes: 1)) struct ReconfigurationTests {
  private static var plugins: PluginRegistry {
    get throws {
      var plugins = PluginRegistry()
      try plugins.register(
        MadeUpTransport { request throws(ProbeFailure) in .madeUp(request.url, status: 200, body: "Success") }
      )
      return plugins
    }
  }

  /// A monitor created from a plan.
  private static func planned() throws -> Connectivity {
    let transports = try plugins.transports
    let plan = try Pipeline("planned") { ProbeSet("a", "https://a.example/") }.plan(over: transports)
    return Connectivity(plan: plan, over: transports, paths: MadeUpPaths())
  }

  @Test func pollingAndTimesAreAsConfigured() {
    let configuration = ConnectivityConfiguration()
      .configurePolling(isEnabled: false, offlineOnly: true)
      .configureSettings { $0.fall = 5 }
    #expect(!configuration.settings.polling.isEnabled)
    #expect(configuration.settings.polling.whileOfflineOnly)
    #expect(configuration.settings.polling.interval == .seconds(10))
    #expect(configuration.settings.fall == 5)
    let again = configuration.configurePolling(interval: .seconds(30))
    #expect(again.polling.isEnabled)
    #expect(again.polling.whileOfflineOnly)
    #expect(!configuration.configurePolling(offlineOnly: false).polling.whileOfflineOnly)
    #expect(again.polling.interval == .seconds(30))
    #expect(again.settings.fall == 5)
  }

  /// As in Connectivity for iOS; `probekit monitor` polls always.
  @Test func pollingIsOfflineOnlyByDefault() throws {
    #expect(ConnectivityConfiguration().polling.isEnabled)
    #expect(ConnectivityConfiguration().polling.whileOfflineOnly)
    #expect(ConnectivityConfiguration(Pipeline("own", sets: [])).polling.whileOfflineOnly)
    #expect(!MonitorSettings().polling.whileOfflineOnly)
  }

  @Test func callbacksComeOnTheConfiguredQueue() async throws {
    let queue = DispatchQueue(label: "configured")
    let key = DispatchSpecificKey<Int>()
    queue.setSpecific(key: key, value: 7)
    let connectivity = try Connectivity(
      ConnectivityConfiguration().configureCallbackQueue(queue), plugins: Self.plugins, paths: MadeUpPaths())
    let (calls, call) = AsyncStream.makeStream(of: Int?.self)
    connectivity.whenConnected = { _ in call.yield(DispatchQueue.getSpecific(key: key)) }
    connectivity.startNotifier()
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == 7)
    connectivity.stopNotifier()
    await connectivity.stopped()
  }

  @Test(
    arguments: [
      { $0 = $0.configureConnectivity(urls: ["https://b.example/"]) },
      { $0.pipeline = Pipeline("other") { ProbeSet("b", "https://b.example/") } },
      { $0.validator = try? ContainsValidator("else") },
      { $0 = $0.configureSuccessThreshold(50) },
      { $0 = $0.configureHTTPSOnly(false) },
      { $0 = $0.configureBearerToken(Secret("t")) },
      { $0 = $0.configureRequests { $0.timeout = .seconds(3) } },
    ] as [@Sendable (inout ConnectivityConfiguration) -> Void])
  func theProbesOfAPlanCannotBeChanged(
    _ change: @Sendable (inout ConnectivityConfiguration) -> Void
  ) async throws {
    let connectivity = try Self.planned()
    #expect(throws: InvalidInput.self) {
      try connectivity.configure {
        change(&$0)
        $0.settings.fall = 9
      }
    }
    #expect(connectivity.configuration.settings.fall == 2)
    #expect(await connectivity.check().result?.pipeline == "planned")
  }

  @Test func theTimesOfAPlanCanBeChanged() throws {
    let connectivity = try Self.planned()
    try connectivity.configure { $0 = $0.configurePolling(interval: .seconds(99)) }
    #expect(connectivity.configuration.polling.interval == .seconds(99))
  }

  @Test func changesFromSeveralThreadsAllCount() async throws {
    let connectivity = try Connectivity(plugins: Self.plugins, paths: MadeUpPaths())
    let before = connectivity.configuration.settings.fall
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await onAThread {
            for _ in 0..<25 {
              try connectivity.configure {
                // So that the other threads run in the meantime.
                Thread.sleep(forTimeInterval: 0.0002)
                $0.settings.fall += 1
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(connectivity.configuration.settings.fall == before + 100)
  }

  @Test func theQueueOfTheStartOutlivesOtherChanges() async throws {
    let queue = DispatchQueue(label: "started")
    let key = DispatchSpecificKey<Int>()
    queue.setSpecific(key: key, value: 7)
    let connectivity = try Self.planned()
    let (calls, call) = AsyncStream.makeStream(of: Int?.self)
    connectivity.startNotifier(queue: queue)
    try connectivity.configure { $0.settings.fall = 3 }
    connectivity.whenConnected = { _ in call.yield(DispatchQueue.getSpecific(key: key)) }
    #expect(connectivity.configuration.callbackQueue === queue)
    // Restarted, so that the change is reported after the callback.
    connectivity.stop()
    connectivity.startNotifier()
    var iterator = calls.makeAsyncIterator()
    #expect(await iterator.next() == 7)
    connectivity.stopNotifier()
    await connectivity.stopped()
  }
}
