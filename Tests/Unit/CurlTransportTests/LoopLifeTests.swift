import CurlTransport
import LoopbackServer
import Testing
import ProbeSystem

/// A loop leaks nothing.
///
/// Threads and descriptors belong to the entire process, so each test has its own process.
@Suite struct LoopLifeTests {
  @Test func twoHundredConsecutiveLoopsLeakNothing() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer.http { _ in .response(body: "ok") }
      let url = server.url()
      try #require(await exchange(over: CurlClient(loops: EventLoops(count: 1)), url).code == .ok)
      let before = ProcessUse.now
      for _ in 0..<200 {
        try #require(await exchange(over: CurlClient(loops: EventLoops(count: 1)), url).code == .ok)
      }
      try #require(await settles(to: before))
    }
  }

  @Test func manyConcurrentLoopsLeakNothing() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer.http { _ in .response(body: "ok") }
      let url = server.url()
      try #require(await exchange(over: CurlClient(loops: EventLoops(count: 1)), url).code == .ok)
      let before = ProcessUse.now
      let codes = await withTaskGroup(of: CurlCode.self) { group in
        for _ in 0..<40 {
          let loop = CurlClient(loops: EventLoops(count: 1))
          for _ in 0..<5 { group.addTask { await exchange(over: loop, url).code } }
        }
        return await group.reduce(into: [CurlCode: Int]()) { $0[$1, default: 0] += 1 }
      }
      try #require(codes == [.ok: 200])
      try #require(await settles(to: before))
    }
  }

  @Test func aLoopWithoutDescriptorsFailsAtOnceAndRecovers() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer.http { _ in .response(body: "ok") }
      let url = server.url()
      let loop = CurlClient(loops: EventLoops(count: 1))
      // One is too few for a loop.
      let hoard = DescriptorHoard(limit: 64, sparing: 1)
      let result = await exchange(over: loop, url)
      let isShort = result.code == .outOfMemory && result.systemError == DescriptorHoard.exhausted
      try #require(isShort, "\(result.code), \(result.systemError)")
      hoard.release()
      let next = await exchange(over: loop, url)
      try #require(next.code == .ok, "\(next.code), \(next.systemError)")
    }
  }
}

/// Waits until no loop's thread is left, and no more descriptors than before, except the few of the runtime's
/// timers.
func settles(to before: ProcessUse) async -> Bool {
  await ProcessUse.settles {
    $0.threads(named: "probekit-loop") == 0 && $0.descriptors < before.descriptors + 20
  }
}

/// A GET with a time limit and no other relevant limits.
func exchange(
  over client: CurlClient, _ url: String, timeout: Duration = .seconds(60)
) async -> TransferResult {
  await client.perform { options(url, timeout) }
}

private func options(_ url: String, _ timeout: Duration) -> (TransferOptions, TransferOptions.HTTP) {
  (
    TransferOptions(url: url, timeout: timeout),
    .init(method: "GET", headers: [], body: nil, maxHead: 10_000, maxBody: 10_000)
  )
}
