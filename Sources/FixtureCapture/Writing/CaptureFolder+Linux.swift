internal import FixtureReplay
internal import Glibc
internal import ProbeCore

/// A folder that a capture is written to: it appears whole, or not at all, and nothing that stands there is lost.
public struct CaptureFolder: Sendable {
  /// Its path.
  public let path: String

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
        .taken, InvalidInput("\(quoted) is no name of a folder", remedy: "name one that does not exist yet"))
    }
    var status = stat()
    if unsafe lstat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR, Self.isEmpty(path) else {
        throw UnusableFolder(
          .taken,
          InvalidInput(
            "\(quoted) exists already and is not an empty folder", remedy: "name one that does not exist yet")
        )
      }
    }
    let parent = FixtureLoader.folder(of: path)
    guard unsafe access(parent, W_OK | X_OK) == 0 else {
      throw UnusableFolder(
        .unwritable,
        InvalidInput("\(quoted) cannot be made: \(Self.lastError)", remedy: "name a folder in one of yours"))
    }
  }

  /// Writes the files.
  ///
  /// - Throws: ``UnusableFolder`` with the system's words; then nothing stands there that did not before.
  public func write(_ files: [CapturedFixture.File]) throws(UnusableFolder) {
    let parent = FixtureLoader.folder(of: path)
    let temporary = "\(parent)/.probekit-\(String(UInt64.random(in: 0 ... .max), radix: 16)).tmp"
    guard unsafe mkdir(temporary, 0o777) == 0 else { throw unwritable }
    do throws(UnusableFolder) {
      for file in files { try write(file, in: temporary) }
      // Takes the place of an empty folder, and of nothing else.
      guard unsafe rename(temporary, path) == 0 else { throw unwritable }
    } catch {
      for file in files { unsafe unlink("\(temporary)/\(file.name)") }
      unsafe rmdir(temporary)
      throw error
    }
  }
}

extension CaptureFolder {
  private func write(_ file: CapturedFixture.File, in folder: String) throws(UnusableFolder) {
    let descriptor = unsafe open("\(folder)/\(file.name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw unwritable }
    var rest = file.bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let error = unwritable
        close(descriptor)
        throw error
      }
      rest = rest.dropFirst(count)
    }
    // Some file systems tell only now that there is no room.
    guard close(descriptor) == 0 else { throw unwritable }
  }

  private var unwritable: UnusableFolder {
    let (error, words) = (errno, Self.lastError)
    // Somebody else has put something there since.
    let isTaken = [EEXIST, ENOTEMPTY, ENOTDIR].contains(error)
    return UnusableFolder(
      isTaken ? .taken : .unwritable,
      InvalidInput("\(Excerpt(path, limit: 200)) cannot be written: \(words)"))
  }

  private static var lastError: String { unsafe String(cString: strerror(errno)) }

  private static func isEmpty(_ folder: String) -> Bool {
    guard let stream = unsafe opendir(folder) else { return false }
    defer { unsafe closedir(stream) }
    var count = 0
    while unsafe readdir(stream) != nil { count += 1 }
    return count <= 2
  }
}
