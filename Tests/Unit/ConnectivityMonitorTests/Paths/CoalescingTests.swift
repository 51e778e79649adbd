import Testing

@testable import ConnectivityMonitor

@Suite
struct CoalescingTests {
  private func milliseconds(_ number: Int) -> Duration { .milliseconds(number) }

  @Test func aBurstEndsAfterAPause() {
    var burst = Coalescing()
    #expect(burst.end == nil)
    let tooSoon = burst.finish(at: milliseconds(5))
    #expect(!tooSoon)
    burst.note(at: milliseconds(100))
    #expect(burst.end == milliseconds(110))
    burst.note(at: milliseconds(108))
    let ends = [110, 117, 118, 119, 200].map { burst.finish(at: milliseconds($0)) }
    #expect(ends == [false, false, true, false, false])
    #expect(burst.end == nil)
  }

  @Test func aBurstWithoutAPauseEndsAfterFiftyMilliseconds() {
    var burst = Coalescing()
    var ends: [Int] = []
    for time in 0..<200 {
      burst.note(at: milliseconds(time))
      if burst.finish(at: milliseconds(time)) { ends.append(time) }
    }
    #expect(ends == [50, 101, 152])
  }
}
