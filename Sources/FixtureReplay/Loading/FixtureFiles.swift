public import ProbeCore

/// Where fixtures are read from: a file system, or memory.
public protocol FixtureFiles: Sendable {
  /// What a path leads to, or nil when there is nothing.
  func kind(of path: String) -> FixtureFileKind?
  /// The names in a folder, each with what it is itself: a symbolic link is ``FixtureFileKind/other``.
  ///
  /// - Throws: `InvalidInput` when it cannot be read.
  func entries(of folder: String) throws(InvalidInput) -> [(name: String, kind: FixtureFileKind)]
  /// The path without symbolic links and dots in it, or nil when it leads nowhere.
  func resolved(_ path: String) -> String?
  /// All bytes of a file.
  ///
  /// - Throws: `InvalidInput` when it cannot be read, or has more bytes than the limit.
  func read(_ path: String, limit: Int) throws(InvalidInput) -> [UInt8]
}

extension FixtureFiles {
  /// All bytes of a file of a folder, or of one below.
  ///
  /// - Parameters:
  ///   - path: The path of the file, which starts with that of the folder.
  ///   - folder: The path of the folder, which may itself be a symbolic link.
  ///   - limit: How many bytes it may have.
  /// - Returns: The bytes.
  /// - Throws: `InvalidInput` when it cannot be read, has more bytes than the limit, or a symbolic link leads elsewhere.
  public func read(_ path: String, ofFolder folder: String, limit: Int) throws(InvalidInput) -> [UInt8] {
    if let root = resolved(folder), let real = resolved(path),
      !real.hasPrefix(root == "/" ? root : root + "/")
    {
      throw InvalidInput(
        "a symbolic link points outside the fixture's folder", remedy: "copy the file into the folder")
    }
    return try read(path, limit: limit)
  }
}

/// What a path of a file system leads to.
public enum FixtureFileKind: Hashable, Sendable {
  /// A regular file.
  case file
  /// A folder.
  case folder
  /// Something else, such as a named pipe.
  case other
}

/// Files kept in memory, by their paths with `/` between the parts.
public struct MemoryFiles: FixtureFiles {
  private let contents: [String: [UInt8]]

  /// Files by their paths.
  public init(_ contents: [String: [UInt8]]) {
    self.contents = contents
  }

  /// What a path leads to.
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
