import PortalAnalysis
import ProbeCore
import ProbePipeline
import Testing

@testable import ConnectivityMonitor

/// The next actions of a monitor for given events at given times.
@Suite struct MonitorStateTests {
  /// A monitor on Wi-Fi without jitter, at its start.
  private static func started(
    _ path: NetworkPath = .wifi, at now: Duration = .zero,
    _ change: (inout MonitorSettings) -> Void = { _ in }
  ) -> (MonitorState, [MonitorState.Action]) {
    var settings = MonitorSettings()
    settings.polling.jitter = 0
    change(&settings)
    var monitor = MonitorState(settings) { 0.5 }
    let actions = monitor.started(.success(path), at: now)
    return (monitor, actions)
  }

  /// A monitor whose first check, which takes a second, had this result.
  private static func settled(
    _ verdict: Verdict, _ path: NetworkPath = .wifi, _ change: (inout MonitorSettings) -> Void = { _ in }
  ) -> MonitorState {
    var (monitor, _) = started(path, change)
    _ = monitor.checked(1, .madeUp(verdict), at: .seconds(1))
    return monitor
  }

  @Test func isDeterminingFirstAndChecksAtOnce() {
    let (monitor, actions) = Self.started()
    #expect(actions == [.check(1)])
    #expect(monitor.state.status == .determining)
    #expect(monitor.state.verdict == nil)
    #expect(monitor.nextEvent == nil)
  }

  @Test(
    arguments: [
      (.wifi, .online, .connectedViaWiFi), (.wifi, .captivePortal, .connectedViaWiFiWithoutInternet),
      (.ethernet, .online, .connectedViaEthernet),
      (.ethernet, .offline, .connectedViaEthernetWithoutInternet),
      (.over(.cellular), .partial, .connectedViaCellularWithoutInternet),
      (.over(.cellular), .online, .connectedViaCellular),
      (.over(.vpn), .online, .connected), (.over(.bluetooth), .inconclusive, .notConnected),
      (.over(.bluetooth), .online, .connected), (.over(.vpn), .intercepted, .notConnected),
    ] as [(NetworkPath, Verdict, ConnectivityStatus)])
  func theFirstCheckCountsAlone(_ path: NetworkPath, _ verdict: Verdict, _ status: ConnectivityStatus) {
    var (monitor, _) = Self.started(path)
    #expect(monitor.checked(1, .madeUp(verdict), at: .seconds(1)) == [.announce, .report])
    #expect(monitor.state.status == status)
    #expect(monitor.state.verdict == verdict)
    #expect(monitor.state.currentInterface == path.currentInterface)
  }

  @Test func unchangedStatesAreNotAnnounced() {
    var monitor = Self.settled(.online)
    _ = monitor.timePassed(at: .seconds(11))
    #expect(monitor.checked(2, .madeUp(.online, after: .milliseconds(300)), at: .seconds(12)) == [.report])
    // Yet the newest values are available.
    #expect(monitor.state.latency == .milliseconds(300))
  }

  // Defect 10 of Connectivity: one failed check flips the status.
  @Test func oneFailedCheckChangesNothing() {
    var monitor = Self.settled(.online)
    #expect(monitor.timePassed(at: .seconds(11)) == [.check(2)])
    #expect(monitor.checked(2, .madeUp(.offline), at: .seconds(12)) == [.report])
    #expect(monitor.state.status == .connectedViaWiFi)
    // The failure is confirmed soon, not only at the next poll.
    #expect(monitor.nextEvent == .seconds(12) + .milliseconds(500))
    #expect(monitor.timePassed(at: .seconds(12.5)) == [.check(3)])
    #expect(monitor.checked(3, .madeUp(.offline), at: .seconds(13)) == [.announce, .report])
    #expect(monitor.state.status == .connectedViaWiFiWithoutInternet)
  }

  @Test func aFailedCheckBetweenGoodOnesIsForgotten() {
    var monitor = Self.settled(.online)
    var now = Duration.seconds(1)
    for round in 0..<10 {
      now = monitor.nextEvent ?? now
      _ = monitor.timePassed(at: now)
      let verdict: Verdict = round.isMultiple(of: 2) ? .offline : .online
      #expect(monitor.checked(round + 2, .madeUp(verdict), at: now) == [.report])
      #expect(monitor.state.status == .connectedViaWiFi)
    }
  }

  @Test func fallAndRiseCountChecksInARow() {
    var monitor = Self.settled(.online) {
      $0.fall = 3
      $0.rise = 2
    }
    // With a rise of 2, the first successful check is not sufficient.
    #expect(monitor.state.status == .determining)
    var number = 2
    func next(_ verdict: Verdict) -> Bool {
      let now = monitor.nextEvent ?? .zero
      #expect(monitor.timePassed(at: now) == [.check(number)])
      defer { number += 1 }
      return monitor.checked(number, .madeUp(verdict), at: now).contains(.announce)
    }
    #expect(next(.online))
    #expect([next(.offline), next(.captivePortal), next(.captivePortal)] == [false, false, true])
    #expect(monitor.state.verdict == .captivePortal)
    #expect(
      [next(.online), next(.captivePortal), next(.online), next(.online)] == [false, false, false, true])
    #expect(monitor.state.status == .connectedViaWiFi)
  }

  @Test func aPortalThatOpensIsReportedAtOnce() {
    var monitor = Self.settled(.captivePortal)
    // Sooner than without a portal.
    #expect(monitor.nextEvent == .seconds(4))
    _ = monitor.timePassed(at: .seconds(4))
    #expect(monitor.checked(2, .madeUp(.online), at: .seconds(5)) == [.announce, .report])
    #expect(monitor.nextEvent == .seconds(15))
  }

  @Test func unrequestedResultsAreIgnored() {
    var monitor = Self.settled(.online)
    #expect(monitor.checked(1, .madeUp(.offline), at: .seconds(2)) == [])
    #expect(monitor.checked(7, .madeUp(.offline), at: .seconds(2)) == [])
    #expect(monitor.state.status == .connectedViaWiFi)
  }
}

/// The effects of changes of interfaces and routes.
extension MonitorStateTests {
  @Test func aChangeIsCheckedOnceTheNetworkHasSettled() {
    var monitor = Self.settled(.online)
    #expect(monitor.changed(.ethernet, at: .seconds(2)) == [])
    #expect(monitor.nextEvent == .seconds(2.5))
    #expect(monitor.timePassed(at: .seconds(2.4)) == [])
    #expect(monitor.timePassed(at: .seconds(2.5)) == [.check(2)])
    // It is another network, so a single check is sufficient.
    #expect(monitor.checked(2, .madeUp(.captivePortal), at: .seconds(3)) == [.announce, .report])
    #expect(monitor.state.status == .connectedViaEthernetWithoutInternet)
    #expect(monitor.state.currentInterface?.name == "eth0")
  }

  @Test func aConstantlyChangingNetworkIsStillChecked() {
    var monitor = Self.settled(.online)
    var now = Duration.seconds(2)
    var checks: [Duration] = []
    for round in 0..<20 {
      let actions =
        monitor.changed(round.isMultiple(of: 2) ? .ethernet : .wifi, at: now)
        + monitor.timePassed(at: now)
      if actions.contains(where: { if case .check = $0 { true } else { false } }) { checks.append(now) }
      now += .milliseconds(300)
    }
    #expect(checks.first == .milliseconds(4100))
  }

  @Test func aCheckOfTheOldNetworkIsCancelled() {
    var (monitor, _) = Self.started()
    #expect(monitor.changed(.ethernet, at: .seconds(1)) == [.cancelCheck])
    #expect(monitor.checked(1, .madeUp(.online), at: .seconds(1.1)) == [])
    #expect(monitor.state.status == .determining)
    #expect(monitor.timePassed(at: .seconds(1.5)) == [.check(2)])
  }

  @Test func aWaitingCallerReceivesNoResultFromTheOldNetwork() {
    var (monitor, _) = Self.started()
    #expect(monitor.isBusy)
    _ = monitor.changed(.ethernet, at: .seconds(1))
    #expect(monitor.isBusy)
    #expect(monitor.timePassed(at: .seconds(1.5)) == [.check(2)])
    #expect(monitor.isBusy)
    _ = monitor.checked(2, .madeUp(.online), at: .seconds(2))
    #expect(!monitor.isBusy)
    _ = monitor.changed(.wifi, at: .seconds(3))
    _ = monitor.changed(.nowhere, at: .seconds(3.1))
    #expect(!monitor.isBusy)
  }

  @Test func aChangeThatAffectsNoRouteTriggersNoCheck() {
    var monitor = Self.settled(.online)
    let planned = monitor.nextEvent
    var path = NetworkPath.wifi
    path.interfaces.append(NetworkInterface(index: 9, name: "veth1", kind: .virtual))
    #expect(monitor.changed(path, at: .seconds(2)) == [])
    #expect(monitor.nextEvent == planned)
    #expect(monitor.state.availableInterfaces.map(\.name) == ["wlan0", "veth1"])
  }

  @Test func aMachineWithoutARouteIsNotConnectedAtOnce() {
    var monitor = Self.settled(.online)
    #expect(monitor.changed(.nowhere, at: .seconds(2)) == [.announce])
    #expect(monitor.state.status == .notConnected)
    #expect(monitor.state.verdict == .offline)
    #expect(monitor.state.evidence.map(\.kind) == [.noRoute])
    #expect(monitor.state.families == [.v4: .noRoute, .v6: .noRoute])
    #expect(monitor.state.currentInterface == nil)
    // There is no check and no wake-up before there is a route.
    #expect(monitor.nextEvent == nil)
    #expect(monitor.checkWanted(at: .seconds(3)) == [])
    #expect(monitor.changed(.ethernet, at: .seconds(9)) == [])
    #expect(monitor.timePassed(at: .seconds(9.5)) == [.check(2)])
    #expect(monitor.checked(2, .madeUp(.online), at: .seconds(10)) == [.announce, .report])
  }

  @Test func startsWithoutARoute() {
    let (monitor, actions) = Self.started(.nowhere)
    #expect(actions == [.announce])
    #expect(monitor.state.status == .notConnected)
  }

  @Test func aLinkThatIsDownIsNotUsable() {
    var path = NetworkPath.wifi
    path.interfaces[1].isRunning = false
    var monitor = Self.settled(.online)
    #expect(monitor.changed(path, at: .seconds(2)) == [.announce])
    #expect(monitor.state.status == .notConnected)
  }

  @Test func checksWithoutARouteWhenNoneIsRequired() {
    var (monitor, actions) = Self.started(.nowhere) { $0.requiresRoute = false }
    #expect(actions == [.check(1)])
    _ = monitor.checked(1, .madeUp(.online), at: .seconds(1))
    #expect(monitor.state.status == .connected)
    #expect(monitor.state.families[.v4] == .works)
  }

  @Test func aPathFailureIsReportedAndChecksStillRun() {
    var monitor = MonitorState(MonitorSettings()) { 0.5 }
    let failure = PathFailure("not permitted", systemCode: 1)
    #expect(monitor.started(.failure(failure), at: .zero) == [.check(1)])
    _ = monitor.checked(1, .madeUp(.online), at: .seconds(1))
    #expect(monitor.state.status == .connected)
    #expect(monitor.state.pathFailure == failure)
    var later = Self.settled(.online)
    #expect(later.lost(failure, at: .seconds(2)) == [.check(2)])
    #expect(later.checked(2, .madeUp(.online), at: .seconds(3)) == [.announce, .report])
    #expect(later.state.status == .connected)
  }

  @Test func aNewPlanIsRunAtOnce() {
    var monitor = Self.settled(.online)
    #expect(monitor.planChanged(at: .seconds(2)) == [.check(2)])
    #expect(monitor.planChanged(at: .seconds(2)) == [.cancelCheck, .check(3)])
    #expect(monitor.checked(3, .madeUp(.offline), at: .seconds(3)) == [.announce, .report])
  }
}

/// The facts besides the status.
extension MonitorStateTests {
  @Test func slowIsASeparateStateThatDoesNotFlap() {
    var monitor = Self.settled(.online)
    var number = 1
    func check(after latency: Duration) -> (announced: Bool, isSlow: Bool) {
      number += 1
      let now = monitor.nextEvent ?? .zero
      _ = monitor.timePassed(at: now)
      let actions = monitor.checked(number, .madeUp(.online, after: latency), at: now)
      return (actions.contains(.announce), monitor.state.isSlow)
    }
    #expect(check(after: .seconds(1.9)) == (false, false))
    #expect(check(after: .seconds(2)) == (true, true))
    #expect(check(after: .seconds(1.6)) == (false, true))
    #expect(check(after: .seconds(1.4)) == (true, false))
    #expect(monitor.state.status == .connectedViaWiFi)
  }

  @Test func nothingIsSlowWithoutALimit() {
    var (monitor, _) = Self.started { $0.slowLatency = nil }
    _ = monitor.checked(1, .madeUp(.online, after: .seconds(60)), at: .seconds(60))
    #expect(!monitor.state.isSlow)
  }

  @Test func familiesAreDistinguished() {
    var monitor = Self.settled(.online)
    // The family of a response works; a family that was not probed is not known to fail.
    #expect(monitor.state.families == [.v4: .works, .v6: .noRoute])
    var path = NetworkPath.wifi
    path.internet[.v6] = Route(to: IPAddress(v6: 1 << 120), interface: 2)
    _ = monitor.changed(path, at: .seconds(2))
    _ = monitor.timePassed(at: .seconds(3))
    _ = monitor.checked(2, .madeUp(.online), at: .seconds(3))
    #expect(monitor.state.families == [.v4: .works, .v6: .untested])
    _ = monitor.timePassed(at: .seconds(13))
    // A set that probes IPv6 only, without a response.
    #expect(monitor.checked(3, .madeUp(.offline, family: .v6), at: .seconds(13)) == [.report])
    _ = monitor.timePassed(at: .seconds(14))
    #expect(monitor.checked(4, .madeUp(.offline, family: .v6), at: .seconds(14)) == [.announce, .report])
    #expect(monitor.state.families[.v6] == .fails)
  }

  /// In an open network, a login to which a single operator leads is nothing to open.
  @Test func aSuggestedLoginIsNotPartOfTheState() throws {
    var result = RunResult.madeUp(.online)
    result.portal = Portal(loginURL: try ProbeURL("http://login.example/"), source: .location)
    var state = ConnectivityState()
    state.adopt(result, slowLatency: nil)
    #expect(state.portal == nil)
    result.verdict = .captivePortal
    state.adopt(result, slowLatency: nil)
    #expect(state.portal == result.portal)
  }
}
