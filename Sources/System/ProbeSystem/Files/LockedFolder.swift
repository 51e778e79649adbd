internal import Glibc

/// A folder that one process at a time uses for files that it creates atomically.
package final class LockedFolder: Sendable {
  private let folder: Descriptor

  /// Locks a folder, which is created if it does not exist; the lock is released with the last reference at the latest.
  ///
  /// - Throws: ``FileError`` if the folder cannot be used, or another process has the lock.
  package init(_ path: String) throws(FileError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .unusablePath }
    if unsafe mkdir(path, 0o777) != 0, errno != EEXIST { throw .ofLastCall }
    folder = try Descriptor(open: path, O_RDONLY | O_DIRECTORY)
    guard flock(folder.number, LOCK_EX | LOCK_NB) == 0 else {
      throw errno == EWOULDBLOCK ? FileError("another process uses the folder") : .ofLastCall
    }
  }

  /// Releases the lock, so that another process can use the folder.
  package func release() {
    _ = flock(folder.number, LOCK_UN)
  }

  /// Removes the temporary files that a process left over, each of which it would have renamed; see ``PendingFile``.
  ///
  /// - Throws: ``FileError`` if the folder cannot be read.
  package func removeTemporaryFiles() throws(FileError) {
    for name in try names() where OutputDestination.isTemporary(name) { remove(name) }
  }

  /// The names of all entries of the folder, which include those of folders, `.` and `..`.
  ///
  /// - Throws: ``FileError`` if the folder cannot be read.
  package func names() throws(FileError) -> [String] {
    let copy = dup(folder.number)
    guard copy >= 0, let entries = unsafe fdopendir(copy) else { throw .ofLastCall }
    defer { unsafe closedir(entries) }
    unsafe rewinddir(entries)
    var names: [String] = []
    while let entry = unsafe readdir(entries) {
      names.append(
        unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names
  }

  /// Removes a file of the folder.
  package func remove(_ name: String) {
    unsafe unlinkat(folder.number, name, 0)
  }

  /// The last line of a file of the folder; nil if there is no such file.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - limit: The maximum size of the line in bytes.
  /// - Returns: The line without its line break; empty if it exceeds the limit or has no line break.
  /// - Throws: ``FileError`` if the file cannot be read.
  package func lastLine(of name: String, limit: Int) throws(FileError) -> [UInt8]? {
    guard let (file, size) = try open(name) else { return nil }
    let start = max(0, size - limit)
    var bytes = [UInt8](repeating: 0, count: size - start)
    let count = unsafe pread(file.number, &bytes, bytes.count, off_t(truncatingIfNeeded: start))
    guard count >= 0 else { throw .ofLastCall }
    bytes.removeLast(bytes.count - count)
    guard bytes.popLast() == UInt8(ascii: "\n") else { return [] }
    guard let previous = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return start == 0 ? bytes : [] }
    return Array(bytes[(previous + 1)...])
  }

  /// The number of lines of a file of the folder that begin with a byte; nil if there is no such file.
  ///
  /// - Throws: ``FileError`` if the file cannot be read.
  package func lineCount(of name: String, beginningWith first: UInt8) throws(FileError) -> Int? {
    guard let (file, _) = try open(name) else { return nil }
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    var lines = 0
    var isAtStart = true
    while true {
      let count = unsafe read(file.number, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .ofLastCall }
      if count == 0 { return lines }
      var position = 0
      while position < count {
        if isAtStart, piece[position] == first { lines += 1 }
        let end = piece[position..<count].firstIndex(of: UInt8(ascii: "\n"))
        isAtStart = end != nil
        position = end.map { $0 + 1 } ?? count
      }
    }
  }

  /// Opens a regular file of the folder, with its size; nil if there is no such file.
  private func open(_ name: String) throws(FileError) -> (file: Descriptor, size: Int)? {
    let file: Descriptor
    do throws(FileError) {
      file = try Descriptor(open: name, in: folder, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    } catch {
      if error.systemCode == ENOENT { return nil }
      if error.systemCode == ELOOP { throw FileError("it is a symbolic link, which could lead anywhere") }
      throw error
    }
    let status = try file.status
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileError("it is not a regular file") }
    return (file, Int(clamping: status.st_size))
  }
}
