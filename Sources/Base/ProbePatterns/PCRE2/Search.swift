internal import CProbePCRE2
internal import Synchronization

/// One search of a pattern in a subject, with bounded work.
///
/// A search is one library call, so that everything that PCRE2 knows about where a match can start holds: with
/// `.*` at its start a pattern is tried only at the start of each line. The pattern's callouts report the work,
/// and end the call when it is spent; see ``CalloutPlacement`` and ``WorkMeter``. No clock is used, so the same
/// subject always has the same result.
///
/// All state is private to one call while it runs, so no lock is needed and searches are independent.
@safe
struct Search: ~Copyable {
  private let pattern: Pattern
  private let subject: UnsafeBufferPointer<UInt8>
  private let limits: MemoryLimits
  private let isTranslated: Bool
  private let options: UInt32
  private let memory: SearchMemory
  private var stack: OpaquePointer?

  /// A search in a subject that outlives it; nil if no memory is available.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - subject: The bytes to search.
  ///   - more: Whether more bytes may follow the subject: then a match that depends on its end is partial.
  init?(_ pattern: Pattern, in subject: UnsafeBufferPointer<UInt8>, moreMayCome more: Bool = false) {
    guard let memory = unsafe pattern.spare.take() ?? SearchMemory(for: pattern.code) else { return nil }
    self.pattern = pattern
    unsafe self.subject = subject
    self.memory = memory
    unsafe stack = nil
    let isTranslated = more ? pattern.isTranslatedForStreams : pattern.isTranslated
    options = (isTranslated ? 0 : PCRE2_NO_JIT) | (more ? PCRE2_PARTIAL_HARD : 0)
    self.isTranslated = isTranslated
    limits = MemoryLimits(subject: subject.count)
    if !isTranslated {
      unsafe pcre2_set_depth_limit_8(memory.context, UInt32(clamping: limits.depth))
      unsafe pcre2_set_heap_limit_8(memory.context, UInt32(clamping: limits.heap))
    }
  }

  deinit {
    if let stack = unsafe stack {
      unsafe pcre2_jit_stack_assign_8(memory.context, nil, nil)
      unsafe pcre2_jit_stack_free_8(stack)
    }
    // The interpreter stores its backtracking data there, up to its heap limit.
    if options & PCRE2_NO_JIT == 0 { pattern.spare.leave(memory) }
  }

  /// Searches with the budget for one search of the subject.
  ///
  /// - Parameters:
  ///   - start: The first position where a match may start.
  ///   - last: The last one, or -1 for the end of the subject.
  /// - Returns: The library's result code.
  mutating func run(from start: Int = 0, through last: Int = -1) -> Int32 {
    var budget = unsafe WorkBudget(bytes: subject.count)
    return run(from: start, through: last, &budget)
  }

  /// Searches with a budget, and takes the work from it.
  mutating func run(from start: Int = 0, through last: Int = -1, _ budget: inout WorkBudget) -> Int32 {
    memory.begin(budget, of: pattern, isTranslated: isTranslated)
    defer { budget.keep(memory.left) }
    var last = last
    var isPart = false
    if pattern.unreportedLength > 0 {
      // At each position it could take as much as the whole text.
      let end = start + budget.units / pattern.unreportedLength
      isPart = unsafe end < (last < 0 ? subject.count : last)
      if isPart { last = end }
    }
    // PCRE2_UNSET, which Swift imports as -1, means no limit.
    unsafe pcre2_set_offset_limit_8(memory.context, last)
    let result = match(from: start)
    if isPart, result == PCRE2_ERROR_NOMATCH { return PCRE2_ERROR_MATCHLIMIT }
    guard result == PCRE2_ERROR_JIT_STACKLIMIT, unsafe stack == nil else { return result }
    unsafe stack = pcre2_jit_stack_create_8(32 * 1024, limits.stack, nil)
    guard let stack = unsafe stack else { return result }
    unsafe pcre2_jit_stack_assign_8(memory.context, nil, UnsafeMutableRawPointer(stack))
    return match(from: start)
  }

  /// The range of a group of the match, or nil if the group did not match; group 0 is the match.
  func range(ofGroup number: Int) -> Range<Int>? {
    guard number < Int(clamping: unsafe pcre2_get_ovector_count_8(memory.data)),
      let offsets = unsafe pcre2_get_ovector_pointer_8(memory.data)
    else { return nil }
    let (start, end) = unsafe (offsets[2 * number], offsets[2 * number + 1])
    // A group that did not match has -1, and \K can move the start after the end.
    return start >= 0 && end >= 0 ? min(start, end)..<max(start, end) : nil
  }
}

extension Search {
  private func match(from start: Int) -> Int32 {
    unsafe pcre2_match_8(
      pattern.code, subject.baseAddress, subject.count, start, options, memory.data, memory.context)
  }
}

/// The working memory of a search: the library's match context and match data, and the meter of its work.
@safe
final class SearchMemory {
  let context: OpaquePointer
  let data: OpaquePointer
  private let meter: UnsafeMutablePointer<WorkMeter>

  /// Memory for searches with this pattern; nil if no memory is available.
  init?(for code: OpaquePointer) {
    guard let context = unsafe pcre2_match_context_create_8(nil) else { return nil }
    guard let data = unsafe pcre2_match_data_create_from_pattern_8(code, nil) else {
      unsafe pcre2_match_context_free_8(context)
      return nil
    }
    unsafe self.context = unsafe context
    unsafe self.data = unsafe data
    unsafe meter = .allocate(capacity: 1)
    unsafe meter.initialize(to: WorkMeter())
    // The meter counts everything.
    unsafe pcre2_set_match_limit_8(context, .max)
    unsafe pcre2_set_callout_8(
      context,
      { block, meter in
        guard let block = unsafe block, let meter = unsafe meter else { return PCRE2_ERROR_CALLOUT }
        return unsafe meter.assumingMemoryBound(to: WorkMeter.self).pointee.count(WorkMeter.Callout(block))
      }, meter)
  }

  func begin(_ budget: WorkBudget, of pattern: borrowing Pattern, isTranslated: Bool) {
    unsafe meter.pointee.begin(budget, of: pattern, isTranslated: isTranslated)
  }

  /// The units that the search has left.
  var left: Int { unsafe meter.pointee.left }

  deinit {
    unsafe meter.deinitialize(count: 1)
    unsafe meter.deallocate()
    unsafe pcre2_match_data_free_8(data)
    unsafe pcre2_match_context_free_8(context)
  }
}

/// The working memory of a pattern's last search, for reuse by the next one.
///
/// Allocating it takes a tenth of the time of searching a page. One is kept, which suffices for patterns used
/// by one thread at a time; a concurrent search allocates its own, so nothing ever waits.
@safe
struct SpareMemory: ~Copyable {
  private let slot = unsafe Atomic<Unmanaged<SearchMemory>?>(nil)

  /// Takes the memory for exclusive use; nil if there is none.
  func take() -> SearchMemory? {
    unsafe slot.exchange(nil, ordering: .acquiring)?.takeRetainedValue()
  }

  /// Stores memory for the next search; if there is some already, it is freed.
  func leave(_ memory: consuming SearchMemory) {
    let memory = unsafe Unmanaged.passRetained(memory)
    let (isLeft, _) = unsafe slot.compareExchange(expected: nil, desired: memory, ordering: .releasing)
    if !isLeft { unsafe memory.release() }
  }

  deinit {
    _ = take()
  }
}

/// Counts the work of a search at the callouts of its pattern, and ends the search when it is spent.
///
/// A unit is the work of a callout, or of matching eight characters: 8 to 20 ns with machine code. No clock is
/// used, so the same subject always has the same result.
struct WorkMeter {
  /// The units left until the next check.
  private var units = 0
  /// The units left after that.
  private var reserve = 0
  /// How many units of the budget one unit is.
  private var scale = 1
  private var isCancellable = false
  private var automaticCost = 0
  private var refersToGroups = false
  /// The start of the attempt, and the position of its last callout.
  private var start = 0
  private var last = 0

  /// The units after which a search notices the cancellation of its task: about a millisecond.
  private static let step = 1 << 16

  mutating func begin(_ budget: WorkBudget, of pattern: borrowing Pattern, isTranslated: Bool) {
    // The interpreter takes longer.
    scale = isTranslated ? 1 : 3
    isCancellable = budget.isCancellable
    automaticCost = pattern.maximumRepeatMinimum >> 4
    refersToGroups = pattern.refersToGroups
    (units, reserve) = (0, budget.units)
    (start, last) = (-1, 0)
  }

  /// The units left.
  var left: Int { max(0, units + reserve) }

  /// Counts the work that a callout reports.
  ///
  /// - Returns: 0 to continue, or the error that ends the search.
  mutating func count(_ callout: borrowing Callout) -> Int32 {
    if callout.start != start { (start, last) = (callout.start, callout.start) }
    let passed = max(0, callout.position - last)
    last = callout.position
    var cost = 1 + passed >> 3
    switch callout.number {
    case CalloutPlacement.backReference: cost += callout.captured >> 3
    case CalloutPlacement.automatic: cost += automaticCost + (refersToGroups ? callout.captured >> 3 : 0)
    case let number: cost += (number * number) >> 4
    }
    units -= cost * scale
    return units >= 0 ? 0 : refill()
  }

  private mutating func refill() -> Int32 {
    guard reserve > 0, !(isCancellable && Task.isCancelled) else { return PCRE2_ERROR_CALLOUT }
    let taken = min(reserve, max(Self.step, 0 - units))
    reserve -= taken
    units += taken
    return units >= 0 ? 0 : PCRE2_ERROR_CALLOUT
  }

  /// The report of a callout.
  @safe struct Callout: ~Copyable {
    private let block: UnsafeMutablePointer<pcre2_callout_block_8>

    init(_ block: UnsafeMutablePointer<pcre2_callout_block_8>) {
      unsafe self.block = block
    }

    var number: Int { unsafe Int(clamping: block.pointee.callout_number) }
    var start: Int { unsafe block.pointee.start_match }
    var position: Int { unsafe block.pointee.current_position }

    /// The length of all groups together.
    var captured: Int {
      let offsets = unsafe block.pointee.offset_vector
      guard let offsets = unsafe offsets else { return 0 }
      return (1..<max(1, unsafe Int(clamping: block.pointee.capture_top))).reduce(0) { sum, group in
        let (start, end) = unsafe (offsets[2 * group], offsets[2 * group + 1])
        return sum + max(0, end - start)
      }
    }
  }
}

/// The work that a search, or several searches together, may take; see ``WorkMeter`` for its unit.
package struct WorkBudget: Hashable, Sendable {
  /// The units left.
  private(set) var units: Int
  /// Whether the cancellation of the task ends a search, as if the budget were spent.
  let isCancellable: Bool

  /// The work for searching this many bytes once.
  ///
  /// An expression such as `.*?<BODY>.*?Success.*?</BODY>.*` takes a unit for each byte, and again for each
  /// `<BODY>`; most others take less than four for each byte. Measured with PCRE2 10.42, all of it takes 5 to 10 ms
  /// for a short text, 15 to 30 ms for 64 KiB, which probes keep of a body by default, and seconds for 16 MiB.
  ///
  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - isCancellable: Whether the cancellation of the task ends a search, as if the budget were spent.
  package init(bytes count: Int, isCancellable: Bool = false) {
    units = 500_000 + 16 * count
    self.isCancellable = isCancellable
  }

  /// Reduces the budget to the units of work that a search has left.
  mutating func keep(_ left: Int) {
    units = min(units, left)
  }
}

/// The memory that a search may take for backtracking.
struct MemoryLimits: Equatable {
  /// The depth of nested backtracking, used only by the interpreter.
  let depth: Int
  /// The memory in KiB, used only by the interpreter: 250 bytes per character for `(.|\n)*`.
  let heap: Int
  /// The stack size of machine code in bytes, for matches that need more than the default of 32 KiB.
  ///
  /// `(.|\n)*` needs 64 bytes per character: enough for several times the body size that probes keep by
  /// default, but not for a megabyte.
  let stack: Int

  /// The limits for a subject of this many bytes.
  init(subject count: Int) {
    depth = 100_000 + 3 * count
    heap = min(1024 + count / 4, 64 * 1024)
    stack = min(1024 * 1024 + 64 * count, 32 * 1024 * 1024)
  }
}
