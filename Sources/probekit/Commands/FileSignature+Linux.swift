import Glibc

/// What tells that a file has changed, without reading it.
struct FileSignature: Hashable, Sendable {
  private let inode: UInt64
  private let size: Int64
  private let seconds: Int64
  private let nanoseconds: Int64

  /// The signature of a file, or nil when there is none.
  init?(of path: String) {
    var facts = stat()
    guard unsafe stat(path, &facts) == 0 else { return nil }
    inode = UInt64(facts.st_ino)
    size = Int64(facts.st_size)
    seconds = Int64(facts.st_mtim.tv_sec)
    nanoseconds = Int64(facts.st_mtim.tv_nsec)
  }
}
