import ProbePipeline
import Testing

@testable import ConnectivityMonitor

/// The times at which the monitor polls.
@Suite struct PollingTests {
  /// Runs a monitor through checks with these verdicts and no other events; the last verdict is repeated.
  ///
  /// - Returns: The times of the checks, and whether each announced a change.
  private static func led(
    through verdicts: [Verdict], upTo end: Duration = .seconds(2000), random: Double = 0.5,
    _ change: (inout MonitorSettings.Polling) -> Void
  ) -> [(time: Duration, announced: Bool)] {
    var settings = MonitorSettings()
    settings.fall = 1
    settings.polling.jitter = 0
    change(&settings.polling)
    var monitor = MonitorState(settings) { random }
    _ = monitor.started(.success(.wifi), at: .zero)
    var checks: [(time: Duration, announced: Bool)] = []
    var now = Duration.zero
    while now <= end, checks.count < 50 {
      let verdict = verdicts[min(checks.count, verdicts.count - 1)]
      let actions = monitor.checked(checks.count + 1, .madeUp(verdict), at: now)
      checks.append((now, actions.contains(.announce)))
      guard let next = monitor.nextEvent else { break }
      now = next
      _ = monitor.timePassed(at: now)
    }
    return checks
  }

  // The first three are Connectivity's own tests of polling.
  @Test func aChangeIsReportedWithPolling() {
    let checks = Self.led(through: [.offline, .online], upTo: .seconds(10)) { _ in }
    #expect(checks.map(\.time) == [.zero, .seconds(10)])
    #expect(checks.map(\.announced) == [true, true])
  }

  @Test func aChangeIsNotReportedWithoutPolling() {
    let checks = Self.led(through: [.offline, .online]) { $0.isEnabled = false }
    #expect(checks.map(\.time) == [.zero])
  }

  @Test func offlineOnlyPollingEndsOnceConnected() {
    let checks = Self.led(through: [.offline, .offline, .online]) { $0.whileOfflineOnly = true }
    #expect(checks.map(\.time) == [.zero, .seconds(10), .seconds(20)])
    #expect(checks.map(\.announced) == [true, false, true])
  }

  @Test func theDefaultIntervalIsTenSeconds() {
    let times = Self.led(through: [.online], upTo: .seconds(50)) { _ in }.map(\.time)
    #expect(times == [0, 10, 20, 30, 40, 50].map { .seconds($0) })
    #expect(MonitorSettings().polling.interval == .seconds(10))
    #expect(MonitorSettings().recheckDelay == .milliseconds(500))
  }

  @Test(arguments: [(0.0, 9.0), (0.5, 10.0), (0.999_999, 10.999_998)])
  func jitterLengthensAndShortens(_ random: Double, _ seconds: Double) {
    let times = Self.led(through: [.online], upTo: .seconds(5), random: random) { $0.jitter = 0.1 }
    let pace = PollingPace()
    var polling = MonitorSettings.Polling()
    polling.jitter = 0.1
    let delay = pace.delay(polling, isConnected: true, isPortal: false, random: random)
    #expect(delay.map { abs(($0 - .seconds(seconds)).seconds) < 1e-6 } == true)
    #expect(times.count == 1)
  }

  @Test func backsOffWhileNothingChanges() {
    let times = Self.led(through: [.online], upTo: .seconds(700)) {
      $0.backoff = 2
      $0.maximumInterval = .seconds(100)
    }.map(\.time)
    // The first check changed something, the others did not.
    #expect(times == [0, 10, 30, 70, 150, 250, 350, 450, 550, 650].map { .seconds($0) })
  }

  @Test func aChangeResetsTheBackoff() {
    let verdicts: [Verdict] = [.online, .online, .online, .offline, .offline]
    let times = Self.led(through: verdicts, upTo: .seconds(120)) { $0.backoff = 2 }.map(\.time)
    #expect(times == [0, 10, 30, 70, 80, 100].map { .seconds($0) })
  }

  @Test func aPortalIsPolledSoonerButNeverLater() {
    let sooner = Self.led(through: [.captivePortal], upTo: .seconds(6)) { $0.backoff = 2 }.map(\.time)
    #expect(sooner == [0, 3, 6].map { .seconds($0) })
    let short = Self.led(through: [.captivePortal], upTo: .seconds(2)) { $0.interval = .seconds(1) }.map(
      \.time)
    #expect(short == [0, 1, 2].map { .seconds($0) })
  }

  @Test func anIntervalLongerThanTheLongestIsKept() {
    var polling = MonitorSettings.Polling()
    polling.interval = .seconds(600)
    polling.backoff = 3
    polling.jitter = 0
    var pace = PollingPace()
    for _ in 0..<5000 { pace.note() }
    #expect(pace.delay(polling, isConnected: true, isPortal: false, random: 0) == .seconds(600))
  }
}

extension Duration {
  fileprivate var seconds: Double { self / .seconds(1) }
}
