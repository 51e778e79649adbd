import LoopbackServer
import TestSupport

/// The resources that the process uses when it is idle, after each round.
struct QuietTimes {
  /// The number of rounds after which caches and pools are filled.
  static let warmUp = 2
  /// The permitted growth of the heap from the middle round to the last one, for each shared loop.
  ///
  /// A loop keeps up to 1024 handles for later transfers, as many as were ever in use at once, of about 6 KiB
  /// each.
  static let heapBound = 8 << 20
  /// The permitted growth of the process's memory beyond that; the allocator keeps freed pages.
  static let residentBound = 16 << 20

  /// The number of shared loops.
  private let loops: Int
  private var first: ProcessUse?
  private var heap: [Int] = []
  private var resident: [Int] = []

  /// Creates a record without rounds.
  init(loops: Int) {
    self.loops = loops
  }

  /// Waits until nothing is left of a round, and records the resources in use.
  ///
  /// - Parameter round: The number of the round.
  /// - Returns: What is left of the round, in words, or nil.
  mutating func note(_ round: Int) async -> String? {
    guard round + 1 >= Self.warmUp else { return nil }
    let before = first
    let isQuiet = await ProcessUse.settles { [loops] now in
      now.hasNoWorkers(beside: loops)
        && (before.map { now.addsNothing(to: $0) && now.addsNoPool(to: $0) } ?? true)
    }
    let now = ProcessUse.now
    if first == nil { first = now }
    HeapUse.trim()
    heap.append(HeapUse.bytes)
    resident.append(ProcessUse.residentBytes)
    guard !isQuiet else { return nil }
    return "left behind: \(now.summary)" + (before.map { "; before: \($0.summary)" } ?? "")
  }

  /// The resources that have grown too much from the middle round to the last one.
  var growth: [String] {
    // Sanitizers keep freed memory, and the leak detector reports memory that was not freed.
    guard !Sanitizer.isPresent, heap.count >= 8 else { return [] }
    var words: [String] = []
    if let (middle, end) = Self.halves(heap), end - middle > loops * Self.heapBound {
      words.append("the heap has grown from \(middle) to \(end) bytes in the second half")
    }
    if let (middle, end) = Self.halves(resident), end - middle > loops * Self.heapBound + Self.residentBound {
      words.append("the memory of the process has grown from \(middle) to \(end) bytes in the second half")
    }
    return words
  }

  /// A summary in words.
  var words: String {
    let (heapMiddle, heapEnd) = Self.halves(heap) ?? (0, 0)
    let (middle, end) = Self.halves(resident) ?? (0, 0)
    let use = first.map { "\($0.descriptors) and \($0.threads)" } ?? "none"
    let now = ProcessUse.now
    return "descriptors and threads at rest \(use) at first, \(now.descriptors) and \(now.threads) at last; "
      + "heap \(heapMiddle >> 10) KiB at half time and \(heapEnd >> 10) at the end, "
      + "resident \(middle >> 20) MiB and \(end >> 20)"
  }

  /// The medians of the second and the last quarter, which a single round does not influence.
  private static func halves(_ values: [Int]) -> (middle: Int, end: Int)? {
    let quarter = values.count / 4
    guard quarter > 0 else { return nil }
    return (median(values[quarter..<(2 * quarter)]), median(values.suffix(quarter)))
  }

  private static func median(_ values: ArraySlice<Int>) -> Int {
    let sorted = values.sorted()
    return sorted[sorted.count / 2]
  }
}

extension ProcessUse {
  /// Threads of which none may run when the process is idle.
  private static let workers = [
    "probekit-replay", "probekit-lookup", "probekit-paths", "probekit-tap", "test",
  ]

  /// Whether the process is idle: no server, no lookup, no loop except the shared ones.
  fileprivate func hasNoWorkers(beside loops: Int) -> Bool {
    Self.workers.allSatisfy { threads(named: $0) == 0 } && threads(named: "probekit-loop") <= loops
  }

  /// Whether the runtime's thread pools, which change unpredictably, are within their limits.
  fileprivate func addsNoPool(to before: ProcessUse) -> Bool { threads <= before.threads + 8 }

  /// The descriptors and threads in words.
  fileprivate var summary: String {
    "descriptors \(Self.words(descriptorsByKind)), threads \(Self.words(threadsByName))"
  }

  private static func words(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
