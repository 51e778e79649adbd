private import CProbeMalloc

/// What of the heap is in use; under a sanitizer, which has a heap of its own, nothing can be told.
enum HeapUse {
  /// How many bytes are in use.
  static var bytes: Int {
    let info = mallinfo2()
    return Int(info.uordblks + info.hblkhd)
  }

  /// Gives pages of which nothing is in use back to the system, so that what stays resident is what is held.
  static func trim() {
    malloc_trim(0)
  }
}
