import Glibc

/// Detects whether a file has changed, without reading it.
package struct FileSignature: Hashable, Sendable {
  private struct Moment: Hashable, Sendable {
    let seconds: Int64
    let nanoseconds: Int64

    init(_ time: timespec) {
      seconds = Int64(clamping: time.tv_sec)
      nanoseconds = Int64(clamping: time.tv_nsec)
    }
  }

  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  private let contentChange: Moment
  /// The time of the last status change, which `cp -p` cannot copy, unlike the modification time.
  private let change: Moment

  package var isEmpty: Bool { size == 0 }

  /// The signature of a file, or nil if there is none.
  package init?(of path: String) {
    var facts = stat()
    // The system would truncate a path at a NUL.
    guard !path.utf8.contains(0), unsafe stat(path, &facts) == 0 else { return nil }
    device = UInt64(clamping: facts.st_dev)
    inode = UInt64(clamping: facts.st_ino)
    size = Int64(clamping: facts.st_size)
    contentChange = Moment(facts.st_mtim)
    change = Moment(facts.st_ctim)
  }
}
