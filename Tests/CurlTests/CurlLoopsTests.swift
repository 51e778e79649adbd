import Curl
import Foundation
import LoopbackServer
import Testing

/// Which loop a transfer gets: few share one, many are spread, and a task stays where it runs.
@Suite struct CurlLoopsTests {
  @Test(arguments: [(-1, 1), (0, 1), (1, 1), (3, 3)])
  func thereIsAtLeastOne(_ wanted: Int, _ made: Int) {
    #expect(CurlLoops(count: wanted).all.count == made)
  }

  @Test func thereIsOneForEachProcessor() throws {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") })
    // Masks of 32 processors each, in hexadecimal digits.
    let usable = line.dropFirst("Cpus_allowed:".count).reduce(0) {
      $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount
    }
    #expect(CurlLoops().all.count == usable)
  }

  @Test func fewTransfersShareALoopAndMoreBeginAnother() async throws {
    let server = try LoopbackServer.holding()
    let loops = CurlLoops(count: 2)
    #expect(loops.forThisTask() === loops.all[0])

    // Each round takes the loop it is given, as a transport does, and waits for an answer that never comes.
    let waiting = (0..<16).map { number in
      let loop = loops.all[number / 8]
      return Task { await exchange(over: loop, server.url()) }
    }
    defer { waiting.forEach { $0.cancel() } }
    while server.connectionCount < 16 { try await Task.sleep(for: .milliseconds(5)) }
    // Both have their fill; then the one with the least is taken, and the first of equals.
    #expect(loops.forThisTask() === loops.all[0])

    waiting[15].cancel()
    #expect(await waiting[15].value.code == .cancelled)
    #expect(loops.forThisTask() === loops.all[1])
  }

  @Test func aTaskThatPrefersALoopGetsIt() async {
    let loops = CurlLoops(count: 3)
    for loop in loops.all {
      let given = await withTaskExecutorPreference(loop) { await Self.given(by: loops) }
      #expect(given === loop)
    }
    let elsewhere = CurlLoop()
    let given = await withTaskExecutorPreference(elsewhere) { await Self.given(by: loops) }
    #expect(given === loops.all[0])
  }

  @concurrent
  private static func given(by loops: CurlLoops) async -> CurlLoop { loops.forThisTask() }

  @Test func allThreadsAndDescriptorsEndWithTheLoops() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer.http { _ in .response(body: "ok") }
      let url = server.url()
      try #require(await exchange(over: CurlLoop(), url).code == .ok)
      let before = ProcessUse.now
      for _ in 0..<10 {
        let loops = CurlLoops(count: 4)
        let codes = await withTaskGroup(of: CurlCode.self) { group in
          for number in 0..<64 {
            group.addTask(executorPreference: loops.all[number % 4]) {
              await exchange(over: loops.forThisTask(), url).code
            }
          }
          return await group.reduce(into: [CurlCode: Int]()) { $0[$1, default: 0] += 1 }
        }
        try #require(codes == [.ok: 64])
      }
      try #require(await settles(to: before))
    }
  }

  @Test func withoutRoomForAnotherLoopTheFirstGoesOn() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer.http { _ in .response(body: "ok") }
      let url = server.url()
      let loops = CurlLoops(count: 2)
      try #require(await exchange(over: loops.forThisTask(), url).code == .ok)
      let hoard = DescriptorHoard(limit: 64, sparing: 1)
      let given = await withTaskExecutorPreference(loops.all[1]) { await Self.given(by: loops) }
      try #require(given === loops.all[0])
      hoard.release()
      try #require(await exchange(over: loops.all[1], url).code == .ok)
    }
  }
}
