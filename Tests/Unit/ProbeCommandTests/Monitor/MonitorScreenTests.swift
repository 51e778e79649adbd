import ConnectivityMonitor
import Foundation
import PortalAnalysis
import ProbeCore
import ProbeReporting
import TestSupport
import Testing

@testable import ProbeCommand
@testable import ProbeSystem
@testable import CommandKit

/// The display of a monitor on a terminal.
@Suite struct MonitorScreenTests {
  private static let times: @Sendable (Date) -> String = { $0.inUTC }

  private static func screen(
    columns: Int = 80, rows: Int = 24, usesColor: Bool = false, usesASCII: Bool = false
  ) -> MonitorScreen {
    MonitorScreen(
      pipeline: "default", style: TextStyle(usesColor: usesColor, usesASCII: usesASCII),
      size: { TerminalSize(columns: columns, rows: rows) }, dateAndTime: times, timeOfDay: times)
  }

  static let sizes: [(name: String, columns: Int, rows: Int, hasColor: Bool)] = [
    ("monitor-screen", 80, 24, false), ("monitor-screen-color", 100, 24, true),
    ("monitor-screen-small", 32, 6, false),
  ]

  /// All output from the first state through a portal to offline, with control characters made visible.
  @Test(arguments: sizes)
  func aSequenceOfStates(_ name: String, columns: Int, rows: Int, hasColor: Bool) throws {
    var screen = Self.screen(columns: columns, rows: rows, usesColor: hasColor)
    var text = screen.text(of: MonitorSamples.change(to: MonitorSamples.determining, from: nil))
    text += screen.text(of: MonitorSamples.check(MonitorSamples.online), at: MonitorSamples.noon + 1)
    text += screen.text(of: MonitorSamples.change(to: MonitorSamples.online, after: 1))
    var slow = MonitorSamples.online
    slow.isSlow = true
    slow.latency = .milliseconds(2400)
    text += screen.text(of: MonitorSamples.check(slow), at: MonitorSamples.noon + 10)
    let portal = try MonitorSamples.portal()
    text += screen.text(of: MonitorSamples.check(portal, next: .seconds(3)), at: MonitorSamples.noon + 20)
    text += screen.text(of: MonitorSamples.change(to: portal, from: .connectedViaWiFi, after: 20))
    text += screen.textBeforeMessage() + "probekit monitor: a message\n" + screen.textAfterMessage()
    text += screen.text(
      of: MonitorSamples.check(MonitorSamples.offline, next: nil), at: MonitorSamples.noon + 30)
    let seen = text.replacing("\u{1B}", with: "ESC").replacing("\r", with: "CR")
    #expect(try seen == Snapshot(name, is: seen).text)
    for line in seen.split(separator: "\n") where !hasColor && !line.hasPrefix("CR") {
      #expect(String(line).columns <= columns, "\(line)")
    }
  }

  @Test func inASCII() throws {
    var screen = Self.screen(columns: 40, usesASCII: true)
    var portal = try MonitorSamples.portal()
    portal.portal?.loginURL = try ProbeURL("http://login.example/?a=\(String(repeating: "b", count: 40))")
    var text = screen.text(of: MonitorSamples.check(MonitorSamples.online), at: MonitorSamples.noon)
    text += screen.text(of: MonitorSamples.check(portal), at: MonitorSamples.noon + 1)
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    #expect(text.contains("* Wi-Fi") && text.contains("...\n"))
  }

  @Test func linesRewrappedByTheTerminalAreRemovedEntirely() {
    var region = ScreenRegion()
    let style = TextStyle(usesColor: false)
    let lines = [TerminalLine("0123456789"), TerminalLine(""), TerminalLine("abc")]
    #expect(region.draw(lines, columns: 20, style: style) == "0123456789\n\nabc\n")
    #expect(region.draw(lines, columns: 20, style: style) == "\r\u{1B}[3A\u{1B}[J0123456789\n\nabc\n")
    // With four columns, the first line takes three rows.
    #expect(region.erase(columns: 4) == "\r\u{1B}[5A\u{1B}[J")
    #expect(region.erase(columns: 4).isEmpty)
  }

  static let cuts: [(text: String, columns: Int, expected: String)] = [
    ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("ホテル", 6, "ホテル"), ("ホテル", 5, "ホテ…"), ("ホテル", 4, "ホ…"),
    ("a\u{301}bc", 3, "a\u{301}bc"), ("a\u{1B}[2J", 20, "a\\x1b[2J"), ("abc", 1, "…"), ("abc", 0, ""),
  ]

  @Test(arguments: cuts)
  func linesAreTruncatedByDisplayWidth(_ text: String, columns: Int, expected: String) {
    let line = TerminalLine(text).cut(to: columns)
    #expect(line.text(TextStyle(usesColor: true)) == expected)
    #expect(line.width <= columns)
  }

  @Test func emphasisEndsWithItsSegment() {
    var line = TerminalLine("status ", .good)
    line.add("rest")
    #expect(line.text(TextStyle(usesColor: true)) == "\u{1B}[32mstatus \u{1B}[0mrest")
    #expect(line.cut(to: 5).text(TextStyle(usesColor: true)) == "\u{1B}[32mstat\u{1B}[0m…")
  }

  static let bars: [(values: [Int?], expected: String)] = [
    ([], ""), ([0], "▁"), ([nil], "·"), ([80, 10, 40, nil, 81], "█▁▄·█"), ([1, 1000], "▁█"),
    ([10, 20], "▄█"),
    (Array(1...8), "▆▇█"),
  ]

  @Test(arguments: bars)
  func barsAreScaledToTheLongestValue(_ values: [Int?], expected: String) {
    var line = Sparkline(capacity: values.count == 8 ? 3 : 30)
    for value in values { line.add(value.map { .milliseconds($0) }) }
    #expect(line.text(.unicode) == expected)
  }

  @Test func theScreenIsUsedOnlyOnTerminalsWithCursorControl() async throws {
    // The output shows which display was chosen.
    for (terminal, isTerminal, moves) in [
      ("xterm", true, true), ("dumb", true, false), ("xterm", false, false),
    ] {
      let run = try await MonitorRun(environment: ["TERM": terminal], isTerminal: isTerminal) { monitor in
        monitor.send(.changed(MonitorSamples.online))
        await monitor.output(contains: "Wi-Fi with Internet access")
      }
      #expect(run.output.contains("next check") == moves, "\(terminal)")
      #expect(run.code == .success)
    }
  }
}
