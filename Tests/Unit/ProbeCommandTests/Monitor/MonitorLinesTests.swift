import ConnectivityMonitor
import Foundation
import ProbePipeline
import ProbeReporting
import TestSupport
import Testing

@testable import ProbeCommand
import ProbeBase

/// The output of a monitor without a terminal: lines, and JSON.
@Suite struct MonitorLinesTests {
  private static func day(_ formatter: any MonitorFormatter) throws -> String {
    var formatter = formatter
    let portal = try MonitorSamples.portal()
    var text = try formatter.text(of: MonitorSamples.change(to: MonitorSamples.determining, from: nil))
    text += try formatter.text(of: MonitorSamples.check(MonitorSamples.online), at: MonitorSamples.noon + 1)
    text += try formatter.text(of: MonitorSamples.change(to: MonitorSamples.online, after: 1.25))
    text += try formatter.text(of: MonitorSamples.check(portal, next: nil), at: MonitorSamples.noon + 2)
    text += try formatter.text(of: MonitorSamples.change(to: portal, from: .connectedViaWiFi, after: 2))
    text += try formatter.text(
      of: MonitorSamples.change(
        to: MonitorSamples.offline, from: .connectedViaWiFiWithoutInternet, after: 86_400))
    return text
  }

  @Test func lines() throws {
    let text = try Self.day(MonitorLines(style: TextStyle(usesColor: false), reportsChecks: true))
    #expect(try text == Snapshot("monitor-lines", is: text).text)
    let quiet = try Self.day(MonitorLines(style: TextStyle(usesColor: false), reportsChecks: false))
    #expect(quiet == text.split(separator: "\n").filter { !$0.contains("check:") }.map { $0 + "\n" }.joined())
  }

  @Test func records() throws {
    let text = try Self.day(MonitorRecords(reportsChecks: true))
    #expect(try text == Snapshot("monitor-records", is: text, extension: "ndjson").text)
    let lines = text.split(separator: "\n")
    let records = try lines.map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(
      records.map { $0["type"] as? String } == ["change", "check", "change", "check", "change", "change"])
    #expect(records.allSatisfy { $0["schema"] as? Int == 1 })
    let change = try #require(records.last)
    #expect(
      change.keys.sorted() == [
        "description", "evidence", "families", "interception", "interface", "isConnected", "latency",
        "portal",
        "previousStatus", "schema", "sets", "slow", "status", "time", "type", "verdict",
      ])
    #expect((records[4]["portal"] as? [String: Any])?["source"] as? String == "location")
    #expect((records[4]["interface"] as? [String: Any])?["metered"] as? Bool == true)
    #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}"))
    let quiet = try Self.day(MonitorRecords(reportsChecks: false))
    #expect(quiet.split(separator: "\n").count == 4)
  }

  static let reasons: [(state: ConnectivityState, reason: String?)] = [
    (ConnectivityState(), nil),
    (ConnectivityState(pathFailure: PathFailure("no netlink")), "no netlink"),
    (MonitorSamples.online, "online"),
    (MonitorSamples.offline, "offline: 1 probes failed: timeout.connect"),
    (ConnectivityState(verdict: .offline), "offline"),
  ]

  @Test(arguments: reasons)
  func aReasonIsShort(_ state: ConnectivityState, reason: String?) {
    #expect(state.reasonDescription == reason)
  }
}
