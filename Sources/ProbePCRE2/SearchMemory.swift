internal import CProbePCRE2
internal import Synchronization

/// The working memory of a search: the library's match context and match data.
@safe
final class SearchMemory {
  let context: OpaquePointer
  let data: OpaquePointer

  /// Memory for searches with this pattern; nil if no memory is available.
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
