import ConnectivityMonitor
import FixtureReplay
import ProbeCore
import ProbePipeline
import TestSupport

/// The state of a monitored network at one time.
enum Weather: CaseIterable {
  case online, portal, reset, wrong

  /// The network as a fixture.
  var fixture: Fixture {
    let route: ReplayRoute
    switch self {
    case .online: route = ReplayRoute("answer", response: .respond(ComposedResponse(status: 204)))
    case .portal:
      let redirect = ComposedResponse(status: 302, headers: ["Location: http://portal.soak/login"])
      route = ReplayRoute("answer", response: .respond(redirect))
    case .reset: route = ReplayRoute("answer", fault: ReplayFault(.rstEarly))
    case .wrong: route = ReplayRoute("answer", response: .respond(ComposedResponse(status: 500)))
    }
    return Fixture(name: "weather", routes: [route])
  }

  /// The plan of a monitor.
  ///
  /// - Parameter count: The number of pages.
  /// - Returns: The plan.
  /// - Throws: The errors in the plan; there are none.
  static func plan(_ count: Int) throws -> ProbePlan {
    let probes = try (0..<count).map { index in
      let url = "\(index % 3 == 1 ? "https" : "http")://w\(index).soak/"
      var request = ProbeRequest(try ProbeURL(url))
      // A slow machine must not cause errors.
      request.timeout = .seconds(120)
      return PlannedProbe(url: url, request: request)
    }
    return try ProbePlan(
      name: "weather", policy: .plaintextAllowed, sets: [PlannedSet(name: "pages", probes: probes)])
  }
}

extension MonitorSettings {
  /// Settings at random, under which everything happens within milliseconds.
  static func random(_ numbers: inout SeededNumbers) -> MonitorSettings {
    var settings = MonitorSettings()
    settings.polling.isEnabled = !numbers.once(in: 4)
    settings.polling.interval = .milliseconds(1) + numbers.time(upTo: .milliseconds(40))
    settings.polling.jitter = numbers.pick([0, 0.1, 1])
    settings.polling.whileOfflineOnly = numbers.once(in: 5)
    settings.polling.backoff = numbers.pick([1, 1.5, 3])
    settings.polling.maximumInterval = .milliseconds(100)
    settings.polling.portalInterval = .milliseconds(5)
    settings.settleTime = numbers.time(upTo: .milliseconds(15))
    settings.recheckDelay = numbers.time(upTo: .milliseconds(15))
    settings.rise = Int.random(in: 1...3, using: &numbers)
    settings.fall = Int.random(in: 1...3, using: &numbers)
    settings.requiresRoute = !numbers.once(in: 5)
    return settings
  }

  /// Settings under which every change is detected.
  static var attentive: MonitorSettings {
    var settings = MonitorSettings()
    settings.polling.interval = .milliseconds(10)
    settings.settleTime = .milliseconds(5)
    settings.recheckDelay = .milliseconds(5)
    return settings
  }
}
