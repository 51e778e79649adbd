internal import ProbeSystem
import Glibc
public import ProbeCore

/// The files of this machine.
public struct DiskFiles: FixtureFiles {
  /// Creates access to the files of this machine.
  public init() {}

  /// The kind of file at a path; symbolic links are followed.
  public func kind(of path: String) -> FixtureFileKind? {
    var status = stat()
    guard !path.utf8.contains(0), unsafe stat(path, &status) == 0 else { return nil }
    return FixtureFileKind(mode: status.st_mode)
  }

  /// The names in a folder, except `.` and `..`.
  public func entries(of folder: String) throws(InvalidInput) -> [(name: String, kind: FixtureFileKind)] {
    guard let stream = unsafe opendir(folder) else { throw Self.unreadable(errno) }
    defer { unsafe closedir(stream) }
    var entries: [(name: String, kind: FixtureFileKind)] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      var status = stat()
      guard name != ".", name != "..", unsafe lstat("\(folder)/\(name)", &status) == 0 else { continue }
      entries.append((name, FixtureFileKind(mode: status.st_mode)))
    }
    return entries
  }

  /// The path with symbolic links, `.` and `..` resolved.
  public func resolved(_ path: String) -> String? {
    guard !path.utf8.contains(0), let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }

  /// All bytes of a regular file.
  public func read(_ path: String, limit: Int) throws(InvalidInput) -> [UInt8] {
    guard !path.utf8.contains(0) else { throw InvalidInput("cannot be read: the path contains a NUL") }
    do throws(FileError) {
      let bytes = try FileReading.bytes(of: path, limit: limit, .regularFiles)
      if bytes.count <= limit { return bytes }
    } catch {
      throw InvalidInput("cannot be read: \(error)")
    }
    throw InvalidInput("the file has more than \(limit >> 20) MiB", remedy: "check that it is the right file")
  }

  private static func unreadable(_ error: Int32) -> InvalidInput {
    InvalidInput("cannot be read: \(unsafe String(cString: strerror(error)))")
  }
}

extension FixtureFileKind {
  fileprivate init(mode: mode_t) {
    switch mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    default: self = .other
    }
  }
}
