import ConnectivityMonitor
@testable import ProbeSystem
import TestRequirements
import TestSupport
import Testing

@testable import ProbeCommand

/// The order and the bounds of the events that a monitor has not handled yet.
@Suite(.patience(minutes: 1)) struct MonitorInboxTests {
  /// All waiting events, in words.
  private static func rest(_ pending: inout PendingEvents) -> [String] {
    var events: [String] = []
    while let event = pending.next() {
      switch event {
      case .changed(let state): events.append("\(state.status)")
      case .checked(let check): events.append("check of \(check.state.status)")
      case .reload: events.append("reload")
      case .reread: events.append("reread")
      case .resized: events.append("resized")
      case .heartbeat: events.append("heartbeat")
      case .commandEnded: events.append("end")
      case .commandOutput(let line): events.append(line)
      case .linesOmitted(let count): events.append("\(count) omitted")
      }
    }
    return events
  }

  @Test func noEventIsLostOrWaitsBehindText() {
    var pending = PendingEvents()
    pending.add(.reload)
    for number in 1...2000 { pending.add(.commandOutput("\(number)")) }
    pending.add(.changed(MonitorSamples.offline))
    pending.add(.commandEnded(.code(0)))
    let events = Self.rest(&pending)
    #expect(events.prefix(3) == ["reload", "No Connection", "end"])
    #expect(events.dropFirst(3).dropLast() == ArraySlice((1...PendingEvents.maximumLines).map { "\($0)" }))
    #expect(events.last == "\(2000 - PendingEvents.maximumLines) omitted")
  }

  @Test func textAfterOmittedLinesFollowsTheirCount() {
    var pending = PendingEvents()
    for _ in 0..<PendingEvents.maximumLines { pending.add(.commandOutput("first")) }
    pending.add(.commandOutput("omitted"))
    _ = pending.next()
    // There is room, but the line would precede the count.
    pending.add(.commandOutput("omitted"))
    let events = Self.rest(&pending)
    #expect(events.dropLast().allSatisfy { $0 == "first" })
    #expect(events.last == "2 omitted")
    pending.add(.commandOutput("after"))
    #expect(Self.rest(&pending) == ["after"])
  }

  @Test func waitingEventsAreBounded() {
    var pending = PendingEvents()
    pending.add(.commandEnded(.code(0)))
    for _ in 0..<300 {
      for event in [MonitorEvent.reload, .resized, .heartbeat, .changed(MonitorSamples.online)] {
        pending.add(event)
      }
    }
    pending.add(.checked(MonitorSamples.check(MonitorSamples.offline)))
    let events = Self.rest(&pending)
    #expect(events.count == PendingEvents.maximumReports + 4)
    #expect(events.prefix(4) == ["end", "reload", "resized", "heartbeat"])
    #expect(events.last == "check of No Connection")
  }

  /// The second command would not run if the end of the first one were lost.
  @Test func commandsThatWriteVeryMuchAreFollowedByOthers() async throws {
    let folder = try TemporaryFolder()
    let run = try await MonitorRun(
      ["--on-change", "seq 5000; echo \"$PROBEKIT_CONNECTED\" >>DIR/runs; exit 3"], in: folder,
      environment: ["TERM": "xterm", "PATH": "/usr/bin:/bin"], isTerminal: true
    ) { monitor in
      for (count, state) in [MonitorSamples.online, MonitorSamples.offline, MonitorSamples.online]
        .enumerated()
      {
        monitor.send(.changed(state))
        while Self.failures(in: monitor.errorOutput.text) <= count { await Task.yield() }
      }
      while Self.lines(in: monitor.errorOutput.text) < 15_000 { await Task.yield() }
    }
    #expect(readText("\(folder.path)/runs") == "1\n0\n1\n")
    // Each line is either there or counted.
    #expect(Self.lines(in: run.errors) == 15_000)
  }

  private static func failures(in errors: String) -> Int {
    errors.split(separator: "\n").count { $0.hasSuffix("exit code 3") }
  }

  /// The number of lines of the command that were written or reported as left out.
  private static func lines(in errors: String) -> Int {
    errors.split(separator: "\n").reduce(0) { sum, line in
      if line.utf8.allSatisfy({ (48...57).contains($0) }) { return sum + 1 }
      guard line.hasSuffix("output were left out") else { return sum }
      return sum + (Int(line.split(separator: " ").first { Int($0) != nil } ?? "") ?? 0)
    }
  }
}
