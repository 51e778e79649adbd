internal import Glibc
internal import ProbeSystem
public import ProbeCore

/// A source of fixture files: a file system, or memory.
public protocol FixtureFiles: Sendable {
  /// The kind of file at a path, or nil if there is none.
  func kind(of path: String) -> FixtureFileKind?
  /// The names in a folder with the kind of each; a symbolic link is ``FixtureFileKind/other``.
  ///
  /// - Throws: `InvalidInput` if the folder cannot be read.
  func entries(of folder: String) throws(InvalidInput) -> [(name: String, kind: FixtureFileKind)]
  /// The path with symbolic links, `.` and `..` resolved, or nil if nothing is there.
  func resolved(_ path: String) -> String?
  /// All bytes of a file.
  ///
  /// - Throws: `InvalidInput` if the file cannot be read, or is larger than the limit.
  func read(_ path: String, limit: Int) throws(InvalidInput) -> [UInt8]
}

extension FixtureFiles {
  /// All bytes of a file in a folder or in one of its subfolders.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which must start with the path of the folder.
  ///   - folder: The path of the folder, which may itself be a symbolic link.
  ///   - limit: The maximum size in bytes.
  /// - Returns: The bytes.
  /// - Throws: `InvalidInput` if the file cannot be read, is larger than the limit, or is outside of the
  ///   folder because of a symbolic link.
  public func read(_ path: String, ofFolder folder: String, limit: Int) throws(InvalidInput) -> [UInt8] {
    guard let root = resolved(folder), let real = resolved(path) else { return try read(path, limit: limit) }
    guard real.hasPrefix(root == "/" ? root : root + "/") else {
      throw InvalidInput(
        "a symbolic link points outside the fixture's folder", remedy: "copy the file into the folder")
    }
    // The resolved path, so that a link that changes meanwhile has no effect.
    return try read(real, limit: limit)
  }
}

/// The kind of file at a path.
public enum FixtureFileKind: Hashable, Sendable {
  /// A regular file.
  case file
  /// A folder.
  case folder
  /// Something else, such as a named pipe.
  case other
}

/// Files in memory, by path with `/` as the separator.
public struct MemoryFiles: FixtureFiles {
  private let contents: [String: [UInt8]]

  /// Creates a file source from contents by path.
  public init(_ contents: [String: [UInt8]]) {
    self.contents = contents
  }

  /// The kind of file at a path.
  public func kind(of path: String) -> FixtureFileKind? {
    if contents[path] != nil { return .file }
    return contents.keys.contains { $0.hasPrefix(path + "/") } ? .folder : nil
  }

  /// The names in a folder.
  public func entries(of folder: String) -> [(name: String, kind: FixtureFileKind)] {
    let inside = contents.keys.filter { $0.hasPrefix(folder + "/") }.map { $0.dropFirst(folder.count + 1) }
    let names = Set(inside.compactMap { $0.split(separator: "/").first.map(String.init) })
    return names.compactMap { name in kind(of: "\(folder)/\(name)").map { (name, $0) } }
  }

  /// The path itself.
  public func resolved(_ path: String) -> String? {
    kind(of: path) == nil ? nil : path
  }

  /// The bytes of a file.
  public func read(_ path: String, limit: Int) throws(InvalidInput) -> [UInt8] {
    guard let bytes = contents[path] else { throw InvalidInput("there is no such file") }
    guard bytes.count <= limit else { throw InvalidInput("the file has more than \(limit) bytes") }
    return bytes
  }
}

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
