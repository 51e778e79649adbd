import TestRequirements
import Testing
import ProbeSystem

/// The timer wheel, compared with a list that is searched each time.
@Suite struct TimerWheelTests {
  @Test func itemsAreReturnedInTimeOrder() {
    var wheel = TimerWheel<String>()
    _ = wheel.add("later", at: 70)
    _ = wheel.add("first", at: 3)
    _ = wheel.add("last", at: 300_000)
    #expect(wheel.take(dueBy: 2) == nil)
    #expect(wheel.take(dueBy: 1_000_000) == "first")
    #expect(wheel.take(dueBy: 1_000_000) == "later")
    #expect(wheel.take(dueBy: 1_000_000) == "last")
    #expect(wheel.take(dueBy: 1_000_000) == nil)
    #expect(wheel.next == nil)
  }

  @Test func removedTimersDoNotFire() {
    var wheel = TimerWheel<Int>()
    let first = wheel.add(1, at: 10)
    _ = wheel.add(2, at: 10)
    #expect(wheel.remove(first) == 1)
    #expect(wheel.remove(first) == nil)
    #expect(wheel.take(dueBy: 10) == 2)
    // The slot of the first is reused; its old entry does not refer to the new item.
    _ = wheel.add(3, at: 20)
    _ = wheel.add(4, at: 20)
    #expect(wheel.remove(first) == nil)
    #expect(wheel.count == 2)
  }

  @Test func pastTimersAreDueAtOnce() {
    var wheel = TimerWheel<Int>()
    #expect(wheel.take(dueBy: 5000) == nil)
    _ = wheel.add(1, at: 17)
    #expect(wheel.next == 5000)
    #expect(wheel.take(dueBy: 5000) == 1)
  }

  @Test func aDistantTimerIsReachedInFewSteps() throws {
    var wheel = TimerWheel<Int>()
    let moment: UInt64 = 1 << 40
    _ = wheel.add(1, at: moment)
    var looks = 0
    while let next = wheel.next, next < moment {
      #expect(wheel.take(dueBy: next) == nil)
      looks += 1
      try #require(looks < 100)
    }
    #expect(wheel.take(dueBy: moment - 1) == nil)
    #expect(wheel.take(dueBy: moment) == 1)
  }

  @Test(.heavy, arguments: 0..<50) func theWheelMatchesAList(_ seed: UInt64) {
    var random = Random(seed: seed)
    var wheel = TimerWheel<Int>()
    var list: [(item: Int, moment: UInt64, entry: TimerWheel<Int>.Entry)] = []
    var now: UInt64 = 0
    for item in 0..<2000 {
      switch random.next(below: 4) {
      case 0, 1:
        let moment = now + random.next(below: 1 << random.next(below: 38))
        list.append((item, moment, wheel.add(item, at: moment)))
      case 2 where !list.isEmpty:
        let (expected, _, entry) = list.remove(at: Int(random.next(below: UInt64(list.count))))
        #expect(wheel.remove(entry) == expected)
      default:
        now += random.next(below: 1 << random.next(below: 36))
        var taken: [Int] = []
        while let item = wheel.take(dueBy: now) { taken.append(item) }
        #expect(Set(taken) == Set(list.filter { $0.moment <= now }.map(\.item)))
        let moments = taken.compactMap { item in list.first { $0.item == item }?.moment }
        #expect(moments == moments.sorted())
        list.removeAll { $0.moment <= now }
      }
      #expect(wheel.count == list.count)
      let earliest = list.map(\.moment).min()
      #expect((wheel.next == nil) == (earliest == nil))
      if let next = wheel.next, let earliest { #expect(next <= max(earliest, now)) }
    }
  }
}

/// The same numbers for the same seed (SplitMix64).
private struct Random {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next(below limit: UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return (mixed ^ (mixed >> 31)) % limit
  }
}
