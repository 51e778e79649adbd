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
