import Glibc

/// What tells that a file has changed, without reading it.
package struct FileSignature: Hashable, Sendable {
  private struct Moment: Hashable, Sendable {
    let seconds: Int64
    let nanoseconds: Int64

    init(_ time: timespec) {
      seconds = Int64(time.tv_sec)
      nanoseconds = Int64(time.tv_nsec)
    }
  }

  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let contentChange: Moment
  /// Of anything about it, which a copy cannot take over from its original as `cp -p` does the other.
  private let change: Moment

  /// Whether the file holds not one byte.
  package var isEmpty: Bool { size == 0 }

  /// The signature of a file, or nil when there is none.
  package init?(of path: String) {
    var facts = stat()
    // A path with a NUL would be looked up under its first part.
    guard !path.utf8.contains(0), unsafe stat(path, &facts) == 0 else { return nil }
    device = UInt64(facts.st_dev)
    inode = UInt64(facts.st_ino)
    size = Int64(facts.st_size)
    contentChange = Moment(facts.st_mtim)
    change = Moment(facts.st_ctim)
  }
}
