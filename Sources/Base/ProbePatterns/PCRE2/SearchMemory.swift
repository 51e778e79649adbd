internal import CProbePCRE2
internal import Synchronization

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

  /// Begins a search with a budget.
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
