internal import Glibc

/// A place for a file or a folder that is put there whole: its folder, held open, and its name in it.
///
/// Symbolic links on the way are followed when this user or the system's made them, and refused otherwise: in a folder
/// that everybody may write to, such as `/tmp`, somebody else's link would say which file is replaced. That is the rule
/// of `fs.protected_symlinks` (proc_sys_fs(5)), which the kernel keeps for opening and not for replacing. Since the
/// folder is held, nobody leads what follows astray by changing the path meanwhile.
@safe package final class OutputPlace: Sendable {
  /// What stands at a place.
  package enum Occupant: Hashable, Sendable {
    /// Nothing.
    case nothing
    /// A regular file, with its permissions, and whether it is this user's.
    case file(mode: UInt32, isOwn: Bool)
    /// A folder.
    case folder
    /// A pipe, a terminal or another device.
    case stream
  }

  /// So many links are followed, as by the system.
  private static let mostLinks = 40

  /// Its folder.
  let folder: Descriptor
  /// Its name in the folder.
  let name: String
  /// Whether it is a link of /proc, which leads to what has no path, such as a pipe.
  private let isInProc: Bool

  /// The place that a path names, which may be empty.
  ///
  /// - Throws: ``FileError`` when its folder is not there, or the way leads over somebody else's link.
  package init(_ path: String) throws(FileError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .unusablePath }
    let proc = try? Descriptor(open: "/proc/self", Descriptor.placeOnly).status.st_dev
    var folder = try Descriptor(open: path.hasPrefix("/") ? "/" : ".", Descriptor.placeOnly | O_DIRECTORY)
    var parts = Self.parts(of: path)
    var links = 0
    while let part = parts.popLast() {
      let entry: Descriptor
      do throws(FileError) {
        entry = try Descriptor(open: part, in: folder, Descriptor.placeOnly | O_NOFOLLOW)
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
        guard links <= Self.mostLinks else { throw FileError(systemCode: ELOOP) }
        if !isInProc {
          let target = try entry.linkTarget
          if target.hasPrefix("/") { folder = try Descriptor(open: "/", Descriptor.placeOnly | O_DIRECTORY) }
          parts += Self.parts(of: target)
          continue
        }
        guard !parts.isEmpty else {
          (self.folder, name, self.isInProc) = (folder, part, true)
          return
        }
        folder = try Descriptor(open: part, in: folder, Descriptor.placeOnly | O_DIRECTORY)
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

  /// The parts of a path, the first one last; a slash at its end is a part for the folder itself.
  private static func parts(of path: String) -> [String] {
    var parts = path.split(separator: "/").map(String.init)
    if path.hasSuffix("/") { parts.append(".") }
    return parts.reversed()
  }

  /// What stands there.
  package var occupant: Occupant {
    var status = stat()
    let flags = isInProc ? 0 : AT_SYMLINK_NOFOLLOW
    guard unsafe fstatat(folder.number, name, &status, flags) == 0 else { return .nothing }
    switch status.st_mode & S_IFMT {
    case S_IFREG where !isInProc:
      return .file(mode: status.st_mode & 0o777, isOwn: status.st_uid == geteuid())
    case S_IFDIR: return .folder
    // A link has come since, and is replaced.
    case S_IFLNK: return .nothing
    default: return .stream
    }
  }

  /// Opens what stands there for writing, as it is; to be closed by the caller.
  ///
  /// A pipe that nobody has opened for reading yet is waited for.
  ///
  /// - Returns: A descriptor whose writes do not wait.
  /// - Throws: ``FileError`` when it cannot be opened, or the task is cancelled meanwhile.
  package func openStream() throws(FileError) -> Int32 {
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
