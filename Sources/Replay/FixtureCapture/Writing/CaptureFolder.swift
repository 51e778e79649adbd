internal import ProbeSystem
internal import FixtureReplay
internal import Glibc
public import ProbeCore

/// A folder to write a capture to: it is created completely or not at all, and nothing existing is
/// overwritten.
public struct CaptureFolder: Sendable {
  /// The path.
  public let path: String

  private let destination: OutputDestination

  /// The last component of the path.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Prepares a folder that does not exist yet, or is empty.
  ///
  /// - Throws: ``UnusableFolder`` if something else has this name, or no folder can be created there.
  public init(_ path: String) throws(UnusableFolder) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    let quoted = Excerpt(path, limit: 200)
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw UnusableFolder(
        .taken, InvalidInput("\(quoted) is not a folder name", remedy: "use a folder that does not exist"))
    }
    var status = stat()
    if unsafe lstat(path, &status) == 0 {
      let isEmpty = (try? DiskFiles().entries(of: path).isEmpty) ?? false
      guard status.st_mode & S_IFMT == S_IFDIR, isEmpty else {
        throw UnusableFolder(
          .taken,
          InvalidInput(
            "\(quoted) exists and is not an empty folder", remedy: "use a folder that does not exist")
        )
      }
    }
    do throws(FileError) {
      destination = try OutputDestination(path)
      try destination.checkWritable()
    } catch {
      throw UnusableFolder(
        .unwritable,
        InvalidInput("\(quoted) cannot be created: \(error)", remedy: "use a folder that you may write to"))
    }
  }

  /// Writes the files.
  ///
  /// - Throws: ``UnusableFolder`` with the system's message; then the file system is unchanged.
  public func write(_ files: [CapturedFixture.File]) throws(UnusableFolder) {
    do throws(FileError) {
      try destination.writeFolder(files.map { ($0.name, $0.bytes) })
    } catch {
      // Another process has created something there in the meantime.
      let isTaken = [EEXIST, ENOTEMPTY, ENOTDIR].contains(error.systemCode)
      throw UnusableFolder(
        isTaken ? .taken : .unwritable,
        InvalidInput("\(Excerpt(path, limit: 200)) cannot be written: \(error)"))
    }
  }
}

/// The error for a folder that no capture can be written to.
public struct UnusableFolder: Error, Hashable, Sendable {
  /// The kind of problem, which determines what the user can do.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code as a word.
    public let description: String

    /// Something else has this name, or the name is not valid: use another one.
    public static let taken = Code(description: "taken")
    /// The system cannot write there: no space, no permission, or no such directory.
    public static let unwritable = Code(description: "unwritable")
  }

  /// The kind of problem.
  public let code: Code
  /// The problem and its remedy.
  public let problem: InvalidInput

  init(_ code: Code, _ problem: InvalidInput) {
    self.code = code
    self.problem = problem
  }
}

extension UnusableFolder: CustomStringConvertible {
  /// The problem and its remedy.
  public var description: String { problem.description }
}
