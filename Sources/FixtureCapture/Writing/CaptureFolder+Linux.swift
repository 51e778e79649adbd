internal import ProbeFiles
internal import FixtureReplay
internal import Glibc
public import ProbeCore

/// A folder that a capture is written to: it appears whole, or not at all, and nothing that stands there is lost.
public struct CaptureFolder: Sendable {
  /// Its path.
  public let path: String

  private let place: OutputPlace

  /// The last part of its path.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// A folder that is yet to be made, or is empty.
  ///
  /// - Throws: ``UnusableFolder`` when something else stands there, or nothing can be made there.
  public init(_ path: String) throws(UnusableFolder) {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.path = path
    let quoted = Excerpt(path, limit: 200)
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw UnusableFolder(
        .taken, InvalidInput("\(quoted) is not a folder name", remedy: "name one that does not exist yet"))
    }
    var status = stat()
    if unsafe lstat(path, &status) == 0 {
      let isEmpty = (try? DiskFiles().entries(of: path).isEmpty) ?? false
      guard status.st_mode & S_IFMT == S_IFDIR, isEmpty else {
        throw UnusableFolder(
          .taken,
          InvalidInput(
            "\(quoted) exists already and is not an empty folder", remedy: "name one that does not exist yet")
        )
      }
    }
    do throws(FileError) {
      place = try OutputPlace(path)
      try place.checkWritable()
    } catch {
      throw UnusableFolder(
        .unwritable,
        InvalidInput("\(quoted) cannot be made: \(error)", remedy: "name a folder in one of yours"))
    }
  }

  /// Writes the files.
  ///
  /// - Throws: ``UnusableFolder`` with the system's words; then nothing stands there that did not before.
  public func write(_ files: [CapturedFixture.File]) throws(UnusableFolder) {
    do throws(FileError) {
      try place.writeFolder(files.map { ($0.name, $0.bytes) })
    } catch {
      // Somebody else has put something there since.
      let isTaken = [EEXIST, ENOTEMPTY, ENOTDIR].contains(error.systemCode)
      throw UnusableFolder(
        isTaken ? .taken : .unwritable,
        InvalidInput("\(Excerpt(path, limit: 200)) cannot be written: \(error)"))
    }
  }
}

/// A folder that no capture can be written to.
public struct UnusableFolder: Error, Hashable, Sendable {
  /// Who can do something about it.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code as a word.
    public let description: String

    /// Something else has this name, or it is none: another one must be named.
    public static let taken = Code(description: "taken")
    /// The system cannot write there: no room, no permission or no such place.
    public static let unwritable = Code(description: "unwritable")
  }

  /// What kind of trouble it is.
  public let code: Code
  /// What is wrong, and the way out.
  public let problem: InvalidInput

  init(_ code: Code, _ problem: InvalidInput) {
    self.code = code
    self.problem = problem
  }
}

extension UnusableFolder: CustomStringConvertible {
  /// What is wrong, and the way out.
  public var description: String { problem.description }
}
