private import CProbeMalloc

/// The heap memory in use; unknown under a sanitizer, which has its own heap.
enum HeapUse {
  /// The number of bytes in use.
  static var bytes: Int {
    let info = mallinfo2()
    return Int(info.uordblks + info.hblkhd)
  }

  /// Returns unused pages to the system, so that the resident memory is what is in use.
  static func trim() {
    malloc_trim(0)
  }
}
