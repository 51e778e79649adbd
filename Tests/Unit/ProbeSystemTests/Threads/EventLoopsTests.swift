import Foundation
import LoopbackServer
import Testing
import ProbeSystem

/// The assignment of operations to loops: a few share one, many are spread, and a task keeps its loop.
@Suite struct EventLoopsTests {
  @Test(arguments: [(-1, 1), (0, 1), (1, 1), (3, 3)])
  func thereIsAtLeastOneLoop(_ wanted: Int, _ made: Int) {
    #expect(EventLoops(count: wanted).all.count == made)
  }

  @Test func thereIsOneLoopPerUsableProcessor() throws {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") })
    // Masks of 32 processors each, in hexadecimal digits.
    let usable = line.dropFirst("Cpus_allowed:".count).reduce(0) {
      $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount
    }
    #expect(EventLoops().all.count == usable)
  }

  @Test func operationsMoveToTheNextLoopUnderLoad() {
    let loops = EventLoops(count: 2)
    #expect(loops.forThisTask() === loops.all[0])
    loops.all[0].addLoad(8)
    #expect(loops.forThisTask() === loops.all[1])
    // Both are full; then the one with the lower load is used, and the first of equals.
    loops.all[1].addLoad(8)
    #expect(loops.forThisTask() === loops.all[0])
    loops.all[1].addLoad(-1)
    #expect(loops.forThisTask() === loops.all[1])
  }

  @Test func aTaskReceivesItsPreferredLoop() async {
    let loops = EventLoops(count: 3)
    for loop in loops.all {
      let given = await withTaskExecutorPreference(loop) { await Self.given(by: loops) }
      #expect(given === loop)
    }
    let elsewhere = EventLoop(named: "elsewhere")
    let given = await withTaskExecutorPreference(elsewhere) { await Self.given(by: loops) }
    #expect(given === loops.all[0])
  }

  @concurrent
  private static func given(by loops: EventLoops) async -> EventLoop { loops.forThisTask() }

  @Test func allThreadsAndDescriptorsEndWithTheLoops() async {
    await #expect(processExitsWith: .success) {
      // The runtime opens descriptors for its timers at the first sleep, and keeps them.
      try await Task.sleep(for: .milliseconds(1))
      let before = ProcessUse.now
      for _ in 0..<50 {
        let loops = EventLoops(count: 4)
        for loop in loops.all {
          let thread = await withTaskExecutorPreference(loop) { await Self.isOnItsThread(loop) }
          try #require(thread)
        }
      }
      let isBack = await ProcessUse.settles {
        $0.threads(named: "probekit-loop") == 0 && $0.addsNothing(to: before)
      }
      try #require(isBack)
    }
  }

  @concurrent
  private static func isOnItsThread(_ loop: EventLoop) async -> Bool { loop.current != nil }

  @Test func withoutDescriptorsTheFirstLoopIsUsed() async {
    await #expect(processExitsWith: .success) {
      let loops = EventLoops(count: 2)
      try #require(loops.all[0].start())
      let hoard = DescriptorHoard(limit: 64, sparing: 1)
      let given = await withTaskExecutorPreference(loops.all[1]) { await Self.given(by: loops) }
      try #require(given === loops.all[0])
      hoard.release()
      try #require(loops.all[1].start())
    }
  }
}
