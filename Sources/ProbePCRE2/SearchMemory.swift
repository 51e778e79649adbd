internal import CProbePCRE2
internal import Synchronization

/// What one search writes to: the library's match context and match data.
@safe
final class SearchMemory {
  let context: OpaquePointer
  let data: OpaquePointer

  /// Memory for searches with this pattern; nil when memory is short.
  init?(for code: OpaquePointer) {
    guard let context = unsafe pcre2_match_context_create_8(nil) else { return nil }
    guard let data = unsafe pcre2_match_data_create_from_pattern_8(code, nil) else {
      unsafe pcre2_match_context_free_8(context)
      return nil
    }
    unsafe self.context = unsafe context
    unsafe self.data = unsafe data
  }

  deinit {
    unsafe pcre2_match_data_free_8(data)
    unsafe pcre2_match_context_free_8(context)
  }
}

/// The memory that the last search with a pattern left for the next one.
///
/// Making it new takes a tenth of the time of searching a page. One is kept, which serves patterns that are used by one
/// thread at a time; a search that finds none because others are at it makes its own, so nobody ever waits.
@safe
struct SpareMemory: ~Copyable {
  private let slot = unsafe Atomic<Unmanaged<SearchMemory>?>(nil)

  /// Takes the memory out, so that nobody else has it; nil when there is none.
  func take() -> SearchMemory? {
    unsafe slot.exchange(nil, ordering: .acquiring)?.takeRetainedValue()
  }

  /// Leaves memory for the next search; when there is some already, it is freed.
  func leave(_ memory: consuming SearchMemory) {
    let memory = unsafe Unmanaged.passRetained(memory)
    let (isLeft, _) = unsafe slot.compareExchange(expected: nil, desired: memory, ordering: .releasing)
    if !isLeft { unsafe memory.release() }
  }

  deinit {
    _ = take()
  }
}
