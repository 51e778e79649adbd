internal import CProbePCRE2

/// One search of a pattern in a subject, with bounded work.
///
/// The first library call searches the whole subject with a small limit for each possible start of a match,
/// which nearly always suffices. If it reaches that limit, the subject is searched in steps that narrow down
/// to the position that needs more, and that position gets more, as long as all such positions together stay
/// within the limit. No clock is used, so the same subject always has the same result.
///
/// All state is private to one call while it runs, so no lock is needed and searches are independent.
@safe
struct Search: ~Copyable {
  private let pattern: Pattern
  private let subject: UnsafeBufferPointer<UInt8>
  private let limits: WorkLimits
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
    limits = WorkLimits(subject: subject.count, isTranslated: isTranslated)
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

  /// Searches.
  ///
  /// - Parameters:
  ///   - start: The first position where a match may start.
  ///   - last: The last one, or -1 for the end of the subject.
  /// - Returns: The library's result code.
  mutating func run(from start: Int = 0, through last: Int = -1) -> Int32 {
    guard !pattern.isSearchedAtOnce else { return call(from: start, through: last, limit: limits.atOnePlace) }
    let result = call(from: start, through: last, limit: limits.atEveryPlace)
    return unsafe result == PCRE2_ERROR_MATCHLIMIT
      ? runInSteps(from: start, through: last < 0 ? subject.count : last) : result
  }

  /// The range of a group of the match, or nil if the group did not match; group 0 is the match.
  func range(ofGroup number: Int) -> Range<Int>? {
    guard number < Int(clamping: unsafe pcre2_get_ovector_count_8(memory.data)),
      let places = unsafe pcre2_get_ovector_pointer_8(memory.data)
    else { return nil }
    let (start, end) = unsafe (places[2 * number], places[2 * number + 1])
    // A group that did not match has -1, and \K can move the start after the end.
    return start >= 0 && end >= 0 ? min(start, end)..<max(start, end) : nil
  }
}

extension Search {
  private static let factor = 8

  private mutating func runInSteps(from first: Int, through end: Int) -> Int32 {
    let usual = limits.atEveryPlace
    var remaining = limits.altogether
    var limit = usual
    // Most patterns that need more need it at one position, so the first one gets everything at once. If
    // there are several, the limit of each grows step by step, to measure what it takes.
    var isFirst = true
    var start = first
    var width = max((end - first) / Self.factor, 1)
    while start <= end {
      let last = min(lastPlace(ofStepFrom: start, width: width), end)
      let result = call(from: start, through: last, limit: limit)
      switch result {
      case PCRE2_ERROR_NOMATCH:
        if limit > usual {
          // The actual cost is between this limit and the previous one.
          remaining -= limit / (isFirst ? Self.factor : 2)
          guard remaining > 0 else { return PCRE2_ERROR_MATCHLIMIT }
          limit = usual
          isFirst = false
        }
        start = last + 1
        width = min(width * Self.factor, end + 1)
      case PCRE2_ERROR_MATCHLIMIT where width > 1:
        width = max(width / Self.factor, 1)
      case PCRE2_ERROR_MATCHLIMIT:
        remaining -= limit
        guard limit < limits.atOnePlace, remaining > 0 else { return result }
        limit = isFirst ? limits.atOnePlace : min(limit * Self.factor, limits.atOnePlace)
      default:
        return result
      }
    }
    return PCRE2_ERROR_NOMATCH
  }

  /// The last position of a step, so that the next one does not start inside a character or a CRLF.
  private func lastPlace(ofStepFrom start: Int, width: Int) -> Int {
    let count = unsafe subject.count
    var last = min(start + width - 1, count)
    while last + 1 < count, unsafe subject[last + 1] & 0xC0 == 0x80 { last += 1 }
    if last + 1 < count, unsafe subject[last] == UInt8(ascii: "\r"),
      unsafe subject[last + 1] == UInt8(ascii: "\n")
    {
      last += 1
    }
    return last
  }

  private mutating func call(from start: Int = 0, through last: Int = -1, limit: Int) -> Int32 {
    unsafe pcre2_set_match_limit_8(memory.context, UInt32(clamping: limit))
    // The largest number, -1 as Swift imports the type, means no limit.
    unsafe pcre2_set_offset_limit_8(memory.context, last)
    let result = match(from: start)
    guard result == PCRE2_ERROR_JIT_STACKLIMIT, unsafe stack == nil else { return result }
    unsafe stack = pcre2_jit_stack_create_8(32 * 1024, limits.stack, nil)
    guard let stack = unsafe stack else { return result }
    unsafe pcre2_jit_stack_assign_8(memory.context, nil, UnsafeMutableRawPointer(stack))
    return match(from: start)
  }

  private func match(from start: Int) -> Int32 {
    unsafe pcre2_match_8(
      pattern.code, subject.baseAddress, subject.count, start, options, memory.data, memory.context)
  }
}
