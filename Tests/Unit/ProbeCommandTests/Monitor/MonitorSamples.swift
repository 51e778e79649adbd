import ConnectivityMonitor
import Foundation
import PortalAnalysis
import ProbeCore
import ProbePipeline

@testable import ProbeCommand

/// States of a monitor.
enum MonitorSamples {
  static let noon = Date(timeIntervalSince1970: 1_795_348_800)
  static let wifi = NetworkInterface(index: 3, name: "wlan0", kind: .wifi, isMetered: true)

  static let determining = ConnectivityState()

  static var online: ConnectivityState {
    let evidence = [
      Evidence(
        .accepted,
        #"4 of 4 probes in the set "http" received the expected response: enough for its threshold of 50 %"#,
        probes: ["http://captive.apple.com/hotspot-detect.html"]),
      Evidence(
        .accepted,
        #"2 of 2 probes in the set "https" received the expected response: enough for its threshold of 1"#,
        probes: []
      ),
    ]
    return ConnectivityState(
      status: .connectedViaWiFi, verdict: .online, evidence: evidence, currentInterface: wifi,
      families: [.v4: .works, .v6: .noRoute], latency: .milliseconds(45), result: result(.online, evidence))
  }

  /// Behind a portal with hostile text.
  static func portal() throws -> ConnectivityState {
    let evidence = [
      Evidence(
        .portal, "4 probes were redirected to http://login.hotel.example/welcome",
        probes: []),
      Evidence(
        .sign, "that answer: it says \u{1B}[2J\u{202E}\"ホテル\" and goes on and on and on and on", probes: []),
    ]
    let portal = Portal(
      loginURL: try ProbeURL("http://login.hotel.example/welcome?room=none"), source: .location)
    return ConnectivityState(
      status: .connectedViaWiFiWithoutInternet, verdict: .captivePortal, portal: portal, evidence: evidence,
      currentInterface: wifi, families: [.v4: .fails, .v6: .untested],
      result: result(.captivePortal, evidence, portal))
  }

  static var offline: ConnectivityState {
    let evidence = (1...9).map { Evidence(.failed, "\($0) probes failed: timeout.connect", probes: []) }
    return ConnectivityState(
      status: .notConnected, verdict: .offline, evidence: evidence, result: result(.offline, evidence))
  }

  static func result(
    _ verdict: Verdict, _ evidence: [Evidence], _ portal: Portal? = nil
  ) -> RunResult {
    let probe = ProbeResult(
      url: "https://www.google.com/generate_204", outcome: verdict == .online ? .accepted : .failed,
      reason: verdict == .online ? nil : .connectTimeout, detail: verdict == .online ? nil : "too slow")
    return RunResult(
      pipeline: "default", verdict: verdict, portal: portal, evidence: evidence,
      sets: [SetResult(name: "https", threshold: .all, probes: [probe])], duration: .milliseconds(60))
  }

  static func change(
    to state: ConnectivityState, from previous: ConnectivityStatus? = .determining, after seconds: Double = 0
  ) -> MonitorChange {
    MonitorChange(time: noon + seconds, state: state, previous: previous)
  }

  static func check(_ state: ConnectivityState, next: Duration? = .seconds(10)) -> ConnectivityCheck {
    ConnectivityCheck(
      result: state.result ?? result(.inconclusive, []), state: state, nextCheck: next)
  }
}
