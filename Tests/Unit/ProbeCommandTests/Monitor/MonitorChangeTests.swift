import ConnectivityMonitor
import Foundation
import ProbeCore
import ProbePipeline
import TestSupport
import Testing

@testable import ProbeCommand

/// The facts passed to the command for a change, and the changes that start it.
@Suite struct MonitorChangeTests {
  private static func change(
    _ status: ConnectivityStatus, from previous: ConnectivityStatus?
  ) -> MonitorChange {
    MonitorSamples.change(to: ConnectivityState(status: status), from: previous)
  }

  @Test func onlyTheNewestChangeWaitsWhileACommandRuns() {
    var queue = ChangeQueue()
    #expect(queue.add(Self.change(.determining, from: nil)) == nil)
    #expect(queue.add(Self.change(.determining, from: .determining)) == nil)
    let first = queue.add(Self.change(.connected, from: .determining))?.access
    #expect(first?.state.status == .connected)
    #expect(first?.previous == .determining)
    #expect(queue.add(Self.change(.notConnected, from: .connected)) == nil)
    #expect(queue.add(Self.change(.connectedViaWiFi, from: .notConnected)) == nil)
    let second = queue.finished()?.access
    #expect(second?.state.status == .connectedViaWiFi)
    #expect(second?.previous == .connected, "the one between was not told")
    #expect(queue.finished() == nil)
    #expect(
      queue.add(Self.change(.notConnected, from: .connectedViaWiFi))?.access?.previous == .connectedViaWiFi)
  }

  @Test func anInitialKnownStateIsReported() {
    var queue = ChangeQueue()
    let first = queue.add(Self.change(.notConnected, from: nil))?.access
    #expect(first?.state.status == .notConnected)
    #expect(first?.previous == nil)
  }

  @Test func returningToDeterminingIsAChange() {
    var queue = ChangeQueue()
    _ = queue.add(Self.change(.connected, from: nil))
    _ = queue.finished()
    #expect(queue.add(Self.change(.determining, from: .connected))?.access?.state.status == .determining)
  }

  private static func facts(_ change: MonitorChange) -> [String: String] {
    Dictionary(uniqueKeysWithValues: ChangeFacts(change, pipeline: "office.yaml").variables.map { ($0, $1) })
  }

  @Test func everyFactIsAVariable() {
    let facts = Self.facts(MonitorSamples.change(to: MonitorSamples.online))
    #expect(
      facts == [
        "PROBEKIT_STATUS": "connectedViaWiFi", "PROBEKIT_DESCRIPTION": "Wi-Fi with Internet access",
        "PROBEKIT_PREVIOUS_STATUS": "determining", "PROBEKIT_VERDICT": "online", "PROBEKIT_CONNECTED": "1",
        "PROBEKIT_INTERFACE": "wlan0", "PROBEKIT_INTERFACE_KIND": "wifi", "PROBEKIT_METERED": "1",
        "PROBEKIT_V4": "works", "PROBEKIT_V6": "noRoute", "PROBEKIT_SLOW": "0", "PROBEKIT_LATENCY": "0.045",
        "PROBEKIT_LOGIN_URL": "", "PROBEKIT_PIPELINE": "office.yaml",
        "PROBEKIT_TIME": "2026-11-22T12:00:00.000Z",
        "PROBEKIT_EVIDENCE": MonitorSamples.online.evidence.map(\.summary).joined(separator: "\n"),
      ])
    let unknown = Self.facts(Self.change(.notConnected, from: nil))
    #expect(unknown.keys == facts.keys)
    for name in ["PREVIOUS_STATUS", "VERDICT", "INTERFACE", "METERED", "V4", "LATENCY", "EVIDENCE"] {
      #expect(unknown["PROBEKIT_" + name] == "", "\(name)")
    }
  }

  @Test func theHelpNamesEveryVariable() async throws {
    let help = try await MonitorRun(["--help"]).output
    for name in Self.facts(Self.change(.connected, from: nil)).keys {
      #expect(help.contains(name), "\(name)")
    }
  }

  @Test func networkTextIsEscapedAndBounded() throws {
    let portal = Self.facts(MonitorSamples.change(to: try MonitorSamples.portal()))
    #expect(portal["PROBEKIT_LOGIN_URL"] == "http://login.hotel.example/welcome?room=none")
    let evidence = try #require(portal["PROBEKIT_EVIDENCE"])
    #expect(evidence.contains(#"it says \x1b[2J\u{202e}"ホテル""#), "\(evidence)")

    var state = ConnectivityState(status: .notConnected, verdict: .offline)
    state.evidence = (0..<100).map { _ in
      Evidence(.sign, String(repeating: "ホ\n", count: 1000), probes: [])
    }
    let hostile = try #require(Self.facts(MonitorSamples.change(to: state))["PROBEKIT_EVIDENCE"])
    #expect(hostile.utf8.count <= ChangeFacts.maximumValueLength)
    #expect(hostile.split(separator: "\n").count <= ChangeFacts.maximumEvidence)
    #expect(hostile.split(separator: "\n").allSatisfy { $0.utf8.count <= 400 && !$0.contains("\u{FFFD}") })
  }

  @Test func reservedVariablesAreRemovedFromTheInheritedEnvironment() {
    let facts = ChangeFacts(Self.change(.connected, from: nil), pipeline: "p")
    let environment = facts.environment(over: [
      "PATH": "/bin", "NOTIFY_SOCKET": "/run/n", "WATCHDOG_USEC": "1", "WATCHDOG_PID": "2",
      "PROBEKIT_STATUS": "forged", "PROBEKIT_OTHER": "forged",
    ])
    #expect(environment.first == "PATH=/bin")
    #expect(environment.contains("PROBEKIT_STATUS=connected"))
    #expect(environment.count == facts.variables.count + 1)
  }
}

extension ReportedChange {
  /// The change of Internet access; nil for a change of a set.
  var access: MonitorChange? { if case .access(let change) = self { change } else { nil } }
  /// The change of a set; nil for a change of Internet access.
  var service: ServiceChange? { if case .service(let change) = self { change } else { nil } }
}
