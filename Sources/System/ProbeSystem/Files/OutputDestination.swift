internal import Glibc

/// The destination of a file or folder that is created atomically: its parent folder, held open, and its name
/// there.
///
/// Symbolic links in the path are followed if this user or root owns them, and refused otherwise: in a
/// world-writable folder such as `/tmp`, another user's link could decide which file is replaced. This is the
/// rule of `fs.protected_symlinks` (proc_sys_fs(5)), which the kernel applies to opening but not to renaming.
/// Because the folder is held open, later changes of the path have no effect.
@safe package final class OutputDestination: Sendable {
  /// The kind of file that exists at a destination.
  package enum Occupant: Hashable, Sendable {
    case nothing
    /// A regular file, with its permissions, and whether it is this user's.
    case file(mode: UInt32, isOwn: Bool)
    case folder
    /// A pipe, a terminal or another device.
    case stream
  }

  /// The maximum number of links to follow, as in the system.
  private static let maximumLinks = 40

  /// The parent folder.
  let folder: Descriptor
  /// The name in the folder.
  let name: String
  /// Whether it is a link in /proc, which may refer to something without a path, such as a pipe.
  private let isInProc: Bool

  /// The destination at a path, where nothing has to exist yet.
  ///
  /// - Throws: ``FileError`` if the parent folder does not exist, or the path contains another user's link.
  package init(_ path: String) throws(FileError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .unusablePath }
    let proc = try? Descriptor(open: "/proc/self", Descriptor.pathOnly).status.st_dev
    var folder = try Descriptor(open: path.hasPrefix("/") ? "/" : ".", Descriptor.pathOnly | O_DIRECTORY)
    var parts = Self.parts(of: path)
    var links = 0
    while let part = parts.popLast() {
      let entry: Descriptor
      do throws(FileError) {
        entry = try Descriptor(open: part, in: folder, Descriptor.pathOnly | O_NOFOLLOW)
      } catch {
        guard error.systemCode == ENOENT, parts.isEmpty else { throw error }
        (self.folder, name, isInProc) = (folder, part, false)
        return
      }
      let status = try entry.status
      let isInProc = proc == status.st_dev
      switch status.st_mode & S_IFMT {
      case S_IFLNK:
        guard status.st_uid == geteuid() || status.st_uid == 0 else { throw Self.foreignLink(part) }
        links += 1
        guard links <= Self.maximumLinks else { throw FileError(systemCode: ELOOP) }
        if !isInProc {
          let target = try entry.linkTarget
          if target.hasPrefix("/") { folder = try Descriptor(open: "/", Descriptor.pathOnly | O_DIRECTORY) }
          parts += Self.parts(of: target)
          continue
        }
        guard !parts.isEmpty else {
          (self.folder, name, self.isInProc) = (folder, part, true)
          return
        }
        folder = try Descriptor(open: part, in: folder, Descriptor.pathOnly | O_DIRECTORY)
      case S_IFDIR where !parts.isEmpty: folder = entry
      case _ where parts.isEmpty:
        (self.folder, name, self.isInProc) = (folder, part, false)
        return
      default: throw FileError(systemCode: ENOTDIR)
      }
    }
    (self.folder, name, isInProc) = (folder, ".", false)
  }

  private static func foreignLink(_ name: String) -> FileError {
    FileError(
      "\(name.debugDescription) is a symbolic link of another user: name what it leads to, or remove it")
  }

  /// The components of a path, the first one last; a trailing slash is a component for the folder itself.
  private static func parts(of path: String) -> [String] {
    var parts = path.split(separator: "/").map(String.init)
    if path.hasSuffix("/") { parts.append(".") }
    return parts.reversed()
  }

  /// The kind of file that exists at the destination.
  var occupant: Occupant {
    var status = stat()
    let flags = isInProc ? 0 : AT_SYMLINK_NOFOLLOW
    guard unsafe fstatat(folder.number, name, &status, flags) == 0 else { return .nothing }
    switch status.st_mode & S_IFMT {
    case S_IFREG where !isInProc:
      return .file(mode: status.st_mode & 0o777, isOwn: status.st_uid == geteuid())
    case S_IFDIR: return .folder
    // A link was created in the meantime, and will be replaced.
    case S_IFLNK: return .nothing
    default: return .stream
    }
  }

  /// Opens an existing stream for writing; the caller must close it.
  ///
  /// If it is a pipe, waits until it has been opened for reading.
  ///
  /// - Returns: A nonblocking descriptor.
  /// - Throws: ``FileError`` if it cannot be opened, or the task is cancelled meanwhile.
  func openStream() throws(FileError) -> Int32 {
    while true {
      do throws(FileError) {
        let flags = O_WRONLY | O_NOCTTY | O_NONBLOCK | (isInProc ? 0 : O_NOFOLLOW)
        return try Descriptor(open: name, in: folder, flags).release()
      } catch {
        var status = stat()
        guard error.systemCode == ENXIO, unsafe fstatat(folder.number, name, &status, 0) == 0,
          status.st_mode & S_IFMT == S_IFIFO
        else { throw error }
        if Task.isCancelled { throw .cancelled }
        poll(nil, 0, 20)
      }
    }
  }
}
