import Glibc
import LoopbackServer
import ProbeCore
@testable import ProbeSystem
import TestRequirements
import Testing

/// Descriptors and processes that runs may leave behind, each tested in a separate process.
@Suite(.patience(minutes: 2)) struct LeftoverTests {
  /// A script for each way to end.
  private static let scripts = [
    "exit 0", "exit 3", "kill -KILL $$", "sleep 1000 & wait", "yes", "sleep 1000 & exit 0",
    "exec <&- >&- 2>&-",
  ]

  private static func run(_ script: String, _ loop: EventLoop) async -> ProgramRun {
    let limit = script.hasSuffix("wait") ? Duration.milliseconds(5) : .seconds(100)
    return await Program(script.isEmpty ? ["/no/such"] : ["/bin/sh", "-c", script])
      .run(input: [], within: limit, environment: [:], on: loop)
  }

  /// Whether this process has children, running or not reaped.
  private static var hasChildren: Bool {
    var facts = unsafe siginfo_t()
    return unsafe waitid(P_ALL, 0, &facts, WEXITED | WNOHANG | WNOWAIT) == 0
  }

  @Test func runsLeaveNothingBehind() async {
    await #expect(processExitsWith: .success) {
      let loop = EventLoop(named: "test")
      _ = await Self.run("exit 0", loop)
      let before = ProcessUse.now
      await withDiscardingTaskGroup { group in
        for number in 0..<8 {
          group.addTask {
            for turn in 0..<21 {
              let script = turn % 7 == number % 7 ? "" : Self.scripts[turn % 7]
              let task = Task { await Self.run(script, loop) }
              if turn % 5 == 0 { task.cancel() }
              _ = await task.value
            }
          }
        }
      }
      try #require(!Self.hasChildren)
      try #require(await ProcessUse.settles { $0.addsNothing(to: before) })
    }
  }

  @Test func aShortageOfDescriptorsIsReported() async {
    await #expect(processExitsWith: .success) {
      // The limit is read once.
      DescriptorHoard(limit: 200, sparing: 100).release()
      let loop = EventLoop(named: "test")
      try #require(await Self.run("exit 4", loop).end == .exited(4))
      var reported = 0
      // The last 16 are reserved for others.
      for spared in 1..<32 {
        let hoard = DescriptorHoard(limit: 200, sparing: spared)
        let before = ProcessUse.now
        let end = await Self.run("exit 4", loop).end
        if end == .notStarted(ProgramNotStarted.noDescriptor.description) {
          reported += 1
        } else {
          try #require(end == .exited(4))
        }
        try #require(!Self.hasChildren)
        try #require(await ProcessUse.settles { $0.addsNothing(to: before) })
        hoard.release()
      }
      try #require((16...24).contains(reported), "\(reported)")
      try #require(await Self.run("exit 4", loop).end == .exited(4))
    }
  }

  @Test func aProcessReapedElsewhereIsNotASuccess() async {
    await #expect(processExitsWith: .success) {
      signal(SIGCHLD, SIG_IGN)
      let loop = EventLoop(named: "test")
      // One that may be gone before it is watched, and one that cannot end before its output is read.
      for (script, messages) in [
        ("exit 0", ["another part of this process", "(pidfd_open(2))"]),
        ("head -c 100000 /dev/zero", ["another part of this process"]),
      ] {
        let end = await Self.run(script, loop).end
        var reason = ""
        if case .notStarted(let text) = end { reason = text }
        try #require(messages.contains(where: reason.contains), "\(end)")
      }
    }
  }
}
