internal import CProbePCRE2

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
    // The maximum number, -1 as Swift imports the type, means no limit.
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
