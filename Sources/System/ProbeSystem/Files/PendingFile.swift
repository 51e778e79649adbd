internal import Glibc
internal import Synchronization

/// A file that is created atomically: written under a temporary name in the same folder, and renamed at the
/// end.
///
/// Readers see either the previous file or the complete new one.
package final class PendingFile: Sendable {
  private let destination: OutputDestination
  private let temporaryName: String
  private let file: Descriptor
  private let isPending = Atomic(true)

  /// Creates the file, initially empty.
  ///
  /// - Parameters:
  ///   - destination: The destination.
  ///   - isPrivate: Whether only its owner may read it. Otherwise it has the permissions of this user's file
  ///     that it replaces, or the default ones.
  /// - Throws: ``FileError`` if it cannot be created.
  package init(at destination: OutputDestination, isPrivate: Bool = false) throws(FileError) {
    self.destination = destination
    temporaryName = OutputDestination.temporaryName()
    file = try Descriptor(
      open: temporaryName, in: destination.folder, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
      mode: isPrivate ? 0o600 : 0o666)
    // Another user may have put a file there for its permissions.
    if !isPrivate, case .file(let mode, true) = destination.occupant { fchmod(file.number, mode) }
  }

  deinit { discard() }

  /// The descriptor for writing, until it is committed or discarded.
  package var descriptor: Int32 { file.number }

  /// Moves the file to its destination.
  ///
  /// - Parameter isDurable: Whether its contents are written to the disk first, so that it is complete even
  ///   after a crash of the machine.
  /// - Throws: ``FileError`` if it could not be written completely, or not be moved; then an existing file
  ///   remains unchanged.
  package func commit(isDurable: Bool = false) throws(FileError) {
    if isDurable, fsync(file.number) != 0 { throw .ofLastCall }
    try file.close()
    guard isPending.load(ordering: .relaxed) else { return }
    try destination.put(temporaryName)
    isPending.store(false, ordering: .relaxed)
  }

  /// Deletes the file, unless it was committed.
  package func discard() {
    try? file.close()
    guard isPending.exchange(false, ordering: .relaxed) else { return }
    unsafe unlinkat(destination.folder.number, temporaryName, 0)
  }
}

extension OutputDestination {
  /// Checks whether a file can be created there.
  ///
  /// - Throws: ``FileError`` if the folder does not permit that for this user.
  package func checkWritable() throws(FileError) {
    guard unsafe faccessat(folder.number, ".", W_OK | X_OK, AT_EACCESS) == 0 else { throw .ofLastCall }
  }

  /// Creates a folder with files atomically; only an empty folder may exist there.
  ///
  /// - Throws: ``FileError``; then the destination is unchanged.
  package func writeFolder(_ files: [(name: String, bytes: [UInt8])]) throws(FileError) {
    let temporary = Self.temporaryName()
    guard unsafe mkdirat(folder.number, temporary, 0o777) == 0 else { throw .ofLastCall }
    var made: Descriptor?
    do throws(FileError) {
      let new = try Descriptor(open: temporary, in: folder, Descriptor.pathOnly | O_DIRECTORY | O_NOFOLLOW)
      made = new
      for (name, bytes) in files {
        let file = try Descriptor(
          open: name, in: new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o666)
        try file.write(bytes)
        try file.close()
      }
      try put(temporary)
    } catch {
      if let made { for file in files { unsafe unlinkat(made.number, file.name, 0) } }
      unsafe unlinkat(folder.number, temporary, AT_REMOVEDIR)
      throw error
    }
  }

  /// Renames a file in the same folder to the destination; an existing link is itself replaced.
  fileprivate func put(_ temporary: String) throws(FileError) {
    guard unsafe renameat(folder.number, temporary, folder.number, name) == 0 else { throw .ofLastCall }
  }

  /// A temporary name that metrics collectors ignore.
  fileprivate static func temporaryName() -> String {
    ".probekit-\(String(UInt64.random(in: 0 ... .max), radix: 16)).tmp"
  }

  /// Whether a name is one of those.
  static func isTemporary(_ name: String) -> Bool { name.hasPrefix(".probekit-") && name.hasSuffix(".tmp") }
}

extension Descriptor {
  fileprivate func write(_ bytes: [UInt8]) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .ofLastCall }
      rest = rest.dropFirst(count)
    }
  }
}
