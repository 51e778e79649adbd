import TestSupport
import Testing

@testable import BlackboxExporter

/// The memory of all probes, as a plain value.
@Suite struct MemoryTurnsTests {
  private static let small = MemoryTurns(ownBytes: 1, maximumBytes: 10, targetBytes: 20, sharedBytes: 20)

  @Test func aProbeHasSomeBytesOfItsOwn() {
    var turns = Self.small
    #expect(turns.request(1, for: 1, of: "a") == .granted)
    #expect(turns.heldBytes == 0)
    #expect(turns.request(3, for: 1, of: "a") == .granted)
    #expect(turns.heldBytes == 2)
    // Twice as much for the next step.
    #expect(turns.request(4, for: 1, of: "a") == .granted)
    #expect(turns.heldBytes == 4)
    #expect(turns.end(1, of: "a") == [])
    #expect(turns.heldBytes == 0 && turns.waits == 0 && turns.refusals == 0)
  }

  @Test func noProbeMayHaveMoreThanTheMost() {
    var turns = Self.small
    #expect(turns.request(11, for: 1, of: "a") == .granted)
    #expect(turns.request(12, for: 1, of: "a") == .tooMuch)
    #expect(turns.heldBytes == 10 && turns.refusals == 1)
  }

  @Test func targetsHaveTheirTurnsInOrder() {
    var turns = Self.small
    #expect(turns.request(11, for: 1, of: "x") == .granted)
    #expect(turns.request(11, for: 2, of: "x") == .granted)
    // Four probes of one target wait before those of two others.
    for probe in 3...6 { #expect(turns.request(11, for: probe, of: "a") == .waits) }
    #expect(turns.request(11, for: 7, of: "b") == .waits)
    #expect(turns.request(11, for: 8, of: "c") == .waits)
    #expect(turns.waits == 6)
    var order: [Int] = []
    var ended = [(1, "x"), (2, "x"), (3, "a"), (7, "b"), (8, "c"), (4, "a")]
    while !ended.isEmpty {
      let (probe, target) = ended.removeFirst()
      order += turns.end(probe, of: target)
    }
    #expect(order == [3, 7, 8, 4, 5, 6])
    #expect(turns.refusals == 0)
  }

  /// However many probes of a slow target hold memory.
  @Test func aTargetLeavesMemoryToOthers() {
    var turns = MemoryTurns(ownBytes: 1, maximumBytes: 10, targetBytes: 20, sharedBytes: 40)
    #expect(turns.request(11, for: 1, of: "slow") == .granted)
    #expect(turns.request(11, for: 2, of: "slow") == .granted)
    #expect(turns.request(2, for: 3, of: "slow") == .waits)
    #expect(turns.heldBytes == 20)
    #expect(turns.request(11, for: 4, of: "other") == .granted)
    #expect(turns.request(2, for: 5, of: "slow") == .waits)
    #expect(turns.end(1, of: "slow") == [3, 5])
  }

  /// A probe that waits for much does not keep a small one from what is free.
  @Test func aSmallProbeOfAnotherTargetDoesNotWait() {
    var turns = MemoryTurns(ownBytes: 1, maximumBytes: 10, targetBytes: 20, sharedBytes: 28)
    for (probe, target) in [(1, "slow"), (2, "slow"), (3, "slower")] {
      #expect(turns.request(probe == 3 ? 6 : 11, for: probe, of: target) == .granted)
    }
    #expect(turns.request(11, for: 4, of: "slower") == .waits)
    #expect(turns.request(11, for: 5, of: "large") == .waits)
    #expect(turns.request(3, for: 6, of: "small") == .granted)
    #expect(turns.heldBytes == 27)
  }

  @Test func aProbeThatEndsWhileItWaitsIsARefusal() {
    var turns = Self.small
    #expect(turns.request(11, for: 1, of: "a") == .granted)
    #expect(turns.request(11, for: 2, of: "a") == .granted)
    #expect(turns.request(11, for: 3, of: "b") == .waits)
    #expect(turns.end(3, of: "b") == [])
    #expect(turns.refusals == 1)
    #expect(turns.end(1, of: "a") == [])
    #expect(turns.end(2, of: "a") == [])
    #expect(turns.heldBytes == 0)
  }

  /// Probes that hold a part each and wait for the rest must not all wait for each other.
  @Test func aProbeThatHoldsMemoryCanAlwaysEnd() {
    var turns = Self.small
    var waiting: Set<Int> = []
    for probe in 1...20 where turns.request(2, for: probe, of: "\(probe)") == .waits { waiting.insert(probe) }
    let holders = (1...20).filter { !waiting.contains($0) }
    #expect(holders.count > 1)
    let finished = holders.filter { turns.request(11, for: $0, of: "\($0)") == .granted }
    #expect(!finished.isEmpty)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64], [12, 20])
  func everyProbeEndsInTheEndAndTheLimitHolds(_ seed: UInt64, targetBytes: Int) {
    var numbers = SeededNumbers(seed: seed)
    var turns = MemoryTurns(ownBytes: 1, maximumBytes: 10, targetBytes: targetBytes, sharedBytes: 20)
    /// The total that each probe needs, and what it has asked for so far.
    var needs: [Int: Int] = [:]
    var asked: [Int: Int] = [:]
    var waiting: Set<Int> = []
    var (next, done) = (0, 0)
    func target(_ probe: Int) -> String { "\(probe % 3)" }
    while done < 300 {
      if next < 300, needs.count < 12 {
        needs[next] = Int.random(in: 1...11, using: &numbers)
        next += 1
      }
      guard let probe = needs.keys.filter({ !waiting.contains($0) }).sorted().randomElement(using: &numbers)
      else { return #expect(Bool(false), "seed \(seed): all probes wait for each other") }
      let total = min(
        needs[probe, default: 0], asked[probe, default: 0] + Int.random(in: 1...4, using: &numbers))
      switch turns.request(total, for: probe, of: target(probe)) {
      case .granted:
        asked[probe] = total
        guard total == needs[probe] else { continue }
        for granted in turns.end(probe, of: target(probe)) {
          #expect(waiting.remove(granted) != nil, "seed \(seed)")
        }
        (needs[probe], asked[probe]) = (nil, nil)
        done += 1
      case .waits: waiting.insert(probe)
      case .tooMuch: #expect(Bool(false), "seed \(seed)")
      }
      #expect((0...20).contains(turns.heldBytes), "seed \(seed)")
    }
    #expect(turns.heldBytes == 0 && turns.refusals == 0, "seed \(seed)")
  }
}
