import ProbeCore
import Testing

@testable import ConnectivityMonitor

@Suite
struct HostLookupsTests {
  private let first = IPAddress(v4: 1)
  private let second = IPAddress(v4: 2)

  @Test func eachChangeStartsALookup() {
    var lookups = HostLookups()
    #expect(lookups.addresses == nil)
    #expect(act { lookups.pathChanged() } == .start(1))
    #expect(act { lookups.finished(1, .addresses([first])) } == nil)
    #expect(lookups.addresses == [first])
    #expect(act { lookups.pathChanged() } == .start(2))
    #expect(lookups.addresses == [first])
    #expect(act { lookups.finished(2, .addresses([second])) } == nil)
    #expect(lookups.addresses == [second])
    #expect(act { lookups.finished(2, .addresses([first])) } == nil)
    #expect(lookups.addresses == [second])
  }

  @Test func atMostTwoLookupsRunAndTheNewerAnswerCounts() {
    var lookups = HostLookups()
    #expect(act { lookups.pathChanged() } == .start(1))
    #expect(act { lookups.pathChanged() } == .start(2))
    for _ in 0..<5 { #expect(act { lookups.pathChanged() } == nil) }
    #expect(act { lookups.finished(2, .addresses([second])) } == .start(3))
    #expect(act { lookups.finished(1, .addresses([first])) } == nil)
    #expect(lookups.addresses == [second])
    #expect(act { lookups.finished(3, .noSuchHost) } == nil)
    #expect(lookups.addresses == [])
  }

  @Test func failedLookupsAreRetriedWithLongerPauses() {
    var lookups = HostLookups()
    #expect(act { lookups.pathChanged() } == .start(1))
    #expect(act { lookups.finished(1, .failed) } == .wait(.seconds(1), 1))
    #expect(lookups.addresses == [])
    var pauses: [Duration] = []
    for number in 2..<10 {
      #expect(act { lookups.pauseEnded(number - 1) } == .start(number))
      if case .wait(let pause, number) = act({ lookups.finished(number, .failed) }) { pauses.append(pause) }
    }
    #expect(pauses == [2, 4, 8, 16, 32, 60, 60, 60].map { .seconds($0) })
    // A change of the path ends the current pause, and makes the next one short.
    #expect(act { lookups.pathChanged() } == .start(10))
    #expect(act { lookups.pauseEnded(9) } == nil)
    #expect(act { lookups.finished(10, .addresses([first])) } == nil)
    #expect(act { lookups.pathChanged() } == .start(11))
    #expect(act { lookups.finished(11, .failed) } == .wait(.seconds(1), 11))
    #expect(lookups.addresses == [first])
  }

  /// Outside the macro, in which nothing can be changed.
  private func act(_ body: () -> HostLookups.Action?) -> HostLookups.Action? { body() }
}
